import FoundationEssentials
import StoreCatalogue
import StoreModel
import StoreSettings
import StoreSystem
import StoreTransfers

/// One store that is used: its catalogue as it was last fetched, and how old that is.
actor StoreCatalogue {
    nonisolated let definition: StoreConfiguration
    private let source: CatalogueSource
    private let folder: Directory
    private let clock: TimeSource
    private(set) var catalogue: Catalogue?
    private(set) var refreshedAt: Date?
    private(set) var error: ErrorReport?
    private var loading: Task<Void, Never>?
    private var running: Task<Catalogue, any Error>?

    /// When the catalogue was last known to be current, as the time of an empty file in the cache.
    private static let mark = "refreshed"

    /// - Parameter caches: where the folders of all stores are that hold what was fetched.
    init(
        _ definition: StoreConfiguration, caches: Directory, transfers: any Transferring, credentials: StoreCredentials,
        settings: Settings, clock: TimeSource
    ) throws {
        self.definition = definition
        self.clock = clock
        folder = try caches.createDirectory(definition.name)
        let fetcher = CatalogueFetcher(
            transfers: transfers, timeouts: TransferTimeouts(settings), retry: RetryPolicy(settings)
        ) { credentials.authorization(for: definition.name, at: $0) }
        source = CatalogueSource(
            url: definition.url, cache: CatalogueCache(directory: folder), fetcher: fetcher,
            limits: CatalogueLimits(documentSize: settings.catalogueMaximumSize))
    }

    /// The catalogue without any network; `nil` where none was ever fetched.
    func cached() async -> Catalogue? {
        let loading = loading ?? load()
        await loading.value
        return catalogue
    }

    private func load() -> Task<Void, Never> {
        let begun = Task {
            catalogue = await source.cached()
            if catalogue != nil { refreshedAt = (try? folder.status(of: Self.mark))?.modifiedAt }
        }
        loading = begun
        return begun
    }

    /// The catalogue, fetched again where it is older than `age`. Who asks while it is being fetched waits for that.
    ///
    /// - Parameter changed: called where the store has another catalogue than before.
    /// - Throws: why it can't be fetched; what was fetched before stays.
    func refresh(ifOlderThan age: Duration, changed: @escaping @Sendable () -> Void) async throws -> Catalogue {
        let known = await cached()
        if let running { return try await running.value }
        if let known, let refreshedAt {
            // One from the future was fetched before the clock was put back, and may be of any age.
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
            try? folder.replace(Self.mark, with: Data())
            if refreshed.changed { changed() }
            return refreshed.catalogue
        } catch {
            self.error = ErrorReport(error)
            throw error
        }
    }

    /// As lists show it.
    func record() async -> StoreSummary {
        let catalogue = await cached()
        return StoreSummary(
            name: definition.name, url: definition.url, unsigned: definition.unsigned, priority: definition.priority,
            refreshedAt: refreshedAt, products: catalogue?.products.count ?? 0, error: error)
    }
}
