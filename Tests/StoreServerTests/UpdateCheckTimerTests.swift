import StoreTestSupport
import Synchronization
import Testing

@testable import StoreServer

@Suite(.hangGuard) struct UpdateCheckTimerTests {
    private final class Count: Sendable {
        private let value = Mutex(0)
        private let asked = Mutex<[Duration]>([])
        var looks: Int { value.withLock { $0 } }
        var intervals: [Duration] { asked.withLock { $0 } }
        func look() { value.withLock { $0 += 1 } }
        func ask(_ interval: Duration) { asked.withLock { $0.append(interval) } }
    }

    private func timer(_ count: Count, wait: Duration = .milliseconds(1)) -> UpdateCheckTimer {
        UpdateCheckTimer { interval in
            count.ask(interval)
            return wait
        } check: {
            count.look()
        }
    }

    @Test func `the timer checks until it is stopped`() async throws {
        let count = Count()
        let timer = timer(count)
        timer.set(nil)
        #expect(count.intervals.isEmpty)
        timer.set(.seconds(7))
        try await eventually { count.looks > 3 }
        #expect(count.intervals.allSatisfy { $0 == .seconds(7) })
        timer.set(.seconds(9))
        try await eventually { count.intervals.last == .seconds(9) }
        timer.stop()
        timer.set(.seconds(11))
        let looks = count.looks
        for _ in 0..<20 { try await Task.sleep(for: .milliseconds(1)) }
        // A check that had begun when the timer was stopped may still have ended.
        #expect(count.looks <= looks + 1 && !count.intervals.contains(.seconds(11)))
    }

    @Test func `setting the same interval does not restart the timer`() async throws {
        let count = Count()
        let timer = timer(count, wait: .seconds(86_400))
        timer.set(.seconds(7))
        try await eventually { count.intervals.count == 1 }
        timer.set(.seconds(7))
        timer.set(.seconds(7))
        for _ in 0..<20 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(count.intervals.count == 1 && count.looks == 0)
        timer.stop()
    }
}
