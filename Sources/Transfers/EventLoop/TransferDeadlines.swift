/// The deadlines of one transfer by its timeouts, which depend on the phase that the transfer is in.
///
/// A value without a clock: each event passes the current time. The connect timeout is left to libcurl, because only
/// libcurl knows when a transfer leaves the queue for a connection.
struct TransferDeadlines {
    typealias Instant = ContinuousClock.Instant

    enum Phase: Equatable {
        /// A phase of a transfer: it waits for a connection.
        ///
        /// Ends with ``requestWasSent(at:)``, or with ``responseDidBegin(at:)``.
        case connecting
        /// A phase of a transfer: it waits for the headers of the response, since the time `since`.
        ///
        /// Ends with ``responseDidBegin(at:)``, or with ``redirected()``, which connects again.
        case waiting(since: Instant)
        /// A phase of a transfer: it receives the body.
        ///
        /// `since` and `bytes` are the start of the current window, in which the body's rate is measured, and the bytes
        /// received in it.
        ///
        /// Ends with ``paused()``.
        case receiving(since: Instant, bytes: Int)
        /// A phase of a transfer: it is paused, because the receiver has no room or the rate limit is used up.
        ///
        /// The time does not count as a stall of the server.
        ///
        /// Ends with ``resumed(at:)``.
        case paused
    }

    enum Expiry: Equatable {
        case answer(Duration)
        case stall(StallLimit)
        case whole(Duration)
    }

    private let timeouts: TransferTimeouts
    private let started: Instant
    private(set) var phase = Phase.connecting

    init(_ timeouts: TransferTimeouts, at now: Instant) {
        self.timeouts = timeouts
        started = now
    }

    mutating func requestWasSent(at now: Instant) {
        if case .connecting = phase { phase = .waiting(since: now) }
    }

    mutating func redirected() {
        if case .waiting = phase { phase = .connecting }
    }

    mutating func responseDidBegin(at now: Instant) {
        switch phase {
        case .connecting, .waiting: phase = .receiving(since: now, bytes: 0)
        case .receiving, .paused: break
        }
    }

    mutating func received(_ count: Int) {
        if case .receiving(let since, let bytes) = phase { phase = .receiving(since: since, bytes: bytes + count) }
    }

    mutating func paused() {
        if case .receiving = phase { phase = .paused }
    }

    mutating func resumed(at now: Instant) {
        if case .paused = phase { phase = .receiving(since: now, bytes: 0) }
    }

    /// The time of the transfer's next deadline, at which to call ``expiry(at:)``.
    ///
    /// `nil` where no limit applies in this phase.
    var next: Instant? {
        let ofPhase: Instant? =
            switch phase {
            case .connecting, .paused: nil
            case .waiting(let since): timeouts.answer.map { since + $0 }
            case .receiving(let since, _): timeouts.stall.map { since + $0.window }
            }
        let ofWhole = timeouts.whole.map { started + $0 }
        return [ofPhase, ofWhole].compactMap { $0 }.min()
    }

    /// Returns the time limit of the transfer that has passed; `nil` where none has.
    ///
    /// When a stall window ends with enough bytes, the next one begins.
    mutating func expiry(at now: Instant) -> Expiry? {
        if let whole = timeouts.whole, now >= started + whole { return .whole(whole) }
        switch phase {
        case .connecting, .paused:
            return nil
        case .waiting(let since):
            guard let answer = timeouts.answer, now >= since + answer else { return nil }
            return .answer(answer)
        case .receiving(let since, let bytes):
            guard let stall = timeouts.stall, now >= since + stall.window else { return nil }
            if bytes < stall.bytes { return .stall(stall) }
            phase = .receiving(since: now, bytes: 0)
            return nil
        }
    }
}
