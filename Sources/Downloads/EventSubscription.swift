import StoreModel
import Synchronization

/// One observer's events, in order, as an asynchronous sequence for one reader.
///
/// What the reader has not taken yet waits in a bounded buffer: of a download's progress only the newest is kept,
/// changes of state all are. A reader that is so far behind that not even those have room gets an error that tells it
/// to take a snapshot. When nothing holds the subscription any more, it ends.
public final class EventSubscription: AsyncSequence, Sendable {
    public typealias Element = EncodedEvent

    private enum Reader {
        case none
        case waiting(CheckedContinuation<EncodedEvent?, any Error>)
    }

    private struct State {
        /// Nothing up to this one is told.
        var after: UInt64 = 0
        /// In order; `nil` where progress was replaced by what came later.
        var buffer: [EncodedEvent?] = []
        var first = 0
        /// Where in the buffer a download's newest progress lies.
        var progress: [OperationID: Int] = [:]
        var reader = Reader.none
        var isFinished = false
        var hasFallenBehind = false
    }

    private let state = Mutex(State())
    private let scope: EventFilter
    private let onEnd: @Sendable (EventSubscription) -> Void
    private let capacity: Int

    init(_ scope: EventFilter, capacity: Int, onEnd: @escaping @Sendable (EventSubscription) -> Void) {
        self.scope = scope
        self.capacity = capacity
        self.onEnd = onEnd
    }

    /// Says what is told first: `events`, and then what is offered behind `sequence`. For once, before all else.
    func begin(after sequence: UInt64, with events: [EncodedEvent]) {
        let events = scope == .all ? events : events.filter { scope.includes($0.event) }
        state.withLock { state in
            state.after = events.last?.sequence ?? sequence
            state.buffer = events
        }
    }

    /// A reader that waited and is to go on. It is woken by ``wake()``, when no lock is held: to wake a task takes a
    /// lock of the runtime's, under which that task's cancellation may be waiting for ours.
    struct Woken {
        fileprivate let continuation: CheckedContinuation<EncodedEvent?, any Error>
        fileprivate let event: EncodedEvent
        func wake() { continuation.resume(returning: event) }
    }

    /// Called by the log for all events, in their order. Never waits.
    ///
    /// - Returns: the reader, if it waited for one of these.
    func offer(_ events: [EncodedEvent]) -> Woken? {
        state.withLock { state in
            var woken: Woken?
            for event in events where event.sequence > state.after {
                guard !state.isFinished, !state.hasFallenBehind else { break }
                guard scope == .all || scope.includes(event.event) else { continue }
                if case .waiting(let continuation) = state.reader {
                    state.reader = .none
                    woken = Woken(continuation: continuation, event: event)
                } else {
                    append(event, to: &state)
                }
            }
            return woken
        }
    }

    private func append(_ event: EncodedEvent, to state: inout State) {
        if case .download(let status) = event.event.happening {
            // Whatever is newer makes older progress of the same download unnecessary.
            if let older = state.progress.removeValue(forKey: status.operation) { state.buffer[older] = nil }
            if event.isProgress { state.progress[status.operation] = state.buffer.count }
        }
        state.buffer.append(event)
        guard state.buffer.count - state.first > capacity else { return }
        compact(&state)
        if state.buffer.count - state.progress.count > capacity / 2 {
            state.hasFallenBehind = true
            state.buffer = []
            state.progress = [:]
        }
    }

    private func compact(_ state: inout State) {
        state.buffer = state.buffer[state.first...].filter { $0 != nil }
        state.first = 0
        state.progress = [:]
        for (place, event) in state.buffer.enumerated() {
            if let event, event.isProgress, case .download(let status) = event.event.happening {
                state.progress[status.operation] = place
            }
        }
    }

    private func take(from state: inout State) -> EncodedEvent? {
        while state.first < state.buffer.count {
            let event = state.buffer[state.first]
            state.buffer[state.first] = nil
            state.first += 1
            guard let event else { continue }
            if event.isProgress, case .download(let status) = event.event.happening {
                state.progress[status.operation] = nil
            }
            return event
        }
        state.buffer.removeAll(keepingCapacity: true)
        state.first = 0
        return nil
    }

    /// The next event; `nil` at the end.
    ///
    /// - Throws: `events.gone` where the reader fell too far behind.
    fileprivate func next() async throws -> EncodedEvent? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<EncodedEvent?, any Error>? = state.withLock { state in
                    if state.hasFallenBehind { return .failure(Self.fallenBehind) }
                    if let event = take(from: &state) { return .success(event) }
                    if state.isFinished || Task.isCancelled { return .success(nil) }
                    state.reader = .waiting(continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            finish()
        }
    }

    private static let fallenBehind = DownloadError(
        .eventsGone, "The reader fell too far behind. Take a snapshot and go on from its sequence number.")

    /// Ends the sequence, after what is in the buffer.
    public func finish() {
        end()?.resume(returning: nil)
        onEnd(self)
    }

    /// - Returns: the reader who waited for more.
    @discardableResult
    func end() -> CheckedContinuation<EncodedEvent?, any Error>? {
        state.withLock { state in
            state.isFinished = true
            guard case .waiting(let continuation) = state.reader else { return nil }
            state.reader = .none
            return continuation
        }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(subscription: self) }

    /// Ends the subscription when the last copy of it goes.
    public struct Iterator: AsyncIteratorProtocol {
        private let lifetime: Lifetime

        init(subscription: EventSubscription) { lifetime = Lifetime(subscription) }

        public func next() async throws -> EncodedEvent? { try await lifetime.subscription.next() }

        private final class Lifetime: Sendable {
            let subscription: EventSubscription
            init(_ subscription: EventSubscription) { self.subscription = subscription }
            deinit { subscription.finish() }
        }
    }
}
