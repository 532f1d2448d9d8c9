import StoreTestSupport
import Synchronization
import Testing

@testable import StoreServer

@Suite(.hangGuard) struct UpdateCheckTimerTests {
    /// What a timer did.
    private final class Log: Sendable {
        private struct State {
            var checks = 0
            var intervals: [Duration] = []
            var cancellations = 0
        }
        private let state = Mutex(State())
        var checks: Int { state.withLock { $0.checks } }
        var intervals: [Duration] { state.withLock { $0.intervals } }
        var cancellations: Int { state.withLock { $0.cancellations } }
        func addCheck() { state.withLock { $0.checks += 1 } }
        func add(_ interval: Duration) { state.withLock { $0.intervals.append(interval) } }
        func addCancellation() { state.withLock { $0.cancellations += 1 } }
    }

    /// An object that the functions of a timer refer to, so that it lives as long as the timer and its tasks.
    private final class Token: Sendable {}

    @Test func `the timer checks until it is stopped`() async throws {
        let log = Log()
        var token: Token? = Token()
        weak let life = token
        var timer: UpdateCheckTimer? = UpdateCheckTimer { [token] interval in
            withExtendedLifetime(token) { log.add(interval) }
            return .milliseconds(1)
        } check: {
            log.addCheck()
        }
        token = nil
        timer?.set(nil)
        #expect(log.intervals.isEmpty)
        timer?.set(.seconds(7))
        try await eventually { log.checks > 3 }
        #expect(log.intervals.allSatisfy { $0 == .seconds(7) })
        timer?.set(.seconds(9))
        try await eventually { log.intervals.last == .seconds(9) }
        timer?.stop()
        timer?.set(.seconds(11))
        timer = nil
        // Without the timer, only its tasks keep the token: when it is gone, no check can follow.
        try await eventually { life == nil || log.intervals.contains(.seconds(11)) }
        #expect(!log.intervals.contains(.seconds(11)))
    }

    @Test func `setting the same interval does not restart the timer`() async throws {
        let log = Log()
        let timer = UpdateCheckTimer { interval in
            // Until it is cancelled, which a change of the interval does before it returns.
            let (never, continuation) = AsyncStream.makeStream(of: Void.self)
            await withTaskCancellationHandler {
                log.add(interval)
                for await _ in never {}
            } onCancel: {
                log.addCancellation()
                continuation.finish()
            }
            return .seconds(86_400)
        } check: {
            log.addCheck()
        }
        timer.set(.seconds(7))
        try await eventually { log.intervals.count == 1 }
        timer.set(.seconds(7))
        timer.set(.seconds(7))
        #expect(log.cancellations == 0)
        timer.set(.seconds(9))
        #expect(log.cancellations == 1)
        try await eventually { log.intervals == [.seconds(7), .seconds(9)] }
        timer.stop()
        #expect(log.cancellations == 2 && log.checks == 0)
    }
}
