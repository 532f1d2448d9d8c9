import Synchronization

/// Locks on products that exclude concurrent operations on the same product.
///
/// An operation that changes a pack in place, such as a rollback, holds an exclusive lock. A request that begins
/// downloads holds a shared lock on each product and on its dependencies until the downloads run. A lock that is not
/// free is an error: nothing waits.
final class ProductLocks: Sendable {
    private struct State {
        var exclusive: Set<String> = []
        /// The number of holders of the shared lock on each product, by product identifier.
        var shared: [String: Int] = [:]
    }
    private let state = Mutex(State())

    /// Whether no operation holds a lock on any product.
    var areFree: Bool { state.withLock { $0.exclusive.isEmpty && $0.shared.isEmpty } }

    /// Checks that no operation, such as a rollback, holds the exclusive lock on a product.
    ///
    /// - Throws: `conflict.busy`.
    func requireFree(_ identifier: String) throws(StoreError) {
        if state.withLock({ $0.exclusive.contains(identifier) }) { throw Self.busy(identifier) }
    }

    /// Runs `body` with the exclusive lock on a product, while no other operation can use the product.
    ///
    /// - Throws: `conflict.busy`, and the errors of `body`.
    func exclusively<Value>(_ identifier: String, _ body: () async throws -> Value) async throws -> Value {
        let isLocked = try state.withLock { state in
            if state.exclusive.contains(identifier) { throw Self.busy(identifier) }
            guard state.shared[identifier] == nil else { return false }
            return state.exclusive.insert(identifier).inserted
        }
        guard isLocked else { throw Self.installing(identifier) }
        defer { state.withLock { _ = $0.exclusive.remove(identifier) } }
        return try await body()
    }

    /// Takes the shared lock on products, so that no exclusive operation on any of them can begin until ``unlock(_:)``.
    ///
    /// - Throws: `conflict.busy`; no lock is held then.
    func lock(_ identifiers: Set<String>) throws(StoreError) {
        let busy = state.withLock { state in
            let busy = identifiers.first(where: state.exclusive.contains)
            if busy == nil { for identifier in identifiers { state.shared[identifier, default: 0] += 1 } }
            return busy
        }
        if let busy { throw Self.busy(busy) }
    }

    /// Releases the shared lock on products that ``lock(_:)`` took.
    func unlock(_ identifiers: Set<String>) {
        state.withLock { state in
            for identifier in identifiers {
                let others = state.shared[identifier, default: 1] - 1
                state.shared[identifier] = others == 0 ? nil : others
            }
        }
    }

    /// Returns the error for a change of a product while another operation changes it.
    static func busy(_ identifier: String) -> StoreError {
        StoreError(.operationInProgress, ["product": identifier])
    }

    /// Returns the error for a change of a product while its download runs or is about to begin.
    static func installing(_ identifier: String) -> StoreError {
        StoreError(.installationInProgress, ["product": identifier])
    }
}
