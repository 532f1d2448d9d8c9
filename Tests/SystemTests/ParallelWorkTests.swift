import Dispatch
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@Suite struct ParallelWorkTests {
    private struct Failure: Error, Equatable { let number: Int }

    @Test(arguments: [0, 1, 2, 1_000], [0, 1, 2, 7])
    func `each number is processed once, and results are in order`(count: Int, threads: Int) throws {
        let values = try ParallelWork.map(count, threads: threads, begin: {}, { _, number in number * 2 })
        #expect(values == (0..<count).map { $0 * 2 })
    }

    @Test(.hangGuard)
    func `the requested number of threads works in parallel, each with its own state`() throws {
        let begun = DispatchGroup()
        for _ in 0..<4 { begun.enter() }
        let states = Mutex(0)
        let values = try ParallelWork.map(
            4, threads: 4,
            begin: {
                states.withLock { state in
                    state += 1
                    return state
                }
            },
            { state, _ in
                begun.leave()
                begun.wait()
                return state
            })
        #expect(Set(values) == [1, 2, 3, 4])
    }

    @Test func `there are no more threads than numbers`() throws {
        let states = Mutex(0)
        _ = try ParallelWork.map(2, threads: 50, begin: { states.withLock { $0 += 1 } }, { _, _ in })
        #expect(states.withLock { $0 } <= 2)
    }

    @Test func `of several failures the one with the smallest number is thrown, after all threads have stopped`() throws
    {
        for _ in 0..<50 {
            let running = Mutex(0)
            #expect(throws: Failure(number: 30)) {
                try ParallelWork.map(
                    1_000, threads: 8, begin: {},
                    { _, number in
                        running.withLock { $0 += 1 }
                        defer { running.withLock { $0 -= 1 } }
                        if number >= 30, number % 10 == 0 { throw Failure(number: number) }
                    })
            }
            #expect(running.withLock { $0 } == 0)
        }
    }

    @Test func `no work starts after a failure`() throws {
        let begun = Mutex(0)
        #expect(throws: Failure(number: 5)) {
            try ParallelWork.map(
                1_000, threads: 1, begin: {},
                { _, number in
                    begun.withLock { $0 += 1 }
                    if number == 5 { throw Failure(number: number) }
                })
        }
        #expect(begun.withLock { $0 } == 6)
    }

    @Test(.hangGuard)
    func `the threads are not those of the concurrency pool`() async throws {
        let gate = DispatchGroup()
        gate.enter()
        let work = BlockingWork(label: "test", concurrent: true)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await work.run { _ = try ParallelWork.map(8, threads: 8, begin: {}, { _, _ in gate.wait() }) }
                }
            }
            // Runs only if a thread is left for it.
            group.addTask { gate.leave() }
            try await group.waitForAll()
        }
    }
}
