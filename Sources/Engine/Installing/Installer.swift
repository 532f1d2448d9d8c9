import FoundationEssentials
import StoreArchives
import StoreDownloads
import StoreLibrary
public import StoreModel
public import StoreSystem
import StoreWorker

/// The part of the engine that starts the installation of products.
///
/// An installation is checked as far as possible before anything is fetched, then the missing dependencies are found,
/// and the downloads are started.
public struct Installer: Sendable {
    let downloads: DownloadsManager
    let library: Library
    let stores: StoreRegistry
    let purchases: Purchases
    let history: OperationHistory
    let packs: PackLister
    let kinds: ContentKinds
    let worker: WorkerService
    let locks: ProductLocks
    let settings: SettingsManager
    let clock: TimeSource

    /// Installs a product and its dependencies; returns when the downloads are recorded and have begun.
    ///
    /// - Parameters:
    ///   - store: the store to install the product from; `nil` prefers the store of the installed pack, then the store
    ///     of highest priority that offers the product.
    ///   - consent: the permissions that the user grants to the product and to its dependencies.
    ///   - agreed: the ``StoreModel/ChangePlan/agreement`` of the plan that the user agreed to: nothing else is begun.
    ///     `nil` begins whatever is needed.
    ///   - priority: waiting downloads with a higher priority start first; that of the dependencies is at least as
    ///     high.
    ///   - rateLimit: the maximum number of bytes per second for each download; 0 for no limit. If the request joins a
    ///     running download, `priority` and `rateLimit` are applied to that too; `nil` leaves them unchanged.
    /// - Throws: `store.unknown`, `product.unknown`, `product.withdrawn`, `conflict.several-stores`,
    ///   `store.unavailable`, `consent.needed`, `entitlement.missing`, `product.incomplete`, `dependency.limit`,
    ///   `conflict.other-store`, `conflict.plan-changed`,
    ///   `conflict.by-hand`, `conflict.busy`, `kind.unknown`.
    public func install(
        _ identifier: String, store: String?, consent: Consent = [], agreed: Set<String>? = nil, priority: Int? = nil,
        rateLimit: Int? = nil
    ) async throws -> Installation {
        while true {
            var offers: OfferLookup?
            let preparation = try await prepare(identifier, store: store, consent: consent, offers: &offers)
            if let installation = try await carryOut(
                preparation, consent: consent, agreed: agreed, priority: priority, rateLimit: rateLimit)
            {
                return installation
            }
            // A download of the product ended in the meantime, or a dependency was uninstalled: the preparation is out of date.
        }
    }

    /// Installs a ZIP file of this machine as a product, as if it came from an unsigned store.
    ///
    /// Hidden files in it, which reject the archive of a store, are left out; the result names them. The file is copied
    /// first, so that it does not matter what becomes of it, unless the pack has to be repaired.
    ///
    /// - Parameters:
    ///   - path: the absolute path of the file.
    ///   - file: the file, if the client has opened it, perhaps because its path leads to another one here, or to none;
    ///     `nil` opens the one at the path.
    ///   - consent: the permissions that the user grants to the product and to its dependencies.
    ///   - agreed: as for ``install(_:store:consent:agreed:priority:rateLimit:)``.
    ///   - priority: as for ``install(_:store:consent:agreed:priority:rateLimit:)``.
    ///   - rateLimit: the maximum number of bytes per second for the download of each dependency.
    /// - Throws: `file.unusable`, `archive.…`, `space.download-limit`, `space.disk-full`, `conflict.…`, `consent.needed`;
    ///   `CancellationError` while the file is copied; for the dependencies as
    ///   ``install(_:store:consent:agreed:priority:rateLimit:)``.
    public func install(
        file path: String, opened file: OpenFile? = nil, consent: Consent = [], agreed: Set<String>? = nil,
        priority: Int? = nil, rateLimit: Int? = nil
    ) async throws -> Installation {
        let local = try await copyArchive(path, opened: file)
        return try await install(
            local, consent: consent, agreed: agreed, priority: priority, rateLimit: rateLimit)
    }

    /// Installs the product that was read from a ZIP file of this machine, and discards the copy that no download has.
    func install(
        _ local: Local, consent: Consent = [], agreed: Set<String>? = nil, priority: Int? = nil, rateLimit: Int? = nil
    ) async throws -> Installation {
        do {
            while true {
                let preparation = try await prepare(local, consent: consent)
                guard
                    let installation = try await carryOut(
                        preparation, consent: consent, agreed: agreed, priority: priority, rateLimit: rateLimit)
                else { continue }
                if let copy = local.copy, installation.download?.operation != copy.operation {
                    await downloads.discard(copy)
                }
                return installation
            }
        } catch {
            if let copy = local.copy { await downloads.discard(copy) }
            throw error
        }
    }

