public import FoundationEssentials
import StoreCatalogue
import StoreDownloads
import StoreEvents
public import StoreModel
import StoreSystem
import StoreTransfers

/// The part of the engine that manages the stores that the user added, with their catalogues and credentials.
///
/// The list is the file `stores.json` in the configuration directory. Each store's catalogue is in the cache directory,
/// and is fetched again when it is older than a setting allows.
public actor StoreRegistry {
    private let configuration: Directory
    private let catalogues: Directory
    private let credentials: StoreCredentials
    private let addresses: StoreAddresses
    private let images: ProductImageLoader
    private let transfers: any Transferring
    private let settings: SettingsManager
    private let events: EventBus
    private let publisher: StatePublisher
    private let clock: TimeSource
    private var stores: [StoreCatalogue] { didSet { announceScopes() } }

    /// Reads the list of the stores that the user added, and begins to read their catalogues from the cache.
    ///
    /// - Throws: `store.malformed-list`, or a file error.
    init(
        _ directories: HomeDirectories, credentials: StoreCredentials, addresses: StoreAddresses,
        images: ProductImageLoader, transfers: any Transferring, settings: SettingsManager, events: EventBus,
        publisher: StatePublisher,
        clock: TimeSource
    ) throws {
        configuration = directories.config
        catalogues = directories.catalogues
        self.credentials = credentials
        self.addresses = addresses
        self.images = images
        self.transfers = transfers
        self.settings = settings
        self.events = events
        self.publisher = publisher
        self.clock = clock
        stores = try StoreConfigurationFile(directory: configuration).read().map {
            try StoreCatalogue(
                $0, scope: StoreScope($0), caches: directories.catalogues, transfers: transfers,
                credentials: credentials, addresses: addresses, settings: settings.current, publisher: publisher,
                clock: clock)
        }
        addresses.set(Self.scopes(of: stores))
        // Reading the catalogues takes as long as reading the library, and the first request for a list needs both.
        for store in stores { Task { await store.cached() } }
    }

    // MARK: The list

    /// Returns descriptions of the stores that the user added, in descending order of priority.
    public func list() async -> [StoreSummary] {
        var summaries: [StoreSummary] = []
        for store in stores { summaries.append(await store.summary()) }
        return summaries.sorted { ($1.priority, $0.name) < ($0.priority, $1.name) }
    }

    /// Returns the description of one store that the user added.
    ///
    /// - Throws: `store.unknown`.
    public func store(_ name: String) async throws -> StoreSummary { try await added(name).summary() }

    /// The number of stores that the user added.
    var count: Int { stores.count }

    /// Returns whether the user added a store with a name.
    func contains(_ name: String) -> Bool { stores.contains { $0.configuration.name == name } }

    /// Returns the names of the added stores that references in messages name by a key, in descending order of priority.
    func names(of key: StoreKey) -> [String] {
        stores.map(\.configuration).filter { $0.keys.contains(key) }
            .sorted { ($1.priority, $0.name) < ($0.priority, $1.name) }.map(\.name)
    }

    /// Returns the key of a store for new references in messages; `nil` if the user has not added the store.
    func key(of name: String) -> StoreKey? {
        stores.first { $0.configuration.name == name }?.configuration.keys.first
    }

    private func added(_ name: String) throws -> StoreCatalogue {
        guard let store = stores.first(where: { $0.configuration.name == name }) else {
            throw StoreError(.noSuchStore, ["store": name])
        }
        return store
    }

    /// Adds a store after fetching its catalogue.
    ///
    /// If the store was added before, those of its priority and credentials are changed that are given.
    ///
    /// - Parameters:
    ///   - url: the URL of the store's directory or of its catalogue.
    ///   - unsigned: whether to accept a store whose catalogue is not signed.
    ///   - priority: if several stores offer a product, the store with the highest priority is used. `nil` is 0 for a new
    ///     store, and leaves the priority of one that was added before.
    ///   - token: the bearer token to send to the store, saved for later starts; `nil` leaves the present one.
    ///   - netrc: whether to send user and password from the user's `.netrc`; `nil` leaves that as it is, unless there is
    ///     a token.
    /// - Throws: `store.bad-name`, `store.bad-address`, `store.bad-credentials`, `conflict.store-exists`,
    ///   `store.unsigned`, the errors of fetching and reading a catalogue, and `space.disk-full` or a file error. The list
    ///   of stores is unchanged then.
    @discardableResult
    public func add(
        name: String, url: URL, unsigned: Bool, priority: Int? = nil, token: String? = nil, netrc: Bool? = nil
    ) async throws -> StoreSummary {
        let existing = stores.first { $0.configuration.name == name }?.configuration
        var new = try StoreConfiguration.checked(
            name: name, url: url, unsigned: unsigned, priority: priority ?? existing?.priority ?? 0)
        guard existing != nil || url.user() == nil && url.password() == nil else {
            throw StoreError(.storeAddressWithCredentials)
        }
        new.netrc = netrc ?? (token == nil && existing?.netrc == true) ? true : nil
        if let existing, existing.url != url {
            throw StoreError(.storeNameTaken, ["store": name, "url": existing.url])
        }
        let savedToken = try existing.flatMap { try credentials.savedToken(of: $0.name) }
        try credentials.activate(new, token: token, isNew: existing == nil)
        let store: StoreCatalogue
        do {
            store = try catalogue(of: new, in: StoreScope(adding: url))
            let catalogue = try await store.refresh(ifOlderThan: .zero) {}
            guard unsigned else {
                throw StoreError(catalogue.format == 1 ? .storeWithoutHashes : .storeNotSigned, ["store": name])
            }
            // The list may have changed while the catalogue was fetched.
            var changed = stores
            if let index = changed.firstIndex(where: { $0.configuration.name == name }) {
                changed[index] = store
            } else {
                changed.append(store)
            }
            try save(changed, tokens: credentials.prepareSaving(token ?? savedToken, for: name), tokensFirst: true)
        } catch {
            if let kept = stores.first(where: { $0.configuration.name == name })?.configuration {
                try? credentials.activate(kept)
            } else {
                removeCache(of: name)
                credentials.deactivate(name)
            }
            throw error
        }
        // Also where the store is new: a crash may have ended its removal before.
        if existing == nil || token != nil || netrc != nil { await images.forget(name) }
        events.publish(.catalogue(store: name))
        await publisher.publish(.catalogues)
        return await store.summary()
    }

    /// Removes a store from the list of added stores; packs that were installed from it stay.
    ///
    /// - Throws: `store.unknown`; `space.disk-full` or a file error, after which the store is still there.
    public func remove(_ name: String) async throws {
        _ = try added(name)
        let remaining = stores.filter { $0.configuration.name != name }
        try save(remaining, tokens: credentials.prepareSaving(nil, for: name), tokensFirst: false)
        credentials.deactivate(name)
        removeCache(of: name)
        await images.forget(name)
        events.publish(.catalogue(store: name))
        await publisher.publish(.catalogues)
    }

    /// Replaces the list of stores and the saved tokens on the disk, and then the list in memory.
    ///
    /// Both files are written before the first one is put in place: a full disk changes neither.
    ///
    /// - Parameters:
    ///   - new: the new list.
    ///   - tokensFirst: whether the tokens are put in place before the list. A token without a store is never sent, and
    ///     the next start removes it; a store without its token could not be used.
    private func save(
        _ new: [StoreCatalogue], tokens: StoreCredentials.PreparedChange, tokensFirst: Bool
    ) throws {
        let file = StoreConfigurationFile(directory: configuration)
        let configurations = new.map { store in
            var configuration = store.configuration
            configuration.local = store.scope.isLocal
            return configuration
        }
        do {
            let list = try file.prepareReplacement(with: configurations)
            do {
                if tokensFirst { try tokens.commit() }
                try list.commit()
            } catch {
                list.discard()
                throw error
            }
        } catch {
            tokens.discard()
            // The disk decides what the next start finds: where only a sync failed, the new list is in place.
            if (try? file.read()) == configurations { stores = new }
            throw error
        }
        stores = new
        if !tokensFirst { try? tokens.commit() }
    }

    private func removeCache(of store: String) { try? catalogues.removeTree(store) }

    private func catalogue(of store: StoreConfiguration, in scope: StoreScope) throws -> StoreCatalogue {
        try StoreCatalogue(
            store, scope: scope, caches: catalogues, transfers: transfers,
            credentials: credentials, addresses: addresses, settings: settings.current, publisher: publisher,
            clock: clock)
    }

    /// Applies the current settings, such as timeouts, to all further requests to stores.
    func applySettings() async {
        for store in stores { await store.apply(settings.current) }
    }

    private func announceScopes() { addresses.set(Self.scopes(of: stores)) }

    private static func scopes(of stores: [StoreCatalogue]) -> [String: StoreScope] {
        Dictionary(uniqueKeysWithValues: stores.map { ($0.configuration.name, $0.scope) })
    }

    /// Reads the credentials of all stores and removes the temporary files that a crash left.
    ///
    /// - Returns: the errors of the stores whose credentials can't be used. Requests to them are sent without
    ///   credentials.
    func start() -> [any Error] {
        removeLeftovers()
        // Where the file can't be read, the stores below report that.
        try? credentials.removeTokens(exceptOf: Set(stores.map(\.configuration.name)))
        return stores.compactMap { store in
            do {
                try credentials.activate(store.configuration)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Removes temporary files and unused catalogue caches that a crash left.
    ///
    /// A leftover that can't be removed does no harm.
    private func removeLeftovers() {
        // Other files in the configuration directory may be the user's own.
        for name in [StoreConfigurationFile.name, StoreCredentials.fileName] {
            try? configuration.removeReplacement(of: name)
        }
        for entry in (try? catalogues.entries()) ?? [] {
            if contains(entry.name) {
                try? catalogues.openDirectory(entry.name).removeReplacements()
            } else {
                // The cache of a store that was being added or removed.
                removeCache(of: entry.name)
            }
        }
    }

    // MARK: Catalogues

    /// Fetches the catalogues of some added stores, or of all, and returns descriptions of these stores.
    ///
    /// A failure to fetch a catalogue is reported in the description of its store.
    ///
    /// - Throws: `store.unknown`.
    public func refresh(_ names: [String]? = nil) async throws -> [StoreSummary] {
        let wanted = try names.map { try $0.map(added) } ?? stores
        _ = await catalogues(of: wanted, maximumAge: .zero, within: nil)
        var summaries: [StoreSummary] = []
        for store in wanted { summaries.append(await store.summary()) }
        return summaries
    }

    /// The known catalogue of one added store, and the error if it is missing or may be out of date.
    struct KnownCatalogue: Sendable {
        let store: String
        let priority: Int
        /// The store's catalogue; `nil` if it was never fetched and can't be fetched now.
        let catalogue: Catalogue?
        /// The reason why the store's catalogue is missing or may be out of date; `nil` if it is current.
        let error: ErrorReport?

        /// A warning for display that the store's catalogue may be out of date; `nil` if there is no error.
        var warning: String? {
            error.map { error in
                "could not reach the store '\(store)'"
                    + (catalogue == nil ? ": " : "; using its cached catalogue: ") + error.message
            }
        }
    }

    /// How long a request waits for a store that is being contacted.
    enum Waiting {
        /// As long as the setting `catalogue.waitTimeout` says; the request then uses the cached catalogue.
        case short
        /// Until the catalogue is there, or fetching it has failed.
        case untilEnd
    }

    /// Returns the catalogues of added stores, after fetching in parallel those that are too old.
    ///
    /// A store that takes too long is reported with an error and its cached catalogue, so that it does not delay the
    /// others.
    ///
    /// - Parameters:
    ///   - names: the stores; names of stores that were not added are ignored; `nil` is all stores.
    ///   - age: the maximum age; `nil` is that of the settings.
    ///   - waiting: how long to wait for each store.
    func catalogues(
        of names: Set<String>? = nil, maximumAge age: Duration? = nil, waiting: Waiting = .short
    ) async -> [KnownCatalogue] {
        await catalogues(
            of: stores.filter { names?.contains($0.configuration.name) ?? true },
            maximumAge: age ?? settings.current.catalogueRefreshAfter,
            within: waiting == .short ? settings.current.catalogueWaitTimeout : nil)
    }

    private func catalogues(
        of stores: [StoreCatalogue], maximumAge age: Duration, within limit: Duration?
    ) async -> [KnownCatalogue] {
        await withTaskGroup(of: (Int, KnownCatalogue).self) { group in
            for (index, store) in stores.enumerated() {
                let (name, priority) = (store.configuration.name, store.configuration.priority)
                group.addTask { [events] in
                    var catalogue: Catalogue?
                    var failure: ErrorReport?
                    do {
                        catalogue = try await store.refresh(ifOlderThan: age, within: limit) {
                            events.publish(.catalogue(store: name))
                        }
                    } catch {
                        failure = ErrorReport(error)
                        catalogue = await store.cached()
                    }
                    return (
                        index,
                        KnownCatalogue(store: name, priority: priority, catalogue: catalogue, error: failure)
                    )
                }
            }
            var known: [(Int, KnownCatalogue)] = []
            for await one in group { known.append(one) }
            return known.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Returns what is cached of the catalogues of added stores, without contacting a store.
    ///
    /// - Parameter names: the stores; `nil` is all.
    func cached(of names: Set<String>? = nil) async -> [KnownCatalogue] {
        var known: [KnownCatalogue] = []
        for store in stores where names?.contains(store.configuration.name) ?? true {
            let configuration = store.configuration
            known.append(
                KnownCatalogue(
                    store: configuration.name, priority: configuration.priority, catalogue: await store.cached(),
                    error: nil))
        }
        return known
    }

    /// Returns the catalogues of added stores that are in the cache, by the store's name.
    func cachedCatalogues() async -> [String: Catalogue] {
        var catalogues: [String: Catalogue] = [:]
        for store in stores { catalogues[store.configuration.name] = await store.cached() }
        return catalogues
    }

    // MARK: Resolution

    /// Chooses the store to install a product from, and returns that store's offer.
    ///
    /// If a store is named, its offer is returned. Otherwise the store of origin is preferred, then, among the stores
    /// that offer the product, the one with the highest priority. If none has the product, the catalogues are fetched
    /// again.
    ///
    /// - Parameters:
    ///   - name: the name of the store that the user named.
    ///   - origin: the name of the store that the installed pack, or a product that depends on this one, came from.
    /// - Throws: `store.unknown`, `product.unknown`, `product.withdrawn`, `conflict.several-stores`,
    ///   `store.unavailable`.
    func resolve(_ identifier: String, store name: String?, origin: String?) async throws -> ProductOffer {
        var lookup = try offers(of: name)
        return try await lookup.offer(of: identifier, origin: origin)
    }

    /// Returns the offers of one store, or of all, for one request that may need several products.
    ///
    /// - Throws: `store.unknown`.
    func offers(of name: String?) throws -> OfferLookup {
        if let name { _ = try added(name) }
        return OfferLookup(stores: self, store: name)
    }
}
