/// The deadlines of one transfer by its timeouts, which depend on the phase that the transfer is in.
///
/// A value without a clock: each event passes the current time. The connect timeout of a connection that is being opened
/// is left to libcurl; that of a transfer without one is not, because libcurl 7.88 has no time limit for it.
struct TransferDeadlines {
    typealias Instant = ContinuousClock.Instant

    enum Phase: Equatable {
        /// A phase of a transfer: it waits in libcurl's queue for a connection, since the time `since`.
        ///
        /// Ends with ``connectionWillBeOpened()``, or with ``requestWasSent(at:)`` where an open connection serves it.
        case queued(since: Instant)
        /// A phase of a transfer: a connection is opened for it, which begins with the lookup of the host's name.
        ///
        /// Ends with ``requestWasSent(at:)``, or with ``responseDidBegin(at:)``.
        case connecting
        /// A phase of a transfer: it waits for the headers of the response, since the time `since`.
        ///
        /// Ends with ``responseDidBegin(at:)``, or with ``redirected(at:)``.
        case waiting(since: Instant)
        /// A phase of a transfer: it waits for the end of a redirect's body, since the time `since`.
        ///
        /// Ends with ``redirectWasFollowed(at:)``, ``connectionWillBeOpened()`` or ``requestWasSent(at:)``.
        case redirecting(since: Instant)
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
        case connection(Duration)
        case answer(Duration)
        case redirect(Duration)
        case stall(StallLimit)
        case whole(Duration)
    }

    private let timeouts: TransferTimeouts
    private let requestedAt: Instant
    private(set) var phase: Phase

    /// Creates the deadlines of a transfer that is handed to libcurl now.
    ///
    /// - Parameter requestedAt: when the transfer was requested; `nil` is now. It may have waited for its host since then.
    init(_ timeouts: TransferTimeouts, requestedAt: Instant? = nil, at now: Instant) {
        self.timeouts = timeouts
        self.requestedAt = requestedAt ?? now
        phase = .queued(since: now)
    }

    /// Whether the transfer waits in libcurl's queue, so that it has no connection and none is opened for it.
    var isQueued: Bool { if case .queued = phase { true } else { false } }

    /// Whether the transfer waits for the end of a redirect's body.
    var isRedirecting: Bool { if case .redirecting = phase { true } else { false } }

    mutating func connectionWillBeOpened() {
        switch phase {
        // Also while it waits for a response: libcurl repeats a request on a new connection if a reused one was closed.
        case .queued, .redirecting, .waiting: phase = .connecting
        case .connecting, .receiving, .paused: break
        }
    }

    mutating func requestWasSent(at now: Instant) {
        switch phase {
        case .queued, .connecting, .redirecting: phase = .waiting(since: now)
        case .waiting, .receiving, .paused: break
        }
    }

    mutating func redirected(at now: Instant) {
        if case .waiting = phase { phase = .redirecting(since: now) }
    }

    mutating func redirectWasFollowed(at now: Instant) {
        if case .redirecting = phase { phase = .queued(since: now) }
    }

    mutating func responseDidBegin(at now: Instant) {
        switch phase {
        case .queued, .connecting, .waiting, .redirecting: phase = .receiving(since: now, bytes: 0)
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

    /// The time of the transfer's next deadline, at which to call ``expiry(at:othersAreConnected:)``.
    ///
    /// `nil` where no limit applies in this phase.
    var next: Instant? {
        let ofPhase: Instant? =
            switch phase {
            case .connecting, .paused: nil
            case .queued(let since): timeouts.connect.map { since + $0 }
            case .waiting(let since), .redirecting(let since): timeouts.answer.map { since + $0 }
            case .receiving(let since, _): timeouts.stall.map { since + $0.window }
            }
        let ofWhole = timeouts.whole.map { requestedAt + $0 }
        return [ofPhase, ofWhole].compactMap { $0 }.min()
    }

    /// Returns the time limit of the transfer that has passed; `nil` where none has.
    ///
    /// When a stall window ends with enough bytes, the next one begins.
    ///
    /// - Parameter othersAreConnected: whether another transfer has a connection, or has one opened; then a queued transfer
    ///   goes on to wait, because it may have to wait for the end of the other.
    mutating func expiry(at now: Instant, othersAreConnected: Bool) -> Expiry? {
        if let whole = timeouts.whole, now >= requestedAt + whole { return .whole(whole) }
        switch phase {
        case .connecting, .paused:
            return nil
        case .queued(let since):
            guard let connect = timeouts.connect, now >= since + connect else { return nil }
            if !othersAreConnected { return .connection(connect) }
            phase = .queued(since: now)
            return nil
        case .waiting(let since):
            guard let answer = timeouts.answer, now >= since + answer else { return nil }
            return .answer(answer)
        case .redirecting(let since):
            guard let answer = timeouts.answer, now >= since + answer else { return nil }
            return .redirect(answer)
        case .receiving(let since, let bytes):
            guard let stall = timeouts.stall, now >= since + stall.window else { return nil }
            if bytes < stall.bytes { return .stall(stall) }
            phase = .receiving(since: now, bytes: 0)
            return nil
        }
    }
}
