import Synchronization
import Testing

@testable import StoreModel

@Suite struct DeadlineTests {
    private static let late = StoreError(.noStores, ["product": "a"])

    /// A clock on which waits end at once, or not before they are cancelled.
    private func clock(passes: Bool) -> TimeSource {
        let system = TimeSource.system
        return TimeSource(
            date: system.date, now: system.now,
            sleep: { _, _ in if !passes { try await forever() } }, jitter: system.jitter)
    }

    /// Otherwise what a cancelled wait of five minutes has scheduled stays in memory for five minutes.
    @Test(
        arguments: [
            (.zero, [.zero]), (.seconds(3), [.seconds(3)]), (.seconds(10), [.seconds(10)]),
            (.seconds(25), [.seconds(10), .seconds(10), .seconds(5)]),
        ] as [(Duration, [Duration])])
    func `the system's clock waits in parts`(duration: Duration, parts: [Duration]) async throws {
        var (time, slept) = (ContinuousClock.now, [Duration]())
        try await TimeSource.sleepInParts(
            duration, now: { time },
            sleep: {
                slept.append($0)
                time += $0
            })
        #expect(slept == parts)
        // A part that took too long, such as one during which the computer was suspended, is the last.
        slept = []
        try await TimeSource.sleepInParts(
            .seconds(25), now: { time },
            sleep: {
                slept.append($0)
                time += .seconds(3600)
            })
        #expect(slept == [.seconds(10)])
    }

    @Test func `a body that ends in time has its result`() async throws {
        let value = try await clock(passes: false).withDeadline(.seconds(1), "a", error: Self.late) { 7 }
        #expect(value == 7)
        await #expect(throws: CancellationError.self) {
            try await clock(passes: false).withDeadline(.seconds(1), "a", error: Self.late) {
                throw CancellationError()
            }
        }
    }

    @Test func `a body that takes too long is cancelled`() async {
        let flag = Flag()
        let error = await #expect(throws: StoreError.self) {
            try await clock(passes: true).withDeadline(.seconds(1), "a", error: Self.late) {
                do {
                    try await forever()
                } catch {
                    flag.isSet.withLock { $0 = true }
                    throw error
                }
            }
        }
        #expect(error?.code == .productUnknown)
        #expect(flag.isSet.withLock { $0 })
    }
}

/// Waits until the task is cancelled.
private func forever() async throws { try await Task.sleep(for: .seconds(1_000_000)) }

private final class Flag: Sendable {
    let isSet = Mutex(false)
}
