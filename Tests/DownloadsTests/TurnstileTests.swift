import Synchronization
import Testing

@testable import Downloads

@Suite struct TurnstileTests {
    @Test func `no more than the limit are inside, and all get their turn`() async throws {
        let turnstile = Turnstile(limit: 3)
        let inside = Atomic<Int>(0)
        let most = Mutex(0)
        let counts = Counts(inside: inside, most: most)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await turnstile.enter()
                    counts.enter()
                    await Task.yield()
                    counts.leave()
                    turnstile.leave()
                }
            }
            try await group.waitForAll()
        }
        #expect(counts.most.withLock { $0 } <= 3)
        #expect(counts.inside.load(ordering: .relaxed) == 0)
    }

    private final class Counts: Sendable {
        let inside: Atomic<Int>
        let most: Mutex<Int>
        init(inside: consuming Atomic<Int>, most: consuming Mutex<Int>) {
            self.inside = inside
            self.most = most
        }
        func enter() {
            let now = inside.add(1, ordering: .relaxed).newValue
            most.withLock { $0 = max($0, now) }
        }
        func leave() { inside.subtract(1, ordering: .relaxed) }
    }

    @Test func `who is cancelled in line is not inside, and holds up nobody`() async throws {
        let turnstile = Turnstile(limit: 1)
        try await turnstile.enter()
        let cancelled = Task { try await turnstile.enter() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let next = Task { try await turnstile.enter() }
        turnstile.leave()
        try await next.value
    }

    @Test func `a higher limit lets those in who wait`() async throws {
        let turnstile = Turnstile(limit: 1)
        try await turnstile.enter()
        let next = Task { try await turnstile.enter() }
        turnstile.setLimit(2)
        try await next.value
    }
}
