import Hummingbird
import StoreAPI
import StoreDownloads
import StoreEngine
import StoreEvents
import StoreModel
import StoreOpenAPI

extension RouteTable {
    /// Adds the HTTP route `/v1/downloads`: the active downloads, and those that ended since the daemon's start.
    ///
    /// - Parameter operations: receives the operations that are begun.
    mutating func addDownloads(_ manager: StoreManager, _ operations: BegunOperations) {
        get(
            "/v1/downloads",
            Endpoint(
                "downloads",
                "The active downloads, and the last \(EventBus.endedDownloadsCapacity) that ended since the daemon's start. The history "
                    + "has the others.",
                .pages(
                    "The maximum number of downloads, in the order of their operations' identifiers; all by default."),
                .ok(DownloadList.self, "Active downloads come first, unless pages are requested."))
        ) { request in
            let page = try request.page(of: await manager.downloads.all()) { [$0.operation.rawValue] }
            let list = DownloadList(downloads: page.elements, next: page.next)
            return try request.response(LargeDocument(list).data(), mediaType: "application/json")
        }
        on(
            .post, "/v1/downloads",
            Endpoint(
                "install", "Installs a product and its dependencies, or joins the download that does.",
                body: InstallRequest.self,
                .ok(example: Installation.exampleOfInstalled, "The product is installed already."),
                .accepted(Installation.self, "The download that installs the product."),
                errors: ErrorCode.ofProducts + ErrorCode.ofInstalling + [.fileUnusable, .planChanged, .archiveLimit]
            ).with(.viewer)
        ) { request in
            let body = try await request.body(InstallRequest.self)
            try request.requireMayName(body.file)
            if let file = body.file {
                let opened = try request.files().first
                // The copy of a file ends with the connection; nothing has been promised to the client until then.
                let installation = try await request.cancelledOnClose {
                    try await manager.installs.install(
                        file: file, opened: opened, consent: body.granted, agreed: body.agreed,
                        priority: body.priority, rateLimit: body.rateLimit)
                }
                operations.insert(installation.operation, viewer: request.viewer)
                return try .install(installation)
            }
            guard !body.productIdentifier.isEmpty else {
                throw StoreError(.requestBodyInvalid, ["reason": "'productIdentifier' must not be empty"])
            }
            let installation = try await manager.installs.install(
                body.productIdentifier, store: body.store, consent: body.granted, agreed: body.agreed,
                priority: body.priority, rateLimit: body.rateLimit)
            operations.insert(installation.operation, viewer: request.viewer)
            return try .install(installation)
        }
        addInstallations(manager, operations)
        addDownload(manager)
    }

    /// Adds the HTTP route `/v1/installations`, which installs several products with one request.
    private mutating func addInstallations(_ manager: StoreManager, _ operations: BegunOperations) {
        on(
            .post, "/v1/installations",
            Endpoint(
                "installSeveral",
                "Installs several products and their dependencies. If one can't be installed, the others are nevertheless.",
                body: BatchInstallRequest.self,
                .accepted(BatchInstallResponse.self, "The download of each product, or the error.")
            ).with(.viewer)
        ) { request in
            let body = try await request.body(BatchInstallRequest.self)
            let installations = try await manager.installs.install(
                body.productIdentifiers, store: body.store, consent: body.granted, agreed: body.agreed,
                priority: body.priority, rateLimit: body.rateLimit)
            for case .success(let installation) in installations {
                operations.insert(installation.operation, viewer: request.viewer)
            }
            let results = zip(body.productIdentifiers, installations).map { identifier, result in
                InstallResult(productIdentifier: identifier, result)
            }
            return try .json(BatchInstallResponse(results: results), status: .accepted)
        }
    }

    /// Adds the HTTP route `/v1/downloads/{id}`: the newest download of one product.
    private mutating func addDownload(_ manager: StoreManager) {
        get(
            "/v1/downloads/:id",
            Endpoint(
                "download", "The newest download of a product.", .ok(DownloadStatus.self, "The download."),
                errors: [.downloadMissing])
        ) { request in
            try request.response(await manager.downloads.status(of: request.identifier()))
        }
        on(
            .patch, "/v1/downloads/:id",
            Endpoint(
                "changeDownload", "Changes the given properties of a download; they persist across restarts.",
                body: DownloadChangeRequest.self, .ok(DownloadStatus.self, "The download after the change."),
                errors: [.downloadMissing, .downloadEnded])
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
                "cancelDownload", "Cancels the download of a product.",
                .ok(DownloadStatus.self, "The download after the cancellation."),
                errors: [.downloadMissing, .downloadEnded])
        ) { request in
            try .json(await manager.downloads.cancel(request.identifier()))
        }
    }
}

extension LargeDocument {
    /// Creates the document of a list of downloads: the members of a `DownloadList`, in the order of their names.
    init(_ list: DownloadList) throws {
        self.init()
        try addArray("downloads", list.downloads)
        if let next = list.next { try add("next", next) }
    }
}

extension Response {
    /// Returns the response to a request that installs something.
    ///
    /// Its status is 202 if a download runs, and 200 if there is nothing to do.
    static func install(_ installation: Installation) throws -> Response {
        try .json(installation, status: installation.download == nil ? .ok : .accepted)
    }
}
