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
                return try .install(await manager.installFile(file, consent: consent, rateLimit: rate))
            }
            return try .install(
                await manager.install(
                    wanted.productIdentifier, store: wanted.store, consent: consent, rateLimit: rate))
        }
        get("/v1/downloads/:id") { call in
            try .json(await manager.download(call.identifier()))
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
