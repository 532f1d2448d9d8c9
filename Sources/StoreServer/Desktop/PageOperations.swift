import StoreModel
import Synchronization

/// The operations that users began on web pages or with buttons of notifications; a notification reports their end.
///
/// A user may have left the page. A program at the socket that begins an operation shows its end itself.
final class PageOperations: Sendable {
    /// The maximum number of operations; when it is reached, all are discarded, because those that were cancelled are
    /// never removed.
    private static let maximumCount = 10_000

    private let operations = Mutex<Set<OperationID>>([])

    /// Adds an operation that was begun; nothing for `nil`.
    func insert(_ operation: OperationID?) {
        guard let operation else { return }
        operations.withLock { operations in
            if operations.count >= Self.maximumCount { operations = [] }
            operations.insert(operation)
        }
    }

    /// Removes an operation that has ended, and returns whether it was one of these.
    func remove(_ operation: OperationID) -> Bool { operations.withLock { $0.remove(operation) != nil } }
}
