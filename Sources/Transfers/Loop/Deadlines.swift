/// When a transfer has waited too long. A value without a clock of its own: it is told the time with each event.
///
/// Connecting has no limit here; libcurl keeps that one, because only it knows when a transfer leaves the
/// queue for a connection.
struct Deadlines {
    typealias Instant = ContinuousClock.Instant

    enum Phase: Equatable {
        /// Left by ``sent(at:)``.
        case connecting
        /// The request is on its way. Left by ``answered(at:)`` and, to connect again, by ``redirected()``.
        case waiting(since: Instant)
        /// Bytes come. Left by ``paused()``; a redirect can't come any more.
        case receiving(since: Instant, bytes: Int)
        /// Whoever takes the bytes has no room; that is not the server's fault. Left by ``resumed(at:)``.
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

    mutating func sent(at now: Instant) {
        if case .connecting = phase { phase = .waiting(since: now) }
    }

    mutating func redirected() {
        if case .waiting = phase { phase = .connecting }
    }

    mutating func answered(at now: Instant) {
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

    /// When to ask for ``expiry(at:)`` next; `nil` is never.
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

    /// The limit that was passed, if one was. Where a window passed with enough bytes, the next one begins.
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
