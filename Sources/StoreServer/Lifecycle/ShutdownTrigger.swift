/// The one word that ends the daemon, whoever says it first.
final class ShutdownTrigger: Sendable {
    enum Reason: String, Sendable {
        /// SIGTERM or SIGINT.
        case signal
        /// A client asked for it.
        case request
        /// Nobody has wanted anything for long.
        case idle
        /// The story that is played has it start again.
        case restart
    }

    private let reasons: AsyncStream<Reason>
    private let say: AsyncStream<Reason>.Continuation

    init() {
        (reasons, say) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    func request(_ reason: Reason) { say.yield(reason) }

    /// Waits for it; `nil` where the waiting task was cancelled. One task may wait.
    func wait() async -> Reason? {
        for await reason in reasons { return reason }
        return nil
    }
}
