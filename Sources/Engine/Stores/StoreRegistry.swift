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
    private let trusts: StoreTrusts
    private let credentials: StoreCredentials
    private let addresses: StoreAddresses
    private let images: ProductImageLoader
    private let transfers: any Transferring
    let settings: SettingsManager
    let events: EventBus
    private let publisher: StatePublisher
    private let clock: TimeSource
    private(set) var stores: [StoreCatalogue] { didSet { announceScopes() } }
    /// The limits by which stores of one name are added and removed one after another, each with the number of its users.
    private var changes: [String: (limit: ConcurrencyLimit, users: Int)] = [:]

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
        let trusts = StoreTrusts(directory: directories.trust)
        self.trusts = trusts
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
                $0, scope: StoreScope($0), trust: trusts.state(of: $0), caches: directories.catalogues,
                transfers: transfers,
                credentials: credentials, addresses: addresses, settings: settings.current, publisher: publisher,
                clock: clock)
        }
        addresses.set(Self.scopes(of: stores))
        // Reading the catalogues takes as long as reading the library, and the first request for a list needs both.
        for store in stores { Task { await store.cached() } }
    }

    // MARK: The list

    /// Checks that the file with the list of stores, as it is now, can be read by another process.
    ///
    /// - Throws: `store.malformed-list`, or a file error.
    func checkFile() throws { _ = try StoreConfigurationFile(directory: configuration).read() }

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

    /// Whether each store that the user added is a signed one, by its name.
    var signed: [String: Bool] {
        Dictionary(stores.map { ($0.configuration.name, !$0.configuration.unsigned) }) { first, _ in first }
    }

    /// The number of stores that the user added.
    var count: Int { stores.count }

    /// Returns whether the user added a store with a name.
    func contains(_ name: String) -> Bool { stores.contains { $0.configuration.name == name } }

    /// Returns the names of the added stores that references and links name by a key, in descending order of priority.
    public func names(of key: StoreKey) -> [String] {
        stores.map(\.configuration).filter { $0.keys.contains(key) }
            .sorted { ($1.priority, $0.name) < ($0.priority, $1.name) }.map(\.name)
    }

    /// Returns the key of a store for new references in messages; `nil` if the user has not added the store.
    func key(of name: String) -> StoreKey? {
        stores.first { $0.configuration.name == name }?.configuration.keys.first
    }

    func added(_ name: String) throws -> StoreCatalogue {
        guard let store = stores.first(where: { $0.configuration.name == name }) else {
            throw StoreError(.noSuchStore, ["store": name])
        }
        return store
    }

    /// Adds a store after fetching its catalogue.
    ///
    /// If the store was added before, those of its priority and credentials are changed that are given. With a root, an
    /// unsigned store becomes a signed one; a signed store never becomes an unsigned one.
    ///
    /// - Parameters:
    ///   - url: the URL of the store's directory or of its catalogue.
    ///   - unsigned: whether to accept a store whose catalogue is not signed. A store that was added before as an unsigned
    ///     one stays so without it, unless there is a root or a fingerprint.
    ///   - root: the root of a signed store, which is trusted from then on; `nil` leaves that of a store that was added
    ///     before.
    ///   - fingerprint: the fingerprint that the root must have; alone, it accepts the root of the store's server.
    ///   - priority: if several stores offer a product, the store with the highest priority is used. `nil` is 0 for a new
    ///     store, and leaves the priority of one that was added before.
    ///   - token: the bearer token to send to the store, saved for later starts; `nil` leaves the present one.
    ///   - netrc: whether to send user and password from the user's `.netrc`; `nil` leaves that as it is, unless there is
    ///     a token.
    /// - Throws: `store.bad-name`, `store.bad-address`, `store.bad-credentials`, `conflict.store-exists`,
    ///   `store.unsigned`, `trust.root-needed`, `trust.fingerprint`, `trust.downgrade`, the errors of fetching, verifying
    ///   and reading a catalogue, and `space.disk-full` or a file error. The list of stores is unchanged then.
    @discardableResult
    public func add(
        name: String, url: URL, unsigned: Bool, root: StoreRoot? = nil, fingerprint: String? = nil,
        priority: Int? = nil, token: String? = nil, netrc: Bool? = nil
    ) async throws -> StoreSummary {
        try await change(name) { [self] in
            try await fetchAndAdd(
                name: name, url: url, unsigned: unsigned, root: root, fingerprint: fingerprint, priority: priority,
                token: token, netrc: netrc)
        }
    }

    /// Adds or removes a store when no other call does so with one of that name.
    private func change<Value: Sendable>(
        _ name: String, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        var change = changes[name] ?? (ConcurrencyLimit(1), 0)
        change.users += 1
        changes[name] = change
        defer {
            changes[name]?.users -= 1
            if changes[name]?.users == 0 { changes[name] = nil }
        }
        return try await change.limit.run(body)
    }

    private func fetchAndAdd(
        name: String, url: URL, unsigned: Bool, root: StoreRoot?, fingerprint: String?, priority: Int?, token: String?,
        netrc: Bool?
    ) async throws -> StoreSummary {
        let existing = stores.first { $0.configuration.name == name }
        let known = existing?.configuration
        let root = root ?? (fingerprint == nil ? nil : .offered)
        // The user accepted the store without a signature before, and now only changes its priority or credentials.
        let unsigned = unsigned || (root == nil && known?.unsigned == true)
        var new = try StoreConfiguration.checked(
            name: name, url: url, unsigned: unsigned, priority: priority ?? known?.priority ?? 0)
        guard known != nil || url.user() == nil && url.password() == nil else {
            throw StoreError(.storeAddressWithCredentials)
        }
        new.netrc = netrc ?? (token == nil && known?.netrc == true) ? true : nil
        if let known, known.url != url {
            throw StoreError(.storeNameTaken, ["store": name, "url": known.url])
        }
        if unsigned, root != nil || known?.unsigned == false {
            throw StoreError(.trustKeptSigned, ["store": name])
        }
        let savedToken = try known.flatMap { try credentials.savedToken(of: $0.name) }
        try credentials.activate(new, token: token, isNew: known == nil)
        var prepared: StoreTrusts.Prepared?
        var forgotten: Date?
        let store: StoreCatalogue
        do {
            let scope = StoreScope(adding: url)
            let finder = RootFinder(
                store: name, location: StoreLocation(url), documents: fetcher(for: new, in: scope))
            var trust = existing?.trust
            if case .offered = root, fingerprint == nil { throw try await errorWithoutRoot(new, finder, in: scope) }
            if let root {
                let data = try await finder.root(root, fingerprint: fingerprint)
                // With the same root again, the verified metadata stays. Only the latest time that was seen is cleared: the
                // clock may have been too far ahead then.
                if let trust, known?.root == SHA256Digest(of: data).hex, trust.hasRoot {
                    forgotten = trust.forgetLatestTime()
                } else {
                    prepared = try trusts.prepare(data, for: name)
                    trust = prepared?.state
                }
                new.root = SHA256Digest(of: data).hex
            } else if !unsigned {
                new.root = known?.root
            }
            new.keepRoots(of: known)
            if !unsigned, trust == nil { throw try await errorWithoutRoot(new, finder, in: scope) }
            store = try catalogue(of: new, in: scope, trust: unsigned ? nil : trust)
            _ = try await store.refresh(ifOlderThan: .zero) {}
            await checkForSignature(store)
            try prepared?.commit()
            // The list may have changed while the catalogue was fetched.
            var changed = stores
            if let index = changed.firstIndex(where: { $0.configuration.name == name }) {
                changed[index] = store
            } else {
                changed.append(store)
            }
            do {
                try save(changed, tokens: credentials.prepareSaving(token ?? savedToken, for: name), tokensFirst: true)
            } catch {
                prepared?.revert()
                throw error
            }
            prepared?.clean()
        } catch {
            prepared?.clean()
            if let forgotten { existing?.trust?.restoreLatestTime(forgotten) }
            if let kept = stores.first(where: { $0.configuration.name == name })?.configuration {
                try? credentials.activate(kept)
            } else {
                removeCache(of: name)
                credentials.deactivate(name)
            }
            throw error
        }
        // A setting that was changed during the fetch was applied to the stores that were in the list.
        await store.apply(settings.current)
        // Also where the store is new: a crash may have ended its removal before.
        if known == nil || token != nil || netrc != nil { await images.forget(name) }
        events.publish(.catalogue(store: name))
        await publisher.publish(.catalogues)
        return await store.summary()
    }

    /// Returns the error for a new store that was added with neither a root nor `--unsigned`.
    private func errorWithoutRoot(
        _ store: StoreConfiguration, _ finder: RootFinder, in scope: StoreScope
    ) async throws -> any Error {
        if let needed = try await finder.rootNeeded() { return needed }
        let catalogue = try await catalogue(of: store, in: scope, trust: nil).refresh(ifOlderThan: .zero) {}
        return StoreError(catalogue.format == 1 ? .storeWithoutHashes : .storeNotSigned, ["store": store.name])
    }

    /// Removes a store from the list of added stores; packs that were installed from it stay.
    ///
    /// - Throws: `store.unknown`; `space.disk-full` or a file error, after which the store is still there.
    public func remove(_ name: String) async throws { try await change(name) { [self] in try await removeAdded(name) } }

    private func removeAdded(_ name: String) async throws {
        _ = try added(name)
        let remaining = stores.filter { $0.configuration.name != name }
        try save(remaining, tokens: credentials.prepareSaving(nil, for: name), tokensFirst: false)
        credentials.deactivate(name)
        trusts.remove(name)
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

    private func catalogue(
        of store: StoreConfiguration, in scope: StoreScope, trust: StoreTrustState?
    ) throws -> StoreCatalogue {
        try StoreCatalogue(
            store, scope: scope, trust: trust, caches: catalogues, transfers: transfers,
            credentials: credentials, addresses: addresses, settings: settings.current, publisher: publisher,
            clock: clock)
    }

    /// Checks whether a store that was added without a signature is signed now, at the cost of at most one request.
    func checkForSignature(_ store: StoreCatalogue) async {
        var fetcher = fetcher(for: store.configuration, in: store.scope)
        fetcher.retry = RetryPolicy(attempts: 1)
        fetcher.timeouts.whole = settings.current.catalogueWaitTimeout
        await store.checkForSignature(with: fetcher)
    }

    private func fetcher(for store: StoreConfiguration, in scope: StoreScope) -> CatalogueFetcher {
        CatalogueFetcher(
            store, scope: scope, transfers: transfers, credentials: credentials, addresses: addresses,
            settings: settings.current)
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
        trusts.removeLeftovers(exceptOf: stores.map(\.configuration))
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
}
