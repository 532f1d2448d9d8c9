import Hummingbird
import StoreAPI
import StoreDownloads
import StoreEngine
import StoreEvents
import StoreModel

extension RouteTable {
    /// `/v1/downloads`: the tasks that run, and those that ended since the daemon's start.
    mutating func addDownloads(_ manager: StoreManager) {
        get(
            "/v1/downloads",
            Endpoint(
                "downloads",
                "What runs, and the last \(EventBus.endedDownloadsCapacity) that ended since the daemon's start; operations have the rest.",
                .pages("How many at most, by the ids of their operations; all unless given."),
                .ok("DownloadList", "What runs comes first, unless they are given in pieces."))
        ) { request in
            let piece = try request.piece(of: await manager.downloads.all()) { [$0.operation.rawValue] }
            return try request.answer(DownloadList(downloads: piece.elements, next: piece.next))
        }
        on(
            .post, "/v1/downloads",
            Endpoint(
                "install", "Installs a product and what it needs, or joins the task that does.", body: "InstallRequest",
                .ok("Installation", "There is nothing to do."), .accepted("Installation", "A task runs."),
                problems: ErrorCode.ofProducts + ErrorCode.ofInstalling + [.fileUnusable])
        ) { request in
            let wanted = try await request.body(InstallRequest.self)
            let consent = wanted.consent ?? []
            if let file = wanted.file {
                return try .install(
                    await manager.installs.install(
                        file: file, consent: consent, priority: wanted.priority, rateLimit: wanted.rateLimit))
            }
            return try .install(
                await manager.installs.install(
                    wanted.productIdentifier, store: wanted.store, consent: consent, priority: wanted.priority,
                    rateLimit: wanted.rateLimit))
        }
        get(
            "/v1/downloads/:id",
            Endpoint(
                "download", "The newest download of a product.", .ok("Download", "As it stands."),
                problems: [.downloadMissing])
        ) { request in
            try request.answer(await manager.downloads.status(of: request.identifier()))
        }
        on(
            .patch, "/v1/downloads/:id",
            Endpoint(
                "changeDownload", "Changes how a download runs, durably; what is not named stays as it is.",
                body: "DownloadChangeRequest", .ok("Download", "As it stands now."), problems: [.downloadMissing])
        ) { request in
            let change = try await request.body(DownloadChangeRequest.self)
            return try .json(
                await manager.downloads.change(
                    request.identifier(), paused: change.paused, priority: change.priority, rateLimit: change.rateLimit)
            )
        }
        on(
            .delete, "/v1/downloads/:id",
            Endpoint(
                "cancelDownload", "Stops the download of a product.", .ok("Download", "As it stands now."),
                problems: [.downloadMissing])
        ) { request in
            try .json(await manager.downloads.cancel(request.identifier()))
        }
    }
}

extension Response {
    /// 202 with a download to follow, or 200 with the pack that is there already.
    static func install(_ installation: Installation) throws -> Response {
        try .json(installation, status: installation.download == nil ? .ok : .accepted)
    }
}