    /// Carries out what was found to be needed for an installation.
    ///
    /// - Returns: `nil` if a download of the product ended, or a dependency was uninstalled, since that was found.
    func carryOut(
        _ preparation: Preparation, consent: Consent, agreed: Set<String>?, priority: Int?, rateLimit: Int?
    ) async throws -> Installation? {
        switch preparation {
        case .join(let running):
            try await downloads.setRequested(running.productIdentifier)
            return await join(running, priority: priority, rateLimit: rateLimit)
        case .present(let pack, let origin):
            if origin.asDependency { try await library.setRequested(pack.productIdentifier) }
            return Installation(present: await packs.installedPack(pack), operation: origin.operation)
        case .repair(let pack):
            return try await repair(pack, consent: consent, agreed: agreed)
        case .begin(let downloads):
            let downloads = downloads.with(priority: priority, rateLimit: rateLimit)
            return try await begin(downloads.requests, agreed: agreed).map(downloads.describing)
        }
    }

    // MARK: Looking up

    /// Returns the running download and the installed pack of a product, before a request about it is carried out.
    ///
    /// Waits for the end of a download that is being cancelled.
    ///
    /// - Throws: `conflict.busy`; a file error.
    func lookUp(_ identifier: String) async throws -> ProductStatus {
        try locks.requireFree(identifier)
        let download = try await downloads.runningToJoin(identifier)
        return ProductStatus(
            productIdentifier: identifier, download: download, pack: try await library.packInPlace(of: identifier))
    }

    private func join(_ running: DownloadStatus, priority: Int?, rateLimit: Int?) async -> Installation {
        guard priority != nil || rateLimit != nil else { return Installation(download: running, joined: true) }
        // The download may have ended in the meantime, and then neither change is needed.
        let changed = try? await downloads.change(
            running.productIdentifier, priority: priority, rateLimit: rateLimit)
        return Installation(download: changed ?? running, joined: true)
    }

    // MARK: Planning

    /// Returns the download requests for an offered product and its missing dependencies, the product's own last.
    ///
    /// - Parameters:
    ///   - action: the action for the product; its dependencies are installed.
    ///   - consent: the permissions that the user grants; `nil` for a plan, which needs no consent.
    func requests(
        _ action: OperationAction, _ offer: ProductOffer, status: ProductStatus, consent: Consent?
    ) async throws -> [DownloadRequest] {
        let (dependencies, prerequisites) = try await dependencies(
            of: offer.item, preferring: offer.store, consent: consent)
        return dependencies
            + [try await request(action, offer, status: status, consent: consent, prerequisites: prerequisites)]
    }

    /// Returns the download requests for a product's missing dependencies, in the order of installation.
    ///
    /// - Parameter store: the store in which the dependencies are searched first.
    /// - Returns: the requests, and the dependencies that the product's own installation has to wait for.
    func dependencies(
        of item: ProductItem, preferring store: String?, consent: Consent?
    ) async throws -> (requests: [DownloadRequest], prerequisites: [String]) {
        let identifier = item.productIdentifier
        if item.dependencies.isEmpty { return ([], []) }
        var lookup = OfferLookup(stores: stores)
        var offers: [String: ProductOffer] = [:]
        let steps = try await InstallPlan.steps(
            for: identifier, limits: InstallPlan.Limits(settings.current)
        ) { product in
            if product == identifier { return item.dependencies }
            let offer = try await naming(dependency: product, of: identifier) {
                try await lookup.offer(of: product, origin: store)
            }
            offers[product] = offer
            return offer.item.dependencies
        } isInstalled: { product in
            try await isInstalled(product)
        }
        var requests: [DownloadRequest] = []
        for step in steps {
            guard let offer = offers[step.productIdentifier] else { continue }
            // The plan contains only dependencies that are not installed; a running download is joined when the
            // installation begins.
            let status = ProductStatus(productIdentifier: step.productIdentifier, download: nil, pack: nil)
            requests.append(
                try await naming(dependency: step.productIdentifier, of: identifier) {
                    try await request(
                        .install, offer, status: status, consent: consent, prerequisites: step.prerequisites,
                        asDependency: true)
                })
        }
        return (requests, steps.last?.prerequisites ?? [])
    }

    /// Returns whether a dependency is installed, or came with the chat application.
    private func isInstalled(_ dependency: String) async throws -> Bool {
        if try await library.pack(of: dependency) != nil { return true }
        return await kinds.isPreinstalled(dependency)
    }

