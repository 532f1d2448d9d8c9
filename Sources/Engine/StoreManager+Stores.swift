public import FoundationEssentials
import StoreCatalogue
public import StoreModel

extension StoreManager {
    /// The stores that are used, the most important first.
    public func storeList() async -> [StoreSummary] {
        var records: [StoreSummary] = []
        for store in stores { records.append(await store.record()) }
        return records.sorted { ($1.priority, $0.name) < ($0.priority, $1.name) }
    }

    /// - Throws: `store.unknown`.
    public func store(_ name: String) async throws -> StoreSummary { try await usedStore(name).record() }

    func usedStore(_ name: String) throws -> StoreCatalogue {
        guard let store = stores.first(where: { $0.definition.name == name }) else {
            throw EngineError(
                .storeUnknown, "There is no store '\(name)'. 'storectl store list' shows those that there are.")
        }
        return store
    }

    /// Uses a store from now on, after its catalogue could be fetched and read. Adding the same again changes its
    /// priority at most.
    ///
    /// - Parameters:
    ///   - url: of the store's folder, or of the catalogue itself.
    ///   - unsigned: whether it is taken although nobody signed it.
    ///   - token: that proves to the store who asks; it is kept. `nil` leaves what was kept.
    ///   - netrc: whether user and password come from the user's `.netrc`.
    /// - Throws: `store.bad-name`, `store.bad-address`, `store.bad-credentials`, `conflict.store-exists`,
    ///   `store.unsigned`, and what stands in the way of reading the catalogue.
    public func addStore(
        name: String, url: URL, unsigned: Bool, priority: Int, token: String? = nil, netrc: Bool = false
    ) async throws -> StoreSummary {
        var definition = try StoreConfiguration.checked(name: name, url: url, unsigned: unsigned, priority: priority)
        definition.netrc = netrc ? true : nil
        let existing = stores.firstIndex { $0.definition.name == name }
        if let existing, stores[existing].definition.url != url {
            throw EngineError(
                .storeExists,
                "There is a store '\(name)' already, at \(stores[existing].definition.url.absoluteString). "
                    + "Choose another name, or remove that one first.")
        }
        try credentials.use(definition, token: token)
        let store = try makeStore(definition)
        do {
            let catalogue = try await store.refresh(ifOlderThan: .zero) {}
            guard unsigned else {
                throw EngineError(
                    .storeUnsigned,
                    "The store '\(name)' is not signed"
                        + (catalogue.format == 1 ? " and its format has no hashes. " : ". ")
                        + "If you trust its address, add it with --unsigned.")
            }
        } catch {
            if let existing {
                try? credentials.use(stores[existing].definition)
            } else {
                forgetCatalogue(of: name)
                try? credentials.forget(name)
            }
            throw error
        }
        if let token { try credentials.keep(token, for: name) }
        // Somebody may have added or removed one while the catalogue was fetched.
        if let existing = stores.firstIndex(where: { $0.definition.name == name }) {
            stores[existing] = store
        } else {
            stores.append(store)
        }
        try saveStores()
        events.publish(.catalogue(store: name))
        return await store.record()
    }

    /// Uses a store no longer. What was installed from it stays.
    ///
    /// - Throws: `store.unknown`.
    public func removeStore(_ name: String) async throws {
        _ = try usedStore(name)
        stores.removeAll { $0.definition.name == name }
        try saveStores()
        try credentials.forget(name)
        forgetCatalogue(of: name)
        events.publish(.catalogue(store: name))
    }

    /// Fetches the catalogues of the stores named, or of all. One that fails does not stop the others; its record
    /// says why.
    ///
    /// - Throws: `store.unknown`.
    public func refresh(_ names: [String]? = nil) async throws -> [StoreSummary] {
        let wanted = try names.map { try $0.map(usedStore) } ?? stores
        _ = await refresh(wanted, ifOlderThan: .zero)
        var records: [StoreSummary] = []
        for store in wanted { records.append(await store.record()) }
        return records
    }

    /// A store's catalogue, or why there is none, or why it may be old.
    struct Known: Sendable {
        let store: StoreCatalogue
        let catalogue: Catalogue?
        let error: ErrorReport?
    }

    /// The catalogues of stores, all fetched side by side where they are older than `age`.
    func refresh(_ stores: [StoreCatalogue], ifOlderThan age: Duration) async -> [Known] {
        await withTaskGroup(of: (Int, Known).self) { group in
            for (place, store) in stores.enumerated() {
                let name = store.definition.name
                group.addTask { [events] in
                    do {
                        let catalogue = try await store.refresh(ifOlderThan: age) {
                            events.publish(.catalogue(store: name))
                        }
                        return (place, Known(store: store, catalogue: catalogue, error: nil))
                    } catch {
                        return (place, Known(store: store, catalogue: await store.cached(), error: ErrorReport(error)))
                    }
                }
            }
            var known: [(Int, Known)] = []
            for await one in group { known.append(one) }
            return known.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
