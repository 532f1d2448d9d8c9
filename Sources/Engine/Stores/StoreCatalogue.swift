import FoundationEssentials
import StoreCatalogue
import StoreModel
import StoreSettings
import StoreSystem
import StoreTransfers

/// The catalogue of one added store: the copy in the cache, its age, and its renewal over the network.
actor StoreCatalogue {
    nonisolated let configuration: StoreConfiguration
    private let source: CatalogueSource
    private let directory: Directory
    private let clock: TimeSource
    private(set) var catalogue: Catalogue?
    private(set) var refreshedAt: Date?
    private(set) var error: ErrorReport?
    private var loading: Task<Void, Never>?
    private var running: Task<Catalogue, any Error>?

    /// The name of an empty file in the cache, whose modification time is when the catalogue was last known to be
    /// current.
    private static let refreshedFile = "refreshed"

    /// Creates the catalogue of a store; nothing is read before the first use.
    ///
    /// - Parameters:
    ///   - scope: the scope of the store, which its first response decides where it is not known.
    ///   - caches: the directory that holds one directory of fetched documents for each store.
    init(
        _ configuration: StoreConfiguration, scope: StoreScope, caches: Directory, transfers: any Transferring,
        credentials: StoreCredentials, addresses: StoreAddresses, settings: Settings, clock: TimeSource
    ) throws {
        self.configuration = configuration
        self.clock = clock
        directory = try caches.createDirectory(configuration.name)
        let fetcher = CatalogueFetcher(
            transfers: transfers, timeouts: TransferTimeouts(settings), retry: RetryPolicy(settings),
            authorization: { credentials.authorization(for: configuration.name, at: $0) },
            addresses: { _ in addresses.policy(in: scope) }, didRespond: { scope.record($0) })
        source = CatalogueSource(
            url: configuration.url, cache: CatalogueCache(directory: directory), fetcher: fetcher,
            limits: CatalogueLimits(documentSize: settings.catalogueMaximumSize))
    }

    /// Returns the cached catalogue without network access; `nil` where none was ever fetched.
    func cached() async -> Catalogue? {
        let loading = loading ?? load()
        await loading.value
        return catalogue
    }

    private func load() -> Task<Void, Never> {
        let task = Task {
            catalogue = await source.cached()
            if catalogue != nil { refreshedAt = (try? directory.status(of: Self.refreshedFile))?.modifiedAt }
        }
        loading = task
        return task
    }

    /// Returns the catalogue, and fetches it first where the cached one is older than `age`.
    ///
    /// Calls at the same time share one fetch.
    ///
    /// - Parameter changed: called where the fetched catalogue differs from the previous one.
    /// - Throws: the error of fetching or reading the catalogue; the previous catalogue stays.
    func refresh(ifOlderThan age: Duration, changed: @escaping @Sendable () -> Void) async throws -> Catalogue {
        let known = await cached()
        if let running { return try await running.value }
        if let known, let refreshedAt {
            // A time in the future was recorded before the clock was set back; the catalogue may be of any age.
            let past = clock.date().timeIntervalSince(refreshedAt)
            if past >= 0, past < age.seconds { return known }
        }
        let task = Task { try await fetch(known, changed: changed) }
        running = task
        defer { running = nil }
        return try await task.value
    }

    private func fetch(_ known: Catalogue?, changed: @Sendable () -> Void) async throws -> Catalogue {
        do {
            let refreshed = try await source.refresh(previous: known)
            catalogue = refreshed.catalogue
            refreshedAt = clock.date()
            error = nil
            try? directory.replace(Self.refreshedFile, with: Data())
            if refreshed.changed { changed() }
            return refreshed.catalogue
        } catch {
            self.error = ErrorReport(error)
            throw error
        }
    }

    /// Returns the description of the store for lists.
    func summary() async -> StoreSummary {
        let catalogue = await cached()
        return StoreSummary(
            name: configuration.name, url: configuration.url, unsigned: configuration.unsigned,
            priority: configuration.priority,
            refreshedAt: refreshedAt, products: catalogue?.products.count ?? 0, error: error)
    }
}
