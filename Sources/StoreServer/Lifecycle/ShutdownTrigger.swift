/// A one-shot signal that shuts the daemon down; the first request determines the reason.
final class ShutdownTrigger: Sendable {
    /// The reason why the daemon shuts down.
    enum Reason: String, Sendable {
        /// The process received SIGTERM or SIGINT.
        case signal
        /// A client requested the shutdown with `POST /v1/shutdown`.
        case request
        /// No connection was open and no download active for the time of the setting `daemon.idleTimeout`.
        case idle
        /// The scenario that the daemon runs restarts the daemon.
        case restart
    }

    private let reasons: AsyncStream<Reason>
    private let continuation: AsyncStream<Reason>.Continuation

    init() {
        (reasons, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// Requests the shutdown.
    ///
    /// Further requests have no effect.
    func request(_ reason: Reason) { continuation.yield(reason) }

    /// Waits for a request; returns `nil` if the task was cancelled.
    ///
    /// Only one task may wait.
    func wait() async -> Reason? {
        for await reason in reasons { return reason }
        return nil
    }
}
