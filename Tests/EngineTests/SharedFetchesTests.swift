import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreEngine

/// Tests that callers share fetches in progress, and that a fetch ends when nobody waits for it any more.
@Suite(.hangGuard) struct SharedFetchesTests {
    private struct Failure: Error {}

    /// A fetch that waits until it is answered, and records how often it began and was cancelled.
    private final class Answer: Sendable {
        private let state = Mutex((begun: 0, cancelled: 0))
        private let promise = Promise<Int>()

        var begun: Int { state.withLock { $0.begun } }
        var cancelled: Int { state.withLock { $0.cancelled } }

        func keep(_ value: Int) { promise.keep(value) }

        func fetch() async throws -> Int {
            state.withLock { $0.begun += 1 }
            do {
                return try await promise.value()
            } catch {
                state.withLock { $0.cancelled += 1 }
                throw error
            }
        }
    }

    private let fetches = SharedFetches<String, Int>()

    private func request(_ answer: Answer, _ key: String = "a") -> Task<Int, any Error> {
        Task { [fetches] in try await fetches.value(for: key) { try await answer.fetch() } }
    }

    private func waiting(_ count: Int) async throws {
        try await eventually { await fetches.waitingCount == count }
    }

    @Test func `callers at the same time share one fetch, and later ones begin another`() async throws {
        let (answer, other) = (Answer(), Answer())
        let callers = (0..<3).map { _ in request(answer) }
        let stranger = request(other, "b")
        try await waiting(4)
        answer.keep(1)
        for caller in callers { #expect(try await caller.value == 1) }
        other.keep(2)
        #expect(try await stranger.value == 2)
        #expect(answer.begun == 1 && other.begun == 1)
        #expect(try await fetches.value(for: "a") { 3 } == 3)
        try await waiting(0)
    }

    @Test func `the error of a fetch is that of all its callers, and is not kept`() async throws {
        let gate = Promise<Void>()
        let callers = (0..<2).map { _ in
            Task { [fetches] in
                try await fetches.value(for: "a") {
                    try await gate.value()
                    throw Failure()
                }
            }
        }
        try await waiting(2)
        gate.keep(())
        for caller in callers { await #expect(throws: Failure.self) { try await caller.value } }
        #expect(try await fetches.value(for: "a") { 1 } == 1)
    }

    @Test func `a cancelled caller leaves the fetch to the others`() async throws {
        let answer = Answer()
        // The first caller begins the fetch.
        let first = request(answer)
        try await waiting(1)
        let second = request(answer)
        try await waiting(2)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        try await waiting(1)
        answer.keep(1)
        #expect(try await second.value == 1)
        #expect(answer.begun == 1 && answer.cancelled == 0)
    }

    @Test func `a fetch has ended when its last caller is cancelled, and the next caller begins another`() async throws
    {
        let answer = Answer()
        let callers = (0..<2).map { _ in request(answer) }
        try await waiting(2)
        try await eventually { answer.begun == 1 }
        for caller in callers { caller.cancel() }
        for caller in callers { await #expect(throws: CancellationError.self) { try await caller.value } }
        #expect(answer.begun == 1 && answer.cancelled == 1)
        let next = Answer()
        let caller = request(next)
        try await waiting(1)
        next.keep(2)
        #expect(try await caller.value == 2)
    }
}
