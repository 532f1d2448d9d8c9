public import StoreModel

/// Why the daemon could not be talked to. What the daemon itself refuses comes as the `ErrorReport` that it sent.
public struct StoreClientError: CodedError {
    public let code: ErrorCode
    public let message: String

    init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode {
    /// Nobody answers at the daemon's socket.
    public static let daemonUnreachable = ErrorCode("daemon.unreachable", .daemon)
    /// The daemon's program is not there, or it ended as soon as it was started.
    public static let daemonNotStarted = ErrorCode("daemon.not-started", .daemon)
    /// Daemon and client don't understand each other: they come from different releases.
    public static let daemonVersion = ErrorCode("daemon.version", .daemon)
    /// Something answers that does not talk as the daemon does.
    public static let daemonBadAnswer = ErrorCode("daemon.bad-answer", .daemon)
    /// The program that listens at the socket is not run by this user.
    public static let daemonForeign = ErrorCode("daemon.foreign", .daemon)
    /// The daemon was stopped while something was waited for.
    public static let daemonStopped = ErrorCode("daemon.stopped", .daemon)
}

extension StoreClientError {
    static func version(daemon: String) -> StoreClientError {
        StoreClientError(
            .daemonVersion,
            "The running daemon speaks version \(daemon) of the interface, this program version "
                + "\(StoreClient.interfaceVersion). End it with 'storectl daemon stop'; "
                + "the next command starts the right one."
        )
    }

    static func badAnswer(_ what: String, _ reason: String) -> StoreClientError {
        StoreClientError(
            .daemonBadAnswer,
            "The daemon's answer to \(what) can't be used: \(reason). Restart it with 'storectl daemon stop'.")
    }
}
