import Dispatch
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@Suite(.hangGuard) struct WorkerPoolTests {
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

    /// The number of objects that were released.
    private final class Releases: Sendable {
        let count = Atomic(0)
    }

    /// An object that a piece of work holds, as a download holds its open files.
    private final class Payload: Sendable {
        private let releases: Releases
        init(_ releases: Releases) { self.releases = releases }
        deinit { releases.count.add(1, ordering: .relaxed) }
    }

    @Test func `work is released when it has run, even while the same thread runs other work`() async {
        let (count, gate, releases, work) = (100, Gate(), Releases(), BlockingWork(label: "test"))
        for _ in 0..<count {
            let payload = Payload(releases)
            work.add { withExtendedLifetime(payload) { gate.pass() } }
        }
        // It is queued before the first piece ends, and runs on the thread that has run all others.
        let released = await withCheckedContinuation { continuation in
            work.add { continuation.resume(returning: releases.count.load(ordering: .relaxed)) }
            gate.open()
        }
        #expect(released == count)
    }

    @Test func `work begins in the order in which it was added`() async {
        let work = BlockingWork(label: "test")
        let order = Mutex<[Int]>([])
        let all = await withCheckedContinuation { continuation in
            for number in 0..<100 { work.add { order.withLock { $0.append(number) } } }
            work.add { continuation.resume(returning: order.withLock { $0 }) }
        }
        #expect(all == Array(0..<100))
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
