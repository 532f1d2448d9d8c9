/// The time limits of a transfer's phases; `nil` is unlimited.
public struct TransferTimeouts: Sendable, Hashable {
    /// The limit for name resolution, connection and TLS handshake together, for each host on the way.
    public var connect: Duration?
    /// The limit from the end of the request to the end of the response's headers, for each host on the way.
    public var answer: Duration?
    /// The lowest rate at which a body may arrive.
    public var stall: StallLimit?
    /// The limit for the complete transfer, including the wait for a connection.
    public var whole: Duration?

    /// Creates limits.
    public init(
        connect: Duration? = .seconds(15), answer: Duration? = .seconds(30), stall: StallLimit? = .init(),
        whole: Duration? = nil
    ) {
        self.connect = connect
        self.answer = answer
        self.stall = stall
        self.whole = whole
    }

    /// Limits for streams in which silence is normal: only connecting has a limit.
    public static let patient = TransferTimeouts(answer: nil, stall: nil)
}

/// The lowest rate at which a body may arrive: a transfer stalls when fewer than `bytes` arrive in `window`.
public struct StallLimit: Sendable, Hashable {
    /// The minimum number of bytes.
    public var bytes: Int
    /// The time in which they have to arrive.
    public var window: Duration

    /// Creates a limit.
    public init(bytes: Int = 1, in window: Duration = .seconds(30)) {
        self.bytes = bytes
        self.window = window
    }
}
