import Engine
import Hummingbird
import StoreAPI
import StoreModel

extension RouteTable {
    /// `/v1/downloads`: the tasks that run, and those that ended since the daemon's start.
    mutating func addDownloads(_ manager: StoreManager) {
        get("/v1/downloads") { _ in
            try .json(DownloadList(downloads: await manager.downloadList()))
        }
        on(.post, "/v1/downloads") { call in
            let wanted = try await call.body(InstallRequest.self)
            let consent = wanted.consent ?? []
            let rate = wanted.rateLimit.map { max(1, $0) }
            if let file = wanted.file {
                return try .install(
                    await manager.installFile(
                        file, consent: consent, priority: wanted.priority, rateLimit: rate))
            }
            return try .install(
                await manager.install(
                    wanted.productIdentifier, store: wanted.store, consent: consent, priority: wanted.priority,
                    rateLimit: rate))
        }
        get("/v1/downloads/:id") { call in
            try .json(await manager.download(call.identifier()))
        }
        on(.patch, "/v1/downloads/:id") { call in
            let change = try await call.body(DownloadChangeRequest.self)
            if let unknown = change.unknown.first {
                throw ServerError(
                    .requestMalformed,
                    "'\(unknown)' of a download can't be changed; 'paused', 'priority' and 'rateLimit' can.")
            }
            guard change.paused != nil || change.priority != nil || change.rateLimit != nil else {
                throw ServerError(
                    .requestMalformed, "The request's body says nothing to change: 'paused', 'priority' or 'rateLimit'."
                )
            }
            guard change.rateLimit ?? 0 >= 0 else {
                throw ServerError(.requestMalformed, "'rateLimit' is a number of bytes a second; 0 is without limit.")
            }
            return try .json(
                await manager.changeDownload(
                    call.identifier(), paused: change.paused, priority: change.priority, rateLimit: change.rateLimit))
        }
        on(.delete, "/v1/downloads/:id") { call in
            try .json(await manager.cancelDownload(call.identifier()))
        }
    }
}

extension Response {
    /// A task to follow (202), or what is there already (200).
    static func install(_ outcome: InstallOutcome) throws -> Response {
        switch outcome {
        case .started(let download): try .json(InstallAnswer(download: download, joined: false), status: .accepted)
        case .joined(let download): try .json(InstallAnswer(download: download, joined: true), status: .accepted)
        case .present(let pack, let operation): try .json(InstallAnswer(present: pack, operation: operation))
        }
    }
}
