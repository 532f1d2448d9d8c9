import FoundationEssentials
import StoreArchives
import StoreDownloads
import StoreLibrary
public import StoreModel
import StoreSystem

extension StoreManager {
    /// Installs a product and whatever it needs. Returns when the tasks are noted and begun.
    ///
    /// - Parameters:
    ///   - store: where to take it from; `nil` leaves it to the stores' priorities.
    ///   - consent: what somebody allowed that it, and what it needs, may do.
    ///   - priority: among those that wait for their turn the higher comes first. What it needs has at least the same.
    ///   - rateLimit: bytes a second that it, and what it needs, may bring, each; 0 for no limit.
    ///
    /// One that runs already gets both, too; `nil` leaves them as they are, and else is 0.
    /// - Throws: as ``resolve(_:store:)``, and `consent.needed`, `entitlement.missing`, `product.incomplete`, `conflict.other-store`,
    ///   `conflict.by-hand`, `conflict.busy`, `kind.unknown`.
    public func install(
        _ identifier: String, store: String?, consent: Set<Permission> = [], priority: Int? = nil,
        rateLimit: Int? = nil
    ) async throws -> Installation {
        try requireIdle(identifier)
        if let running = try await downloads.runningToJoin(identifier), store == nil || store == running.store {
            return Installation(
                download: await changed(running, priority: priority, rateLimit: rateLimit), joined: true)
        }
        if let pack = try await library.packInPlace(of: identifier) {
            if let present = try await installedAlready(pack, as: identifier, store: store) { return present }
            if pack.receiptIsDamaged { return try await repair(identifier, consent: consent) }
        }
        let offer = try await resolve(identifier, store: store)
        return try await outcome(
            of: requests(.install, offer, consent: consent).map { $0.with(priority: priority, rateLimit: rateLimit) })
    }

    /// The status of a task that somebody joins, who may have wishes about it.
    private func changed(_ running: DownloadStatus, priority: Int?, rateLimit: Int?) async -> DownloadStatus {
        if priority == nil, rateLimit == nil { return running }
        // It may have ended meanwhile, and what it was begun for is done.
        let identifier = running.productIdentifier
        return (try? await downloads.change(identifier, priority: priority, rateLimit: rateLimit)) ?? running
    }

    /// What has to be brought in for an offered product to work, and the product itself, last.
    ///
    /// - Parameter action: what is done to the product; all that it needs is installed.
    func requests(
        _ action: OperationAction, _ offer: Offer, consent: Set<Permission>
    ) async throws -> [DownloadRequest] {
        let (needed, prerequisites) = try await needs(
            of: offer.item, preferring: offer.store.definition.name, consent: consent)
        return needed + [try await request(action, offer, consent: consent, prerequisites: prerequisites)]
    }

    /// What a product needs and is not there, in order, and which of it the product itself has to wait for.
    ///
    /// - Parameter store: where that is looked for first.
    private func needs(
        of item: ProductItem, preferring store: String?, consent: Set<Permission>
    ) async throws -> (requests: [DownloadRequest], prerequisites: [String]) {
        let identifier = item.productIdentifier
        let steps = try await InstallPlan.steps(for: identifier) { product in
            if product == identifier { return item.dependencies }
            return try await self.namingDependency(product, of: identifier) {
                try await self.resolve(product, store: nil, preferring: store).item.dependencies
            }
        } isInstalled: { product in
            if try await self.library.pack(of: product) != nil { return true }
            return await self.kinds.isPreinstalled(product)
        }
        var requests: [DownloadRequest] = []
        for step in steps where step.productIdentifier != identifier {
            let needed = step.productIdentifier
            let request = try await namingDependency(needed, of: identifier) {
                try await self.request(
                    .install, resolve(needed, store: nil, preferring: store), consent: consent,
                    prerequisites: step.prerequisites)
            }
            requests.append(request)
        }
        return (requests, steps.last?.prerequisites ?? [])
    }

    /// What stands in the way of a dependency is told with what needs it.
    private func namingDependency<Value: Sendable>(
        _ dependency: String, of identifier: String, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch  where !(error is CancellationError) {
            let cause = ErrorReport(error)
            throw ErrorReport(
                code: cause.code, message: "'\(identifier)' needs '\(dependency)'. \(cause.message)",
                permissions: cause.permissions)
        }
    }

    /// Begins all of them, and tells of the last.
    private func outcome(of requests: [DownloadRequest]) async throws -> Installation {
        for request in requests.dropLast() { _ = try await start(request) }
        return try await outcome(of: requests[requests.count - 1])
    }

    func outcome(of request: DownloadRequest) async throws -> Installation {
        if let installation = try await start(request) { return installation }
        let pack = try await pack(request.product.productIdentifier, languages: [])
        return Installation(present: pack, operation: pack.operation)
    }

    /// Begins a download. From the question whether something else works on the product until the download runs,
    /// nothing else can begin.
    ///
    /// - Throws: `conflict.busy`, and what stands in the way of the download.
    func start(_ request: DownloadRequest) async throws -> Installation? {
        let identifier = request.product.productIdentifier
        // What it needs must not go meanwhile, either.
        let concerned = Set([identifier] + request.product.dependencies)
        for product in concerned { try requireIdle(product) }
        for product in concerned { beginning[product, default: 0] += 1 }
        defer {
            for product in concerned {
                let others = beginning[product, default: 1] - 1
                beginning[product] = others == 0 ? nil : others
            }
        }
        return try await downloads.start(request)
    }

