import Synchronization

/// Limits, for each store separately, how many asynchronous functions run at once.
///
/// So a store whose server is slow does not delay the functions of other stores.
final class StoreConcurrencyLimits: Sendable {
    private let limit: Int
    private let limits = Mutex<[String: ConcurrencyLimit]>([:])

    /// - Parameter limit: the maximum number of functions that run at once for one store.
    init(_ limit: Int) { self.limit = limit }

    /// Returns the limit of a store that the user has added.
    subscript(store: String) -> ConcurrencyLimit {
        limits.withLock { limits in
            if let known = limits[store] { return known }
            let new = ConcurrencyLimit(limit)
            limits[store] = new
            return new
        }
    }

    /// Lets the next functions of a store begin without waiting for those that are running.
    func forget(_ store: String) { limits.withLock { $0[store] = nil } }
}
