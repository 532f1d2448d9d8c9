import Logging
import StoreModel
import StoreSystem

/// The part of the event bus that delivers events to the journal and to subscriptions, on a dispatch queue.
extension EventBus {
    /// Delivers all published events that are not delivered yet to the journal and to subscriptions.
    ///
    /// Runs on ``queue``, where only one call runs at a time.
    func deliver() {
        while true {
            let (events, gap) = state.withLock { state in
                if state.undelivered.isEmpty, state.gap == nil { state.isDelivering = false }
                defer { (state.undelivered, state.gap) = ([], nil) }
                return (state.undelivered, state.gap)
            }
            if events.isEmpty, gap == nil { return }
            guard let gap else {
                deliver(events)
                continue
            }
            let first = events.firstIndex { $0.sequence > gap } ?? events.endIndex
            deliver(Array(events[..<first]))
            expire(before: gap)
            deliver(Array(events[first...]))
        }
    }

    private func deliver(_ events: [EncodedEvent]) {
        appendToJournal(events.filter { !$0.isProgress })
        // A subscription that begins after this finds the events in the replay buffer.
        let (subscriptions, hasEvicted) = state.withLock { state in
            state.replay.append(events)
            return (Array(state.subscriptions.values), state.replay.hasEvicted)
        }
        if hasEvicted { previousEvents.withLock { $0 = .read(nil) } }
        for subscription in subscriptions { subscription.offer(events)?.resume() }
    }

    /// Discards all events up to a number, because events before it were dropped, and ends the subscriptions that have
    /// missed these.
    private func expire(before gap: UInt64) {
        journal.withLock { $0?.expire(before: gap) }
        previousEvents.withLock { $0 = .read(nil) }
        let subscriptions = state.withLock { state in
            state.replay.expire(before: gap)
            return Array(state.subscriptions.values)
        }
        for subscription in subscriptions { subscription.expire(before: gap)?.resume() }
        log?.warning("dropped events, because no event numbers could be reserved; event readers must take a snapshot")
    }

    private func appendToJournal(_ events: [EncodedEvent]) {
        guard !events.isEmpty else { return }
        journal.withLock { journal in
            let hadFailed = journal?.failure != nil
            journal?.append(events)
            if let failure = journal?.failure, !hadFailed { Self.logWarning(failure, to: log) }
        }
    }

    /// A warning for display while events can't be written to the event journal; `nil` while they can.
    public var warning: String? { journal.withLock { $0?.failure }.map(Self.warning(for:)) }

    static func logWarning(_ failure: StoreError, to log: Logger?) { log?.warning("\(warning(for: failure))") }

    private static func warning(for failure: StoreError) -> String {
        "could not write the event journal; after a restart, event readers must take a snapshot: \(failure.message)"
    }

    /// Waits until all events published before are in the journal and in the buffers of the subscriptions.
    public func flush() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Delivers the published events, ends every subscription after them, and closes the event journal.
    ///
    /// Events published later are not delivered.
    public func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.deliver()
                // Events without a number are lost, so that a subscriber must not continue after those before them.
                let lost = self.state.withLock { $0.unnumbered.isEmpty ? nil : $0.sequence.last + 1 }
                self.journal.withLock { journal in
                    if let lost { journal?.expire(before: lost) }
                    journal?.close()
                    journal = nil
                }
                continuation.resume()
            }
        }
        let subscriptions = state.withLock { state in
            state.isClosed = true
            defer { state.subscriptions = [:] }
            return Array(state.subscriptions.values)
        }
        for subscription in subscriptions { subscription.finish() }
    }
}
