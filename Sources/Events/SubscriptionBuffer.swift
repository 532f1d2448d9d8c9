import DequeModule
import StoreModel

/// A bounded buffer of the events that one subscriber has not read yet.
///
/// Newer progress of a download replaces older progress of the same download; state changes are all retained. When even
/// the state changes do not fit, the buffer overflows and drops all events.
struct SubscriptionBuffer: Sendable {
    private let capacity: Int
    /// The unread events in order; `nil` in place of an event that newer progress has replaced.
    private var events: Deque<EncodedEvent?> = []
    /// The number of elements that were removed from the front of ``events``.
    ///
    /// The position of an event minus this number is its index.
    private var removedCount = 0
    /// The position of the newest unread progress event of each download, by its operation.
    private var progressPositions: [OperationID: Int] = [:]
    /// Whether the buffer dropped its events because there were too many, so that the subscriber needs a snapshot.
    private(set) var hasOverflowed = false

    /// Creates an empty buffer of unread events.
    ///
    /// - Parameter capacity: The number of events that the buffer can hold. When there are more, and more than half of
    ///   this number are state changes, the buffer overflows and drops all.
    init(capacity: Int) { self.capacity = capacity }

    /// Appends an unread event, unless the buffer has overflowed.
    mutating func append(_ event: EncodedEvent) {
        guard !hasOverflowed else { return }
        if case .download(let operation, _) = event.subject {
            if let position = progressPositions.removeValue(forKey: operation) {
                events[position - removedCount] = nil
            }
            if event.isProgress { progressPositions[operation] = removedCount + events.count }
        }
        events.append(event)
        guard events.count > capacity else { return }
        compact()
        if events.count - progressPositions.count > capacity / 2 { overflow() }
    }

    /// Drops all events, and takes no further ones.
    mutating func overflow() {
        hasOverflowed = true
        events = []
        progressPositions = [:]
    }

    /// Removes the empty elements of events that newer progress has replaced.
    private mutating func compact() {
        events = events.filter { $0 != nil }
        removedCount = 0
        progressPositions = [:]
        for (position, event) in events.enumerated() {
            if let event, event.isProgress, case .download(let operation, _) = event.subject {
                progressPositions[operation] = position
            }
        }
    }

    /// Removes and returns the oldest unread event; `nil` if there is none.
    mutating func popFirst() -> EncodedEvent? {
        while let element = events.popFirst() {
            removedCount += 1
            guard let event = element else { continue }
            if event.isProgress, case .download(let operation, _) = event.subject {
                progressPositions[operation] = nil
            }
            return event
        }
        return nil
    }
}
