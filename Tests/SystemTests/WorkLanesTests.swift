import Dispatch
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@Suite(.hangGuard) struct WorkLanesTests {
    /// A gate at which threads wait until it is opened, and the number of those that came.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let arrivals = Atomic(0)
        private let announced = Atomic(0)
        var count: Int { arrivals.load(ordering: .acquiring) }

        /// The number of pieces of work that were about to be queued.
        var announcements: Int { announced.load(ordering: .acquiring) }

        func announce() { announced.add(1, ordering: .acquiringAndReleasing) }

        func pass() {
            arrivals.add(1, ordering: .acquiringAndReleasing)
            semaphore.wait()
            semaphore.signal()
        }

        func open() { semaphore.signal() }
    }

    @Test func `work that waits leaves threads for the work that it waits for`() async throws {
        // More than all threads of libdispatch.
        let (count, gate, work) = (600, Gate(), BlockingWork(label: "test", concurrent: true))
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count {
                group.addTask {
                    gate.announce()
                    return try await work.run {
                        gate.pass()
                        return number
                    }
                }
            }
            try await eventually { gate.announcements == count && gate.count > 0 }
            // It is behind all pieces of work.
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "other").async { continuation.resume() }
            }
            #expect(gate.count <= BlockingWork.concurrencyLimit)
            gate.open()
            let results = try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            #expect(results == Set(0..<count))
        }
        #expect(gate.count == count)
    }
}
