/// The time limits of a transfer's phases, and the lowest rate of its body; `nil` is unlimited.
public struct TransferTimeouts: Sendable, Hashable {
    /// The time limit for name resolution, connection and TLS handshake together; `nil` is unlimited.
    ///
    /// It applies to the first host and again after each redirect. It is also the time after which a transfer ends that waits
    /// for a connection while no other transfer has one.
    public var connect: Duration?
    /// The time limit from the end of the request to the end of the response's headers; `nil` is unlimited.
    ///
    /// It applies to the first host and again after each redirect. It also limits the time from a redirect's headers to the
    /// end of its body.
    public var answer: Duration?
    /// The lowest rate at which the response's body may arrive; `nil` is unlimited.
    ///
    /// A transfer that is paused on this side does not count.
    public var stall: StallLimit?
    /// The time limit for the complete transfer, including the waits for its host and for a connection; `nil` is unlimited.
    public var whole: Duration?

    /// Creates time limits for a transfer.
    ///
    /// By default they are 15 s to connect, 30 s for the response, and at least one byte of the body in 30 s.
    public init(
        connect: Duration? = .seconds(15), answer: Duration? = .seconds(30), stall: StallLimit? = .init(),
        whole: Duration? = nil
    ) {
        self.connect = connect
        self.answer = answer
        self.stall = stall
        self.whole = whole
    }
}

/// The lowest rate at which a body may arrive: a transfer stalls when fewer than `bytes` arrive in `window`.
public struct StallLimit: Sendable, Hashable {
    /// The minimum number of bytes of the response's body that must arrive in each window of time.
    public var bytes: Int
    /// The length of the window of time in which the minimum number of bytes has to arrive.
    public var window: Duration

    /// Creates the lowest rate at which a response's body may arrive; by default, at least one byte in 30 s.
    public init(bytes: Int = 1, in window: Duration = .seconds(30)) {
        self.bytes = bytes
        self.window = window
    }
}
