public import StoreAPI
public import StoreModel

extension StoreClient {
    // MARK: Operations

    /// Returns the record of one operation (such as an install), running or ended.
    public func operation(_ id: OperationID) async throws -> OperationRecord {
        try await get(Resource("operations", id.rawValue))
    }

    /// Returns the history of operations (such as installs and updates), newest first.
    ///
    /// - Parameters:
    ///   - productIdentifier: the product whose operations to return; `nil` for those of all products.
    ///   - limit: the maximum number of operations; `nil` for the daemon's own limit.
    public func history(of productIdentifier: String? = nil, limit: Int? = nil) async throws -> [OperationRecord] {
        try await operations(of: productIdentifier, limit: limit).operations
    }

    /// Returns one page of the history of operations (such as installs and updates), newest first.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of operations; `nil` for the daemon's own limit.
    ///   - next: the token of the previous page; `nil` for the first page.
    public func operations(
        of productIdentifier: String? = nil, limit: Int? = nil, after next: String? = nil
    ) async throws -> OperationList {
        try await get(
            Resource("operations").with("product", productIdentifier).with("limit", limit.map(String.init))
                .with("after", next))
    }

    // MARK: Purchases

    /// Returns the list of products that the user purchased.
    public func purchases() async throws -> [Purchase] {
        try await get(Resource("purchases"), as: PurchaseList.self).purchases
    }

    /// Adds a product to the user's list of purchases.
    public func grantPurchase(_ productIdentifier: String) async throws -> Purchase {
        try await ask("PUT", Resource("purchases", productIdentifier))
    }

    /// Removes a product from the user's list of purchases; the product stays installed.
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

    /// Changes a setting in the user's file; the result says whether the daemon has to be restarted for it.
    public func set(_ key: String, to value: String) async throws -> SettingDocument {
        try await ask("PUT", Resource("config", key), body: SettingRequest(value: value))
    }

    /// Removes a setting from the user's settings file, and returns the setting with the value that applies now.
    public func unset(_ key: String) async throws -> SettingDocument {
        try await ask("DELETE", Resource("config", key))
    }

    // MARK: The daemon

    /// Returns the daemon's version, directories and load.
    ///
    /// - Parameter tryingConfinement: whether the daemon starts a process that reads packs if it has not yet, so that the
    ///   status says which means of confinement took effect; otherwise it then says what the kernel can restrict.
    public func status(tryingConfinement: Bool = false) async throws -> StatusDocument {
        try await get(Resource("status").with("tryConfinement", tryingConfinement ? "true" : nil))
    }

    /// Returns a snapshot: the downloads, packs and skin in their state after one event.
    ///
    /// The events after it are delivered by ``events(after:product:kind:)``.
    public func snapshot() async throws -> SnapshotDocument {
        try await get(Resource("snapshot"))
    }

    /// Requests the daemon to exit; its downloads continue when it starts again.
    ///
    /// The client starts no daemon for that; a service manager that listens may start one. Returns when the daemon has
    /// received the request, a moment before it exits.
    ///
    /// - Parameter restarting: whether another daemon is to be started afterwards. The daemon then goes on if the user's
    ///   settings or the list of stores, as the files are now, would keep the other one from starting.
    /// - Throws: `settings.invalid`, `store.malformed-list`.
    public func shutdown(restarting: Bool = false) async throws {
        try await exchange("POST", Resource("shutdown").with("restart", restarting ? "true" : nil), mayStart: false)
    }

    /// Stops the daemon of this home, whatever its release, and returns when it has released the home's lock.
    ///
    /// The home is the set of directories that the client was created for. A daemon that is ending already is waited for.
    ///
    /// - Parameter restarting: as for ``shutdown(restarting:)``.
    /// - Returns: whether a daemon was running, or ending.
    /// - Throws: `settings.invalid`, `store.malformed-list`; `daemon.unreachable` if the daemon has not released the lock after
    ///   30 seconds.
    public func stopDaemon(restarting: Bool = false) async throws -> Bool {
        let holder = try? await connection.lockHolder()
        do {
            try await shutdown(restarting: restarting)
        } catch let error as StoreError where error.code == .daemonVersion {
            // The daemon received the request; only its response has the format of another release.
        } catch let error as StoreError where error.template == .daemonNotRunning {
            guard try await connection.isDaemonEnding() else { return false }
        } catch let error as StoreError where error.template == .daemonNotResponding {
            // It may have ended before it sent the response. A daemon that hangs does not release its lock.
        }
        try await connection.untilReleased(by: holder)
        return true
    }
}
