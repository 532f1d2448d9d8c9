public import FoundationEssentials
import StoreAPI
public import StoreModel

extension StoreClient {
    /// The stores that are used.
    public func stores() async throws -> [StoreSummary] {
        try await get(Resource("stores"), as: StoreList.self).stores
    }

    /// One store; `store.unknown` where there is none of that name.
    public func store(_ name: String) async throws -> StoreSummary {
        try await get(Resource("stores", name))
    }

    /// Uses a store from now on. Its catalogue is fetched at once, and what can't be read is not added.
    ///
    /// - Parameters:
    ///   - unsigned: take it although it is not signed.
    ///   - priority: where several stores have a product, the greatest wins.
    ///   - token: that proves to the store who asks; the daemon keeps it.
    ///   - netrc: take user and password from the user's `.netrc`.
    public func addStore(
        name: String, url: URL, unsigned: Bool = false, priority: Int = 0, token: String? = nil, netrc: Bool = false
    ) async throws -> StoreSummary {
        let request = AddStoreRequest(
            name: name, url: url, unsigned: unsigned, priority: priority, token: token, netrc: netrc ? true : nil)
        return try await ask("POST", Resource("stores"), body: request)
    }

    /// Uses a store no longer. What was installed from it stays.
    public func removeStore(_ name: String) async throws {
        try await exchange("DELETE", Resource("stores", name))
    }

    /// Fetches the catalogue of one store, or of all. A store that is down does not make it fail: its record's `error`
    /// says why.
    public func refresh(_ store: String? = nil) async throws -> [StoreSummary] {
        let list: StoreList = try await ask("POST", Resource("refresh").with("store", store))
        return list.stores
    }
}
