public import StoreModel

/// The part of the event bus for subscriptions, with a replay of events that the subscriber has missed.
extension EventBus {
    /// Subscribes to events from now on, or to all events after a cursor.
    ///
    /// - Parameters:
    ///   - cursor: The sequence number of the last event that the subscriber has received; `nil` begins with the next
    ///     event.
    ///   - filter: Which events are received.
    /// - Throws: `events.gone` if some of the events after `cursor` are no longer retained, or `cursor` was never an
    ///   event's number.
    public func subscribe(
        after cursor: UInt64? = nil, filter: EventFilter = .all
    ) throws(StoreError) -> EventSubscription {
        let journaled = cursor.flatMap { $0 < startSequence ? readPreviousEvents() : nil }
        let subscription = EventSubscription(filter, capacity: subscriptionCapacity) { [weak self] subscription in
            self?.remove(subscription)
        }
        let isRetained = state.withLock { state in
            var replayed: [EncodedEvent] = []
            if let cursor {
                // A quarter of the buffer is left for events that are published while the replayed ones are read.
                guard cursor <= state.sequence.last,
                    let events = state.replay.events(after: cursor, journaled: journaled),
                    events.count <= subscriptionCapacity / 4 * 3
                else { return false }
                replayed = events
            }
            subscription.begin(after: cursor ?? state.sequence.last, replaying: replayed)
            if state.isClosed {
                // The subscription has no reader yet, so that no reader has to be resumed.
                subscription.end()
            } else {
                state.subscriptions[ObjectIdentifier(subscription)] = subscription
            }
            return true
        }
        guard cursor ?? 0 <= lastSequence else { throw StoreError(.eventsNotReached, ["sequence": "\(cursor ?? 0)"]) }
        guard isRetained else { throw StoreError(.eventsExpired, ["sequence": "\(cursor ?? 0)"]) }
        return subscription
    }

    private func remove(_ subscription: EventSubscription) {
        state.withLock { $0.subscriptions[ObjectIdentifier(subscription)] = nil }
    }

    private func readPreviousEvents() -> EventJournalReader.Content? {
        previousEvents.withLock { previous in
            if case .unread(let reader) = previous { previous = .read(reader.read()) }
            if case .read(let content) = previous { return content }
            return nil
        }
    }

    /// Returns the state that the previous process had published, if that process ended without closing its journal.
    ///
    /// Such a process may have done more than it could publish. The result is `nil` if the journal was closed, or
    /// contains nothing that can be read.
    public func stateBeforeCrash() async -> JournaledState? {
        await withCheckedContinuation { continuation in
            queue.async {
                let wasClosed = self.previousEvents.withLock { previous in
                    if case .unread(let reader) = previous { reader.wasClosed } else { true }
                }
                let content = wasClosed ? nil : self.readPreviousEvents()
                continuation.resume(returning: content.map { JournaledState($0.events) })
            }
        }
    }
}
