import FoundationEssentials
import StoreArchives
import StoreDownloads
import StoreLibrary
public import StoreModel
import StoreSystem

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
    let locks: ProductLocks
    let settings: SettingsManager
    let clock: TimeSource

    /// Installs a product and its dependencies; returns when the downloads are recorded and have begun.
    ///
    /// - Parameters:
    ///   - store: the store to install the product from; `nil` prefers the store of the installed pack, then the store
    ///     of highest priority that offers the product.
    ///   - consent: the permissions that the user grants the product and its dependencies.
    ///   - priority: waiting downloads with a higher priority start first; that of the dependencies is at least as
    ///     high.
    ///   - rateLimit: the maximum number of bytes per second for each download; 0 for no limit. If the request joins a
    ///     running download, `priority` and `rateLimit` are applied to that too; `nil` leaves them unchanged.
    /// - Throws: `store.unknown`, `product.unknown`, `product.withdrawn`, `conflict.several-stores`,
    ///   `store.unavailable`, `consent.needed`, `entitlement.missing`, `product.incomplete`, `dependency.limit`,
    ///   `conflict.other-store`,
    ///   `conflict.by-hand`, `conflict.busy`, `kind.unknown`.
    public func install(
        _ identifier: String, store: String?, consent: Set<Permission> = [], priority: Int? = nil,
        rateLimit: Int? = nil
    ) async throws -> Installation {
        while true {
            let status = try await lookUp(identifier)
            if let running = status.download, store == nil || store == running.store {
                return await join(running, priority: priority, rateLimit: rateLimit)
            }
            if let pack = status.pack, let origin = pack.origin {
                try requireOrigin(origin.store, of: identifier, toBe: store)
                if !pack.receiptIsDamaged {
                    return Installation(present: await packs.installedPack(pack), operation: origin.operation)
                }
            }
            if let pack = status.pack, pack.receiptIsDamaged { return try await repair(pack, consent: consent) }
            var lookup = try await stores.offers(of: store)
            let offer = try await lookup.offer(of: identifier, origin: status.origin)
            let requests = try await requests(.install, offer, status: status, consent: consent)
                .map { $0.with(priority: priority, rateLimit: rateLimit) }
            if var installation = try await begin(requests) {
                if !lookup.warnings.isEmpty { installation.warnings = lookup.warnings }
                return installation
            }
            // A download of the product ended in the meantime, so that the status is out of date.
        }
    }

    /// Installs a ZIP file of this machine as a product, as if it came from an unsigned store.
    ///
    /// Hidden files in it, which reject the archive of a store, are left out; the result names them.
    ///
    /// - Parameters:
    ///   - path: the absolute path of the file.
    ///   - consent: the permissions that the user grants the product and its dependencies.
    ///   - priority: as for ``install(_:store:consent:priority:rateLimit:)``.
    ///   - rateLimit: the maximum number of bytes per second for the download of each dependency.
    /// - Throws: `file.unusable`, `archive.…`, `conflict.…`, `consent.needed`; for the dependencies as
    ///   ``install(_:store:consent:priority:rateLimit:)``.
    public func install(
        file path: String, consent: Set<Permission> = [], priority: Int? = nil, rateLimit: Int? = nil
    ) async throws -> Installation {
        let limits = ArchiveLimits(settings.current)
        let (item, resource, leftOut) = try await BlockingWork(label: "engine.file").run { [kinds] in
            try LocalArchive(path, limits: limits, kinds: kinds).product()
        }
        while true {
            let status = try await lookUp(item.productIdentifier)
            if let running = status.download { return await join(running, priority: priority, rateLimit: rateLimit) }
            if let pack = status.pack, let origin = pack.origin {
                if origin.archive.sha256 == resource.sha256 {
                    return Installation(present: await packs.installedPack(pack), operation: origin.operation)
                }
                try requireOrigin(origin.store, of: item.productIdentifier, toBe: Receipt.localFiles)
            }
            try await check(item, .install, status, consent: consent)
            let (dependencies, prerequisites) = try await dependencies(of: item, preferring: nil, consent: consent)
            let request = DownloadRequest(
                operation: OperationID(at: clock.date()), action: .install, store: Receipt.localFiles,
                product: item, resource: resource, prerequisites: prerequisites, consent: consent)
            let requests = (dependencies + [request]).map { $0.with(priority: priority, rateLimit: rateLimit) }
            if var installation = try await begin(requests) {
                installation.leftOut = leftOut.isEmpty ? nil : leftOut
                return installation
            }
        }
    }

    private func requireOrigin(_ origin: String, of identifier: String, toBe store: String?) throws {
        guard let store, store != origin else { return }
        throw StoreError(.otherStoreInstalled, ["product": identifier, "store": origin, "requested": store])
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
    /// - Parameter action: the action for the product; its dependencies are installed.
    func requests(
        _ action: OperationAction, _ offer: ProductOffer, status: ProductStatus, consent: Set<Permission>
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
    private func dependencies(
        of item: ProductItem, preferring store: String?, consent: Set<Permission>
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
            if try await library.pack(of: product) != nil { return true }
            return await kinds.isPreinstalled(product)
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
                        .install, offer, status: status, consent: consent, prerequisites: step.prerequisites)
                })
        }
        return (requests, steps.last?.prerequisites ?? [])
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
    func request(
        _ action: OperationAction, _ offer: ProductOffer, status: ProductStatus, consent: Set<Permission>,
        prerequisites: [String] = []
    ) async throws -> DownloadRequest {
        let item = offer.item
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
            resource: resource, prerequisites: prerequisites, consent: consent)
    }

    private func check(
        _ item: ProductItem, _ action: OperationAction, _ status: ProductStatus, consent: Set<Permission>
    ) async throws {
        try await library.requireInstallable(
            item.productIdentifier, kind: item.kind, permissions: item.permissions, consent: consent,
            present: status.pack, isRepair: action == .repair)
    }

    // MARK: Beginning

    /// Begins the downloads that an installation consists of, and returns a description of the last one.
    ///
    /// No exclusive operation on one of the products or its dependencies can begin until the downloads run.
    ///
    /// - Returns: `nil` if a download of the last product ended since its status was looked up.
    /// - Throws: `conflict.busy`; the errors of beginning a download.
    func begin(_ requests: [DownloadRequest]) async throws -> Installation? {
        let products = requests.flatMap { [$0.product.productIdentifier] + $0.product.dependencies }
        return try await locks.shared(Set(products)) {
            var last: Installation?
            for request in requests { last = try await downloads.start(request) }
            return last
        }
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
