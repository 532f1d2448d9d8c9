import FoundationEssentials
import StoreCatalogue
import StoreModel
import StoreSettings
import StoreSystem
import StoreTransfers

/// The catalogue of one store that the user added: the cached copy, its age, and its renewal over the network.
actor StoreCatalogue {
    nonisolated let configuration: StoreConfiguration
    /// Whether the store is at a local address, which decides to where its requests may connect.
    nonisolated let scope: StoreScope
    /// What is trusted of the store; `nil` for an unsigned store.
    nonisolated let trust: StoreTrustState?
    /// The check whether the store is signed now; `nil` for a signed store.
    private nonisolated let probe: SignatureProbe?
    private let makeSource: @Sendable (Settings) -> any CatalogueProviding
    private var source: any CatalogueProviding
    private var trustLimits: StoreTrustVerdict.Limits
    private let directory: Directory
    private let publisher: StatePublisher
    private nonisolated let clock: TimeSource
    private var limits: CatalogueLimits
    private var refreshTimeout: Duration
    private(set) var catalogue: Catalogue?
    private(set) var refreshedAt: Date?
    private(set) var error: ErrorReport?
    private var loading: Task<Void, Never>?
    /// The fetch in progress, with its beginning and the callers that wait for its result.
    private var running: (since: ContinuousClock.Instant, waiters: [Promise<Result<Catalogue, any Error>>])?

    /// The name of the file in the cache that records when the catalogue was last known to be current, as JSON.
    ///
    /// The file's modification time would be that of another clock: later than the recorded time, and not a scenario's.
    private static let refreshedFile = "refreshed"

    /// Creates the catalogue of a store; nothing is read before the first use.
    ///
    /// - Parameters:
    ///   - scope: the scope of the store, which its first response decides where it is not known.
    ///   - trust: what is trusted of the store; `nil` for an unsigned store.
    ///   - caches: the directory that holds one directory of fetched documents for each store.
    init(
        _ configuration: StoreConfiguration, scope: StoreScope, trust: StoreTrustState?, caches: Directory,
        transfers: any Transferring,
        credentials: StoreCredentials, addresses: StoreAddresses, settings: Settings, publisher: StatePublisher,
        clock: TimeSource
    ) throws {
        self.configuration = configuration
        self.scope = scope
        self.trust = trust
        self.publisher = publisher
        self.clock = clock
        let directory = try caches.createDirectory(configuration.name)
        self.directory = directory
        probe = trust == nil ? SignatureProbe(directory: directory, url: configuration.url) : nil
        let cache = CatalogueCache(directory: directory)
        let makeSource: @Sendable (Settings) -> any CatalogueProviding = { settings in
            let fetcher = CatalogueFetcher(
                configuration, scope: scope, transfers: transfers, credentials: credentials, addresses: addresses,
                settings: settings)
            let limits = CatalogueLimits(settings)
            guard let trust else {
                return CatalogueSource(url: configuration.url, cache: cache, fetcher: fetcher, limits: limits)
            }
            return SignedCatalogueSource(
                store: configuration.name, url: configuration.url, state: trust, cache: directory, documents: fetcher,
                limits: limits, clock: clock)
        }
        self.makeSource = makeSource
        source = makeSource(settings)
        limits = CatalogueLimits(settings)
        refreshTimeout = settings.catalogueRefreshTimeout
        trustLimits = StoreTrustVerdict.Limits(settings)
    }

    /// Applies changed settings, such as timeouts, to all later fetches.
    ///
    /// A fetch in progress ends with the settings with which it began: another one beside it would do its work twice. If
    /// the limits of a catalogue are others, the cached one is read again by them.
    func apply(_ settings: Settings) {
        source = makeSource(settings)
        refreshTimeout = settings.catalogueRefreshTimeout
        trustLimits = StoreTrustVerdict.Limits(settings)
        guard limits != CatalogueLimits(settings) else { return }
        limits = CatalogueLimits(settings)
        (catalogue, loading) = (nil, nil)
    }

    /// Returns the store's cached catalogue without network access; `nil` if none was ever fetched.
    func cached() async -> Catalogue? {
        let loading = loading ?? load()
        await loading.value
        return catalogue
    }

    private func load() -> Task<Void, Never> {
        let task = Task {
            let cached = await source.cached()
            // A fetch may have ended meanwhile.
            if catalogue == nil { catalogue = cached }
            if catalogue != nil {
                refreshedAt = (try? directory.read(Self.refreshedFile, limit: 1 << 10)).flatMap {
                    try? JSON.decode(from: $0)
                }
            }
        }
        loading = task
        return task
    }

    /// Returns the store's catalogue, and fetches it first if the cached one is older than `age`.
    ///
    /// Calls at the same time share one fetch. It goes on when the callers no longer wait, so that the next call finds
    /// its result.
    ///
    /// - Parameters:
    ///   - limit: the maximum time to wait for the fetch, counted from its beginning; `nil` waits for its end.
    ///   - changed: called where the fetched catalogue differs from the previous one.
    /// - Throws: `store.slow` where the fetch takes longer; the error of fetching or reading the catalogue; the previous
    ///   catalogue stays. `CancellationError`.
    func refresh(
        ifOlderThan age: Duration, within limit: Duration? = nil, changed: @escaping @Sendable () -> Void
    ) async throws -> Catalogue {
        let known = await cached()
        if running == nil, let known, let refreshedAt, verdict()?.refusal == nil {
            // A time in the future was recorded before the clock was set back; the catalogue may be of any age.
            let past = clock.date().timeIntervalSince(refreshedAt)
            if past >= 0, past < age.seconds { return known }
        }
        let since = running?.since ?? clock.now()
        if running == nil {
            Task { await fetch(known, changed: changed) }
            running = (since, [])
        }
        let end = Promise<Result<Catalogue, any Error>>()
        guard let limit else {
            running?.waiters.append(end)
            return try await end.value().get()
        }
        let slow = StoreError(.storeSlow, ["store": configuration.name, "limit": limit])
        let remaining = limit - (clock.now() - since)
        guard remaining > .zero else { throw slow }
        running?.waiters.append(end)
        return try await clock.withDeadline(remaining, "store \(configuration.name)", error: slow) {
            try await end.value()
        }.get()
    }

    /// Fetches the catalogue, and passes the result to all callers that wait for it.
    private func fetch(_ known: Catalogue?, changed: @Sendable () -> Void) async {
        let result: Result<Catalogue, any Error>
        do {
            let late = StoreError(.storeTooSlow, ["store": configuration.name, "limit": refreshTimeout])
            let refreshed = try await clock.withDeadline(
                refreshTimeout, "catalogue \(configuration.name)", error: late
            ) { [source] in try await source.refresh(previous: known) }
            catalogue = refreshed.catalogue
            let now = clock.date()
            refreshedAt = now
            error = nil
            // Not synced: if the time is lost in a power failure, the next request asks the store once more; if only the catalogue
            // is lost, the one before it is used until it is too old.
            try? directory.replaceUnsynced(Self.refreshedFile, with: JSON.encode(now))
            if refreshed.changed { changed() }
            // Before anyone uses the catalogue, so that events are in the order of cause and effect.
            await publisher.publish(refreshed.changed ? .catalogues : .stores)
            result = .success(refreshed.catalogue)
        } catch {
            self.error = ErrorReport(error)
            await publisher.publish(.stores)
            result = .failure(error)
        }
        let waiters = running?.waiters ?? []
        running = nil
        for waiter in waiters { waiter.keep(result) }
    }

    // MARK: Trust

    /// Checks whether the store, which was added without a signature, publishes signed metadata now.
    nonisolated func checkForSignature(with documents: any DocumentFetching) async {
        await probe?.check(with: documents, at: clock.date())
    }

    /// Returns whether products of the store may be installed now; `nil` for an unsigned store.
    ///
    /// - Parameter failure: why the catalogue that is about to be used could not be refreshed; `nil` if it was, or if the
    ///   last refresh decides.
    func verdict(after failure: ErrorReport? = nil) -> StoreTrustVerdict? {
        guard let trust else { return nil }
        let now = trust.time(clock.date())
        trust.observe(now, limit: trustLimits.refuse)
        // A request that did not wait does not know what a refresh before it has found.
        let error = [failure, error].compactMap { $0 }.first(where: \.isTrustFailure)
        return StoreTrustVerdict(
            store: configuration.name, record: trust.record, error: error, now: now, limits: trustLimits)
    }

    /// Returns the description of the catalogue's store for lists.
    func summary() async -> StoreSummary {
        let catalogue = await cached()
        return StoreSummary(
            name: configuration.name, url: configuration.url, unsigned: configuration.unsigned,
            priority: configuration.priority,
            refreshedAt: refreshedAt, products: catalogue?.products.count ?? 0,
            withdrawn: catalogue.flatMap { $0.products.withdrawn == 0 ? nil : $0.products.withdrawn }, error: error,
            signature: trust.flatMap { StoreSignature($0.record) },
            signatureAvailable: await probe?.isAvailable ?? false)
    }
}