    private func installedAlready(
        _ pack: LibraryPack, as identifier: String, store: String?
    ) async throws -> Installation? {
        guard let origin = pack.origin else { return nil }
        if let store, store != origin.store {
            throw DownloadError(
                .otherStore,
                "'\(identifier)' is installed from the store '\(origin.store)'. "
                    + "Uninstall it first to take it from '\(store)'.")
        }
        if pack.receiptIsDamaged { return nil }
        return Installation(present: try await self.pack(identifier, languages: []), operation: origin.operation)
    }

    /// Checks everything that can be known before a byte is fetched.
    func request(
        _ action: OperationAction, _ offer: Offer, consent: Set<Permission>, prerequisites: [String] = []
    ) async throws -> DownloadRequest {
        let item = offer.item
        if item.withdrawn {
            throw EngineError(
                .productWithdrawn, "'\(item.productIdentifier)' was withdrawn from '\(offer.store.definition.name)'.")
        }
        guard item.defect == nil, let resource = item.resource else {
            throw EngineError(
                .productIncomplete,
                "'\(item.productIdentifier)' can't be installed from '\(offer.store.definition.name)': "
                    + "\(item.defect ?? "the store does not say where its content is"). Tell the publisher.")
        }
        try await requireEntitlement(to: item)
        try await library.checkPlace(of: item.productIdentifier, kind: item.kind, isRepair: action == .repair)
        try await library.requireConsent(
            toAsked: item.permissions, of: item.productIdentifier, kind: item.kind, consent: consent)
        return DownloadRequest(
            operation: OperationID(at: clock.date()), action: action, store: offer.store.definition.name, product: item,
            resource: resource, prerequisites: prerequisites, consent: consent)
    }

    func requireIdle(_ identifier: String) throws(EngineError) {
        guard !busy.contains(identifier) else {
            throw EngineError(
                .productBusy, "Another operation on '\(identifier)' is under way. Try again when it has ended.")
        }
    }

    private func requireEntitlement(to item: ProductItem) async throws {
        guard !item.productPrice.isFree, try await !database.isPurchased(item.productIdentifier) else { return }
        throw EngineError(
            .notPurchased,
            "'\(item.productIdentifier)' costs \(item.productPrice) and is not on the list of purchases. "
                + "Buy it first; 'storectl purchases grant' puts it on the list.")
    }

    /// Installs a ZIP that lies on this machine, as if from an unsigned store.
    ///
    /// - Parameters:
    ///   - path: absolute.
    ///   - consent: what somebody allowed that it, and what it needs, may do.
    ///   - priority: as for ``install(_:store:consent:priority:rateLimit:)``.
    ///   - rateLimit: bytes a second that what it needs may bring, each.
    /// - Throws: `file.unusable`, `archive.…`, `conflict.…`, `consent.needed`; as ``resolve(_:store:)`` for what the pack
    ///   needs and is not installed.
    public func installFile(
        _ path: String, consent: Set<Permission> = [], priority: Int? = nil, rateLimit: Int? = nil
    ) async throws -> Installation {
        let limits = ArchiveLimits(settings)
        let item = try await BlockingWork(label: "engine.file").run { [kinds] in
            try LocalArchive(path, limits: limits, kinds: kinds).product()
        }
        try requireIdle(item.productIdentifier)
        if let running = try await downloads.runningToJoin(item.productIdentifier) {
            return Installation(
                download: await changed(running, priority: priority, rateLimit: rateLimit), joined: true)
        }
        guard let resource = item.resource else {
            throw EngineError(.fileUnusable, "'\(path)' can't be read.")
        }
        if let pack = try await library.packInPlace(of: item.productIdentifier), let origin = pack.origin {
            if origin.archive.sha256 == resource.sha256 {
                return Installation(
                    present: try await self.pack(item.productIdentifier, languages: []), operation: origin.operation)
            }
            guard origin.store == StoreConfiguration.localFiles else {
                throw DownloadError(
                    .otherStore,
                    "'\(item.productIdentifier)' is installed from the store '\(origin.store)'. Uninstall it first.")
            }
        }
        try await library.checkPlace(of: item.productIdentifier, kind: item.kind)
        try await library.requireConsent(
            toAsked: item.permissions, of: item.productIdentifier, kind: item.kind, consent: consent)
        // What it needs comes from the stores.
        let (needed, prerequisites) = try await needs(of: item, preferring: nil, consent: consent)
        let request = DownloadRequest(
            operation: OperationID(at: clock.date()), action: .install, store: StoreConfiguration.localFiles,
            product: item,
            resource: resource, prerequisites: prerequisites, consent: consent)
        return try await outcome(
            of: (needed + [request]).map { $0.with(priority: priority, rateLimit: rateLimit) })
    }

    // MARK: Downloads

    /// What runs, and what ended since the start.
    public func downloadList() async -> [DownloadStatus] { await downloads.all() }

    /// - Throws: `download.unknown`.
    public func download(_ identifier: String) async throws -> DownloadStatus {
        try await downloads.status(of: identifier)
    }

    /// Whether a task gets on, or will, without anybody's doing.
    public func isDownloading() async -> Bool { await downloads.isBusy }

    /// Pauses the task of a product or lets it go on, and changes its place among those that wait; what is `nil` stays as
    /// it is. It holds across restarts. What is unpacked already finishes, whatever is ordered.
    ///
    /// - Throws: `download.unknown`.
    public func changeDownload(
        _ identifier: String, paused: Bool? = nil, priority: Int? = nil, rateLimit: Int? = nil
    ) async throws -> DownloadStatus {
        try await downloads.change(identifier, paused: paused, priority: priority, rateLimit: rateLimit)
    }

    /// Stops the task of a product; returns when it has ended.
    ///
    /// - Throws: `download.unknown`.
    public func cancelDownload(_ identifier: String) async throws -> DownloadStatus {
        try await downloads.cancel(identifier)
    }
}
