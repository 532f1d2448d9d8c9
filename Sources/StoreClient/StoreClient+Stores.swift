public import FoundationEssentials
import StoreAPI
public import StoreModel

extension StoreClient {
    /// Returns the stores that the user added.
    public func stores() async throws -> [StoreSummary] {
        try await get(Resource("stores"), as: StoreList.self).stores
    }

    /// Returns the description of the store with this name.
    ///
    /// - Throws: `store.unknown` where no store has the name.
    public func store(_ name: String) async throws -> StoreSummary {
        try await get(Resource("stores", name))
    }

    /// Adds a store after fetching its catalogue; a store whose catalogue can't be fetched is not added.
    ///
    /// - Parameters:
    ///   - unsigned: whether to accept a catalogue without a signature.
    ///   - priority: the store's priority; if several stores have a product, the store of highest priority is used.
    ///     `nil` is 0 for a new store, and leaves the priority of one that was added before.
    ///   - root: the bytes of the root of a signed store, which is trusted from then on.
    ///   - rootURL: the URL from which the daemon fetches the root, instead of `root`.
    ///   - fingerprint: the fingerprint that the root must have; alone, it accepts the first root on the store's server.
    ///   - token: the access token that is sent to the store; stored by the daemon.
    ///   - netrc: whether to read user and password from the user's `.netrc`; `nil` leaves that unchanged, unless there is
    ///     a token.
    public func addStore(
        name: String, url: URL, unsigned: Bool = false, root: Data? = nil, rootURL: URL? = nil,
        fingerprint: String? = nil, priority: Int? = nil, token: String? = nil, netrc: Bool? = nil
    ) async throws -> StoreSummary {
        let request = AddStoreRequest(
            name: name, url: url, unsigned: unsigned, priority: priority, token: token, netrc: netrc, root: root,
            rootURL: rootURL, fingerprint: fingerprint)
        return try await ask("POST", Resource("stores"), body: request)
    }

    /// Returns the roles, keys and publishers of the store with this name, and its last verification.
    ///
    /// - Throws: `store.unknown` where no store has the name.
    public func storeTrust(_ name: String) async throws -> StoreTrustReport {
        try await get(Resource("stores", name, "trust"))
    }

    /// Removes a store; packs that were installed from it stay.
    public func removeStore(_ name: String) async throws {
        try await exchange("DELETE", Resource("stores", name))
    }

    /// Fetches the catalogue of the store with this name, or of all stores, again.
    ///
    /// If a store can't be reached, the call does not fail; the `error` of that store's summary contains the reason.
    public func refresh(_ store: String? = nil) async throws -> [StoreSummary] {
        let list: StoreList = try await ask("POST", Resource("refresh").with("store", store))
        return list.stores
    }
}
