import Synchronization

/// Allocates blocks of sequence numbers as the database does, and outlives the event buses that use it.
final class EventCounter: Sendable {
    private let next: Mutex<UInt64>

    init(first: UInt64 = 1000) { next = Mutex(first) }

    func allocate(_ count: Int) -> Range<UInt64> {
        next.withLock { next in
            defer { next += UInt64(count) }
            return next..<next + UInt64(count)
        }
    }
}
