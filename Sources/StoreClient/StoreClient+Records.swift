public import StoreAPI
public import StoreModel

extension StoreClient {
    // MARK: Operations

    /// One operation, also one that ended long ago.
    public func operation(_ id: OperationID) async throws -> OperationRecord {
        try await get(Resource("operations", id.rawValue))
    }

    /// What was done, newest first.
    ///
    /// - Parameters:
    ///   - productIdentifier: only what was done to this product.
    ///   - limit: how many at most; the daemon has a limit of its own where there is none.
    public func history(of productIdentifier: String? = nil, limit: Int? = nil) async throws -> [OperationRecord] {
        try await operations(of: productIdentifier, limit: limit).operations
    }

    /// The same in pieces, of which each says how it goes on.
    ///
    /// - Parameters:
    ///   - limit: how many at most; the daemon has a limit of its own where there is none.
    ///   - next: of the piece before: what is older is given.
    public func operations(
        of productIdentifier: String? = nil, limit: Int? = nil, after next: String? = nil
    ) async throws -> OperationList {
        try await get(
            Resource("operations").with("product", productIdentifier).with("limit", limit.map(String.init))
                .with("after", next))
    }

    // MARK: Purchases

    /// The user's list of purchases.
    public func purchases() async throws -> [Purchase] {
        try await get(Resource("purchases"), as: PurchaseList.self).purchases
    }

    /// Puts a product on the list of purchases.
    public func grantPurchase(_ productIdentifier: String) async throws -> Purchase {
        try await ask("PUT", Resource("purchases", productIdentifier))
    }

    /// Takes a product from the list of purchases. What is installed stays.
    public func revokePurchase(_ productIdentifier: String) async throws {
        try await exchange("DELETE", Resource("purchases", productIdentifier))
    }

    // MARK: Settings

    public func settings() async throws -> [SettingDocument] {
        try await get(Resource("config"), as: SettingList.self).settings
    }

    public func setting(_ key: String) async throws -> SettingDocument {
        try await get(Resource("config", key))
    }

    /// Changes a setting in the user's file. The answer says whether it counts at once.
    public func set(_ key: String, to value: String) async throws -> SettingDocument {
        try await ask("PUT", Resource("config", key), body: SettingRequest(value: value))
    }

    // MARK: The daemon

    /// What the daemon says of itself.
    public func status() async throws -> StatusDocument {
        try await get(Resource("status"))
    }

    /// Everything as it stands, and the sequence number that it holds for: events after that one bring it up to date.
    public func snapshot() async throws -> SnapshotDocument {
        try await get(Resource("snapshot"))
    }

    /// Ends the daemon; what it was downloading goes on with the next start. Returns when it was told, which is a
    /// little before it is gone.
    public func shutdown() async throws {
        try await exchange("POST", Resource("shutdown"))
    }

    /// Ends the daemon of this home, also one of another release, and returns when it has let go of the home.
    ///
    /// - Returns: whether there was one.
    public func stopDaemon() async throws -> Bool {
        do {
            try await shutdown()
        } catch let error as StoreClientError where error.code == .daemonVersion {
            // It was told; only its answer is of another kind.
        } catch let error as StoreClientError where error.code == .daemonUnreachable {
            return false
        }
        try await connection.untilReleased()
        return true
    }
}
