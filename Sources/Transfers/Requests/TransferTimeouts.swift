/// The time limits of a transfer's phases, and the lowest rate of its body; `nil` is unlimited.
public struct TransferTimeouts: Sendable, Hashable {
    /// The limit for name resolution, connection and TLS handshake together, for the first host and after each
    /// redirect.
    public var connect: Duration?
    /// The limit from the end of the request to the end of the response's headers, for the first host and after each
    /// redirect.
    public var answer: Duration?
    /// The lowest rate at which the body may arrive; a transfer that is paused on this side does not count.
    public var stall: StallLimit?
    /// The limit for the complete transfer, including the wait for a connection.
    public var whole: Duration?

    /// Creates limits; by default 15 s to connect, 30 s for the response, and at least one byte in 30 s.
    public init(
        connect: Duration? = .seconds(15), answer: Duration? = .seconds(30), stall: StallLimit? = .init(),
        whole: Duration? = nil
    ) {
        self.connect = connect
        self.answer = answer
        self.stall = stall
        self.whole = whole
    }

    /// The limits for streams in which long silence is normal: only connecting has a limit.
    public static let patient = TransferTimeouts(answer: nil, stall: nil)
}

/// The lowest rate at which a body may arrive: a transfer stalls when fewer than `bytes` arrive in `window`.
public struct StallLimit: Sendable, Hashable {
    /// The minimum number of bytes in each window.
    public var bytes: Int
    /// The length of the window in which the bytes have to arrive.
    public var window: Duration

    /// Creates a limit; by default, at least one byte has to arrive in 30 s.
    public init(bytes: Int = 1, in window: Duration = .seconds(30)) {
        self.bytes = bytes
        self.window = window
    }
}
