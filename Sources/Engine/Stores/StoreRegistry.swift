public import FoundationEssentials
import StoreCatalogue
import StoreDownloads
import StoreEvents
public import StoreModel
import StoreSystem
import StoreTransfers

/// The stores that the user added, with their catalogues and credentials.
///
/// The list is the file `stores.json` in the configuration directory. Each store's catalogue is in the cache directory, and
/// is fetched again when it is older than a setting allows.
public actor StoreRegistry {
    private let configuration: Directory
    private let catalogues: Directory
    private let credentials: StoreCredentials
    private let addresses: StoreAddresses
    private let transfers: any Transferring
    private let settings: SettingsManager
    private let events: EventBus
    private let clock: TimeSource
    private var stores: [StoreCatalogue]

    /// Reads the list of stores, and begins to read their catalogues from the cache.
    ///
    /// - Throws: `store.malformed-list`, or a file error.
    init(
        _ directories: HomeDirectories, credentials: StoreCredentials, addresses: StoreAddresses,
        transfers: any Transferring, settings: SettingsManager, events: EventBus, clock: TimeSource
    ) throws {
        configuration = directories.config
        catalogues = directories.catalogues
        self.credentials = credentials
        self.addresses = addresses
        self.transfers = transfers
        self.settings = settings
        self.events = events
        self.clock = clock
        stores = try StoreConfigurationFile(directory: configuration).read().map {
            try StoreCatalogue(
                $0, scope: addresses.scope(of: $0), caches: directories.catalogues, transfers: transfers,
                credentials: credentials, addresses: addresses, settings: settings.current, clock: clock)
        }
        // Reading the catalogues takes as long as reading the library, and the first request for a list needs both.
        for store in stores { Task { await store.cached() } }
    }

    // MARK: The list

    /// Returns the stores in descending order of priority.
    public func list() async -> [StoreSummary] {
        var summaries: [StoreSummary] = []
        for store in stores { summaries.append(await store.summary()) }
        return summaries.sorted { ($1.priority, $0.name) < ($0.priority, $1.name) }
    }

    /// Returns the description of one store.
    ///
    /// - Throws: `store.unknown`.
    public func store(_ name: String) async throws -> StoreSummary { try await added(name).summary() }

    /// The number of stores that the user added.
    var count: Int { stores.count }

    /// Returns whether a store with a name was added.
    func contains(_ name: String) -> Bool { stores.contains { $0.configuration.name == name } }

    private func added(_ name: String) throws -> StoreCatalogue {
        guard let store = stores.first(where: { $0.configuration.name == name }) else {
            throw StoreError(.noSuchStore, ["store": name])
        }
        return store
    }

    /// Adds a store after fetching its catalogue; if the store was added before, its priority and credentials are
    /// changed.
    ///
    /// - Parameters:
    ///   - url: the address of the store's directory or of its catalogue.
    ///   - unsigned: whether to accept a store whose catalogue is not signed.
    ///   - priority: if several stores offer a product, the store with the highest priority is used.
    ///   - token: the bearer token to send to the store, saved for later starts; `nil` leaves the present one.
    ///   - netrc: whether to send user and password from the user's `.netrc`.
    /// - Throws: `store.bad-name`, `store.bad-address`, `store.bad-credentials`, `conflict.store-exists`,
    ///   `store.unsigned`, and the errors of fetching and reading a catalogue.
    @discardableResult
    public func add(
        name: String, url: URL, unsigned: Bool, priority: Int, token: String? = nil, netrc: Bool = false
    ) async throws -> StoreSummary {
        var new = try StoreConfiguration.checked(name: name, url: url, unsigned: unsigned, priority: priority)
        new.netrc = netrc ? true : nil
        let existing = stores.first { $0.configuration.name == name }?.configuration
        if let existing, existing.url != url {
            throw StoreError(.storeNameTaken, ["store": name, "url": existing.url])
        }
        try credentials.activate(new, token: token)
        let scope = StoreScope(adding: url)
        let store = try catalogue(of: new, in: scope)
        do {
            let catalogue = try await store.refresh(ifOlderThan: .zero) {}
            guard unsigned else {
                throw StoreError(catalogue.format == 1 ? .storeWithoutHashes : .storeNotSigned, ["store": name])
            }
        } catch {
            if let existing {
                try? credentials.activate(existing)
            } else {
                removeCache(of: name)
                try? credentials.remove(name)
            }
            throw error
        }
        if let token { try credentials.save(token, for: name) }
        addresses.set(scope, of: name)
        // The list may have changed while the catalogue was fetched.
        if let index = stores.firstIndex(where: { $0.configuration.name == name }) {
            stores[index] = store
        } else {
            stores.append(store)
        }
        try save()
        events.publish(.catalogue(store: name))
        return await store.summary()
    }

    /// Removes a store; packs that were installed from it stay.
    ///
    /// - Throws: `store.unknown`.
    public func remove(_ name: String) async throws {
        _ = try added(name)
        stores.removeAll { $0.configuration.name == name }
        try save()
        try credentials.remove(name)
        addresses.remove(name)
        removeCache(of: name)
        events.publish(.catalogue(store: name))
    }

    private func save() throws {
        let configurations = stores.map { store in
            var configuration = store.configuration
            configuration.local = addresses.scope(of: configuration).isLocal
            return configuration
        }
        try StoreConfigurationFile(directory: configuration).write(configurations)
    }

    private func removeCache(of store: String) { try? catalogues.removeTree(store) }

    /// - Parameter scope: the scope of a store that is being added; `nil` for one that was added before.
    private func catalogue(of store: StoreConfiguration, in scope: StoreScope? = nil) throws -> StoreCatalogue {
        try StoreCatalogue(
            store, scope: scope ?? addresses.scope(of: store), caches: catalogues, transfers: transfers,
            credentials: credentials, addresses: addresses, settings: settings.current, clock: clock)
    }

    /// Applies the current settings to all further requests to stores.
    func applySettings() throws { stores = try stores.map { try catalogue(of: $0.configuration) } }

    /// Reads the credentials of all stores and removes the temporary files that a crash left.
    ///
    /// - Returns: the errors of the stores whose credentials can't be used. Requests to them are sent without
    ///   credentials.
    func start() -> [any Error] {
        removeLeftovers()
        return stores.compactMap { store in
            do {
                try credentials.activate(store.configuration)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Removes temporary files and unused caches that a crash left; a leftover that can't be removed does no harm.
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

    /// Fetches the catalogues of some stores, or of all; a failure to fetch one is reported in that store's summary.
    ///
    /// - Throws: `store.unknown`.
    public func refresh(_ names: [String]? = nil) async throws -> [StoreSummary] {
        let wanted = try names.map { try $0.map(added) } ?? stores
        _ = await catalogues(of: wanted, maximumAge: .zero)
        var summaries: [StoreSummary] = []
        for store in wanted { summaries.append(await store.summary()) }
        return summaries
    }

    /// The catalogue of one store, and the error if it is missing or may be out of date.
    struct KnownCatalogue: Sendable {
        let store: String
        let priority: Int
        /// The catalogue; `nil` where it was never fetched and can't be fetched now.
        let catalogue: Catalogue?
        /// The reason why the catalogue is missing or may be out of date; `nil` if it is current.
        let error: ErrorReport?

        /// A warning for display that explains ``error``; `nil` if there is no error.
        var warning: String? {
            error.map { error in
                "The store '\(store)' could not be asked"
                    + (catalogue == nil ? ": " : ", so this is what it had before: ") + error.message
            }
        }
    }

    /// Returns the catalogues of stores, and fetches in parallel those that are too old.
    ///
    /// - Parameters:
    ///   - names: the stores; names of stores that were not added are ignored; `nil` is all stores.
    ///   - age: the maximum age; `nil` is that of the settings.
    func catalogues(of names: Set<String>? = nil, maximumAge age: Duration? = nil) async -> [KnownCatalogue] {
        await catalogues(
            of: stores.filter { names?.contains($0.configuration.name) ?? true },
            maximumAge: age ?? settings.current.catalogueRefreshAfter)
    }

    private func catalogues(of stores: [StoreCatalogue], maximumAge age: Duration) async -> [KnownCatalogue] {
        await withTaskGroup(of: (Int, KnownCatalogue).self) { group in
            for (index, store) in stores.enumerated() {
                let (name, priority) = (store.configuration.name, store.configuration.priority)
                group.addTask { [events] in
                    var catalogue: Catalogue?
                    var failure: ErrorReport?
                    do {
                        catalogue = try await store.refresh(ifOlderThan: age) {
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

    /// Returns the catalogues that are in the cache, by store.
    func cachedCatalogues() async -> [String: Catalogue] {
        var catalogues: [String: Catalogue] = [:]
        for store in stores { catalogues[store.configuration.name] = await store.cached() }
        return catalogues
    }

    // MARK: Resolution

    /// Returns the offer of a product by the store to install the product from.
    ///
    /// If a store is named, its offer is returned. Otherwise the store of origin is preferred, then, among the stores
    /// that offer the product, the one with the highest priority. If none has the product, the catalogues are fetched
    /// again.
    ///
    /// - Parameters:
    ///   - name: the store that the user named.
    ///   - origin: the store that the installed pack, or a product that depends on this one, came from.
    /// - Throws: `store.unknown`, `product.unknown`, `product.withdrawn`, `conflict.several-stores`,
    ///   `store.unavailable`.
    func resolve(_ identifier: String, store name: String?, origin: String?) async throws -> ProductOffer {
        let wanted = try name.map { [try added($0)] } ?? stores
        let own = name == nil ? origin : nil
        let known = await catalogues(of: wanted, maximumAge: settings.current.catalogueRefreshAfter)
        do {
            return try ProductOffer.choose(identifier, among: known, origin: own)
        } catch {
            guard error.code == .productUnknown else { throw error }
            let current = await catalogues(of: wanted, maximumAge: .zero)
            return try ProductOffer.choose(identifier, among: current, origin: own)
        }
    }
}
