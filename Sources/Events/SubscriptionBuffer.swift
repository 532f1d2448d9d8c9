import DequeModule
import StoreModel

/// The events that one subscriber has not read yet, bounded in number.
///
/// Newer progress of a download replaces older progress of the same download; state changes are all retained. When even
/// the state changes do not fit, the buffer overflows and drops all events.
struct SubscriptionBuffer: Sendable {
    private let capacity: Int
    /// The unread events in order; `nil` where newer progress replaced an event.
    private var events: Deque<EncodedEvent?> = []
    /// The number of elements that were removed from the front: the position of an event minus this number is its
    /// index.
    private var removedCount = 0
    /// The position of the newest unread progress of each download.
    private var progressPositions: [OperationID: Int] = [:]
    /// Whether events were dropped, so that the subscriber has to take a snapshot.
    private(set) var hasOverflowed = false

    /// Creates an empty buffer.
    ///
    /// - Parameter capacity: The maximum number of events, of which at least half may be state changes.
    init(capacity: Int) { self.capacity = capacity }

    /// Appends an event, unless the buffer has overflowed.
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

    /// Removes the elements whose events were replaced.
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

    /// Removes and returns the oldest unread event.
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
