import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreEngine

@Suite(.hangGuard) struct ConcurrencyLimitTests {
    private let limit = ConcurrencyLimit(2)

    /// A count of the functions that run, and the greatest count so far.
    private final class Running: Sendable {
        private let state = Mutex((count: 0, most: 0))
        var count: Int { state.withLock { $0.count } }
        var most: Int { state.withLock { $0.most } }

        func begin() { state.withLock { $0 = ($0.count + 1, max($0.most, $0.count + 1)) } }

        func end() { state.withLock { $0.count -= 1 } }
    }

    private func waiting(_ count: Int) async {
        while await limit.waitingCount != count { await Task.yield() }
    }

    @Test func `no more functions than the limit run at once, and all run in the end`() async throws {
        let running = Running()
        let first = Promise<Void>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10 {
                group.addTask { [limit] in
                    try await limit.run {
                        running.begin()
                        if number == 0 { try await first.value() }
                        await Task.yield()
                        running.end()
                    }
                }
            }
            for _ in 0..<9 { try await group.next() }
            first.keep(())
            try await group.waitForAll()
        }
        #expect(running.most <= 2 && running.count == 0)
    }

    @Test func `a cancelled task that waits gives up its place`() async throws {
        let (one, two) = (Promise<Void>(), Promise<Void>())
        let begun = [Promise<Void>(), Promise<Void>()]
        let holders = zip(begun, [one, two]).map { begun, promise in
            Task { [limit] in
                try await limit.run {
                    begun.keep(())
                    try await promise.value()
                }
            }
        }
        for begun in begun { try await begun.value() }
        let cancelled = Task { [limit] in try await limit.run {} }
        await waiting(1)
        cancelled.cancel()
        await waiting(0)
        let last = Task { [limit] in try await limit.run { "ran" } }
        await waiting(1)
        one.keep(())
        #expect(try await last.value == "ran")
        two.keep(())
        for holder in holders { try await holder.value }
    }
}
