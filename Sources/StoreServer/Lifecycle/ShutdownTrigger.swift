/// A one-shot signal that shuts the daemon down; the first request determines the reason.
final class ShutdownTrigger: Sendable {
    /// The reason why the daemon shuts down.
    enum Reason: String, Sendable {
        /// The daemon shuts down because its process received SIGTERM or SIGINT.
        case signal
        /// The daemon shuts down because a client requested it with `POST /v1/shutdown`.
        case request
        /// The daemon shuts down because it was idle for the time of the setting `daemon.idleTimeout`.
        ///
        /// It is idle while no connection is open and no download is active.
        case idle
        /// The daemon restarts because the scenario (a scripted test) that it runs requests it.
        case restart
    }

    private let reasons: AsyncStream<Reason>
    private let continuation: AsyncStream<Reason>.Continuation

    init() {
        (reasons, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// Requests the shutdown of the daemon.
    ///
    /// Further requests have no effect.
    func request(_ reason: Reason) { continuation.yield(reason) }

    /// Waits for a request to shut the daemon down, and returns its reason; `nil` if the task was cancelled.
    ///
    /// Only one task may wait.
    func wait() async -> Reason? {
        for await reason in reasons { return reason }
        return nil
    }
}
