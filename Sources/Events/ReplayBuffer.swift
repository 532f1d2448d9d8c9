import Algorithms
import DequeModule
import StoreModel

/// A buffer of the most recent events in memory, for subscribers that reconnect after an event.
///
/// State changes are retained in order up to a bounded number. Of progress only the newest event of each download is
/// retained, because a newer one replaces it.
struct ReplayBuffer: Sendable {
    /// The number of newest events whose JSON stays encoded in memory, because readers may need it soon.
    static let encodedCount = 1000

    private let capacity: Int
    private var events: Deque<EncodedEvent> = []
    private var latestProgress: [OperationID: EncodedEvent] = [:]
    /// The retention floor: events with a greater number can be replayed from this buffer.
    private(set) var retentionFloor: UInt64
    /// Whether events were evicted, so that this buffer no longer continues the journal of the previous process.
    private(set) var hasEvicted = false

    /// Creates an empty buffer of events for replay.
    ///
    /// - Parameters:
    ///   - capacity: The maximum number of state changes; progress of downloads is not counted.
    ///   - retentionFloor: The number before the first event that can be appended.
    init(capacity: Int, retentionFloor: UInt64) {
        self.capacity = capacity
        self.retentionFloor = retentionFloor
    }

    /// Appends delivered events to the buffer, in their order, and evicts the oldest ones beyond the capacity.
    mutating func append(_ delivered: [EncodedEvent]) {
        let countBefore = events.count
        for event in delivered {
            if !event.isProgress { events.append(event) }
            if case .download(let operation, _) = event.subject {
                latestProgress[operation] = event.isProgress ? event : nil
            }
        }
        let stale = max(0, countBefore - Self.encodedCount)..<max(0, events.count - Self.encodedCount)
        for event in events[stale] { event.discardEncoding() }
        evict(events.count - capacity)
    }

    /// Evicts all events, because events before a number were dropped.
    mutating func expire(before gap: UInt64) {
        events = []
        latestProgress = [:]
        retentionFloor = gap
        hasEvicted = true
    }

    private mutating func evict(_ count: Int) {
        guard count > 0 else { return }
        retentionFloor = events[count - 1].sequence
        events.removeFirst(count)
        hasEvicted = true
    }

    /// Returns all retained events after a number, in order, including the newest progress of each download.
    ///
    /// - Parameters:
    ///   - sequence: The number of the last event that the subscriber has received.
    ///   - journaled: The previous process's events in the journal; needed only for numbers below the retention floor.
    /// - Returns: `nil` if some of the events are no longer retained.
    func events(after sequence: UInt64, journaled: EventJournalReader.Content?) -> [EncodedEvent]? {
        var replayed = Array(events[events.partitioningIndex { $0.sequence > sequence }...])
        if sequence < retentionFloor {
            // The buffer continues the journal only as long as it has all events since the start.
            guard let journaled, !hasEvicted, sequence >= journaled.retentionFloor else { return nil }
            let old = journaled.events
            replayed = Array(old[old.partitioningIndex { $0.sequence > sequence }...]) + replayed
        }
        // Without the newest progress, the subscriber would show an older one until the next progress event.
        let progress = latestProgress.values.filter { $0.sequence > sequence }
        if !progress.isEmpty { replayed = (replayed + progress).sorted { $0.sequence < $1.sequence } }
        return replayed
    }
}