    /// Runs `body`, and adds to errors the product whose dependency was being processed.
    ///
    /// - Parameters:
    ///   - dependency: the identifier of the dependency.
    ///   - identifier: the identifier of the product that needs it.
    private func naming<Value>(
        dependency: String, of identifier: String, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch  where !(error is CancellationError) {
            throw StoreError(.dependencyContext, ["product": identifier, "dependency": dependency], cause: error)
        }
    }

    /// Returns the request to download one offered product, after all checks that are possible before the download.
    ///
    /// - Parameter asDependency: whether the product is only downloaded because another one needs it.
    func request(
        _ action: OperationAction, _ offer: ProductOffer, status: ProductStatus, consent: Consent?,
        prerequisites: [String] = [], asDependency: Bool = false
    ) async throws -> DownloadRequest {
        let item = offer.item
        // What is installed already stays usable, and can be repaired: its hashes are known.
        if let refusal = offer.refusal, action != .repair { throw refusal }
        if item.withdrawn {
            throw StoreError(.productGone, ["product": item.productIdentifier, "store": offer.store])
        }
        if let defect = item.defect {
            throw StoreError(
                .defectiveProduct,
                ["product": item.productIdentifier, "store": offer.store, "reason": .untrusted(defect)])
        }
        guard let resource = item.resource else {
            throw StoreError(.noContentAddress, ["product": item.productIdentifier, "store": offer.store])
        }
        try await purchases.requireEntitlement(to: item)
        try await check(item, action, status, consent: consent)
        return DownloadRequest(
            operation: OperationID(at: clock.date()), action: action, store: offer.store, product: item,
            resource: resource, prerequisites: prerequisites,
            consent: consent?.permissions(of: item.productIdentifier) ?? [], asDependency: asDependency,
            replacing: status.pack?.origin?.operation)
    }

    func check(
        _ item: ProductItem, _ action: OperationAction, _ status: ProductStatus, consent: Consent?
    ) async throws {
        try await library.requireInstallable(
            item.productIdentifier, kind: item.kind, permissions: item.permissions,
            consent: consent?.permissions(of: item.productIdentifier), present: status.pack,
            isRepair: action == .repair)
    }

    // MARK: Beginning

    /// Begins the downloads that an installation consists of, and returns a description of the last one.
    ///
    /// No exclusive operation on one of the products or its dependencies can begin until the downloads run.
    ///
    /// - Parameter agreed: the identifiers of the plan's steps that the user agreed to; `nil` allows all requests.
    /// - Returns: `nil` if the last product has another version than when its status was looked up, or if a dependency was
    ///   uninstalled since the requests were made.
    /// - Throws: `conflict.busy`; `conflict.plan-changed`, before any download has begun; the errors of beginning a
    ///   download.
    func begin(_ requests: [DownloadRequest], agreed: Set<String>? = nil) async throws -> Installation? {
        let products = try lockProducts(of: requests, agreed: agreed)
        defer { locks.unlock(products) }
        guard try await haveDependencies(requests) else { return nil }
        return try await downloads.start([requests])[0].get()
    }

    /// Returns whether each dependency of the products of downloads is among these products or installed.
    ///
    /// It is asked when the products are locked: before, a dependency may have been uninstalled that was installed when the
    /// requests were made. A repair does not need its pack's dependencies.
    func haveDependencies(_ requests: [DownloadRequest]) async throws -> Bool {
        let products = Set(requests.map(\.product.productIdentifier))
        let dependencies = Set(requests.filter { $0.action != .repair }.flatMap(\.product.dependencies))
        for dependency in dependencies.subtracting(products) where try await !isInstalled(dependency) { return false }
        return true
    }

    /// Takes the shared lock on the products of downloads and on their dependencies, which the caller releases.
    ///
    /// - Parameter agreed: the identifiers of the plan's steps that the user agreed to; `nil` allows all requests.
    /// - Throws: `conflict.busy`; `conflict.plan-changed`.
    func lockProducts(of requests: [DownloadRequest], agreed: Set<String>?) throws -> Set<String> {
        if let agreed {
            for request in requests where try !agreed.contains(request.stepIdentifier()) {
                throw StoreError(.planChanged, ["product": request.product.productIdentifier])
            }
        }
        let products = Set(requests.flatMap { [$0.product.productIdentifier] + $0.product.dependencies })
        try locks.lock(products)
        return products
    }
}

/// The running download and the installed pack of one product, looked up once at the start of a request.
struct ProductStatus: Sendable {
    let productIdentifier: String
    /// The status of the product's running download; `nil` if none runs.
    let download: DownloadStatus?
    /// The pack in the product's directory, whether installed or placed by hand; `nil` if there is none.
    let pack: LibraryPack?

    /// The name of the store that the product was installed from.
    ///
    /// `nil` if the product is not installed, or if its pack was placed by hand.
    var origin: String? { pack?.origin?.store }
}
