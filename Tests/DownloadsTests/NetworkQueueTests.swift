import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreDownloads

/// The queue that waits for the network, as a value: no network, no time.
@Suite struct NetworkQueueTests {
    private func place(_ number: Int, _ priority: Int = 0) -> Place { Place(priority: priority, number: number) }

    @Test func `nobody waits for a host that nothing is known of`() {
        var queue = NetworkQueue()
        #expect(queue.allows(1, ["a"]))
        #expect(queue.enter(place(1), ["a"]) == false)
        #expect(queue.wait == nil)
    }

    @Test func `of those who wait for a host one tries at a time, the first in line`() {
        var queue = NetworkQueue()
        queue.lose(["a"])
        for number in 1...4 { #expect(queue.enter(place(number, number == 3 ? 1 : 0), ["a"]) == true) }
        #expect(queue.look(isChange: false) == [3])
        #expect(queue.allows(3, ["a"]) && !queue.allows(1, ["a"]))
        #expect(queue.look(isChange: false) == [], "one tries already")
        queue.lose(["a"])
        #expect(queue.enter(place(3, 1), ["a"]) == true)
        #expect(queue.look(isChange: false) == [3], "it stands where it stood before")
        #expect(queue.reach("a") == [1, 2, 4])
        #expect(queue.wait == nil && queue.allows(1, ["a"]))
    }

    @Test func `the waits of an earlier loss do not count for a later one`() {
        var queue = NetworkQueue(.init(first: .seconds(1), longest: .seconds(100)))
        queue.lose(["a"])
        _ = queue.enter(place(1), ["a"])
        for _ in 0..<3 { _ = queue.look(isChange: false) }
        #expect(queue.wait == .seconds(8))
        _ = queue.leave(1)
        queue.lose(["a"])
        _ = queue.enter(place(2), ["a"])
        #expect(queue.wait == .seconds(1))
    }

    @Test func `another host is nobody's affair`() {
        var queue = NetworkQueue()
        queue.lose(["a"])
        #expect(queue.enter(place(1), ["a"]) == true)
        #expect(queue.allows(2, ["localhost"]))
        #expect(queue.enter(place(2), ["localhost"]) == false)
        queue.lose(["b"])
        #expect(queue.enter(place(3), ["b"]) == true)
        #expect(queue.look(isChange: true) == [1, 3])
        #expect(queue.reach("b") == [])
        #expect(!queue.allows(4, ["a"]) && queue.allows(4, ["b"]))
    }

    @Test func `who has several hosts waits where all are lost, for whichever comes back first`() {
        var queue = NetworkQueue()
        queue.lose(["a"])
        #expect(queue.allows(1, ["a", "b"]) && queue.enter(place(1), ["a", "b"]) == false)
        #expect(queue.allows(1, []) && queue.enter(place(1), []) == false, "what needs no host waits for none")
        queue.lose(["a", "b"])
        #expect(!queue.allows(1, ["a", "b"]))
        #expect(queue.enter(place(1), ["a", "b"]) == true)
        #expect(queue.enter(place(2), ["a"]) == true)
        #expect(queue.enter(place(3), ["b"]) == true)
        #expect(queue.look(isChange: false) == [1], "one tries, and does so for both")
        #expect(queue.allows(1, ["b", "a"]))
        #expect(queue.reach("b") == [3], "who waits for the other host goes on waiting")
        #expect(!queue.allows(2, ["a"]) && queue.allows(2, ["a", "b"]))
        #expect(queue.leave(1) == [2], "what was not reached, the next one tries")
    }

    @Test func `who was let go by one host stands in no line any more`() {
        var queue = NetworkQueue()
        queue.lose(["a", "b"])
        #expect(queue.enter(place(1), ["a", "b"]) == true)
        #expect(queue.enter(place(2), ["b"]) == true)
        #expect(queue.reach("a") == [1])
        #expect(queue.look(isChange: false) == [2])
        #expect(queue.leave(2) == [] && queue.wait == nil)
    }

    @Test func `the waits double up to the longest, and begin anew after a change`() {
        var queue = NetworkQueue(.init(first: .seconds(5), longest: .seconds(60)))
        queue.lose(["a"])
        _ = queue.enter(place(1), ["a"])
        var waits: [Duration?] = []
        for _ in 0..<6 {
            waits.append(queue.wait)
            #expect(queue.look(isChange: false) == [1])
            queue.lose(["a"])
            #expect(queue.enter(place(1), ["a"]) == true)
        }
        #expect(waits == [5, 10, 20, 40, 60, 60].map { .seconds($0) })
        _ = queue.look(isChange: true)
        #expect(queue.wait == .seconds(5))
        for _ in 0..<100 { _ = queue.look(isChange: false) }
        #expect(queue.wait == .seconds(60))
    }

    @Test func `who goes leaves the trial to the next, and the last one leaves nothing`() {
        var queue = NetworkQueue()
        queue.lose(["a"])
        for number in 1...3 { _ = queue.enter(place(number), ["a"]) }
        #expect(queue.look(isChange: false) == [1])
        #expect(queue.leave(2) == [])
        #expect(queue.leave(1) == [3])
        #expect(queue.leave(3) == [])
        #expect(queue.wait == nil && queue.allows(4, ["a"]))
    }

    @Test func `what changed while one tried is worth another trial at once, and only one`() {
        var queue = NetworkQueue()
        queue.lose(["a"])
        _ = queue.enter(place(1), ["a"])
        #expect(queue.look(isChange: true) == [1])
        #expect(queue.look(isChange: true) == [])
        queue.lose(["a"])
        #expect(queue.enter(place(1), ["a"]) == false, "it need not wait")
        queue.lose(["a"])
        #expect(queue.enter(place(1), ["a"]) == true)
    }

    @Test func `a higher priority tries first`() {
        var queue = NetworkQueue()
        queue.lose(["a"])
        for number in 1...3 { _ = queue.enter(place(number), ["a"]) }
        queue.move(3, to: 1)
        queue.move(9, to: 9)
        #expect(queue.look(isChange: false) == [3])
        #expect(queue.reach("a") == [1, 2])
    }
}

/// The gate around it, with changes that the test makes.
@Suite(.hangGuard) struct NetworkGateTests {
    /// Changes that a test makes, and whether anybody listens.
    private final class Changes: Sendable {
        private let listeners = Mutex<[Int: @Sendable () -> Void]>([:])
        private let count = Mutex(0)

        private final class Token: Sendable {
            let end: @Sendable () -> Void
            init(_ end: @escaping @Sendable () -> Void) { self.end = end }
            deinit { end() }
        }

        var source: NetworkSource {
            NetworkSource { changed in
                let number = self.count.withLock { count in
                    count += 1
                    return count
                }
                self.listeners.withLock { $0[number] = changed }
                return Token { self.listeners.withLock { $0[number] = nil } }
            }
        }

        var isObserved: Bool { listeners.withLock { !$0.isEmpty } }

        func happen() {
            for listener in listeners.withLock({ Array($0.values) }) { listener() }
        }

        func until(observed: Bool) async {
            while isObserved != observed { await Task.yield() }
        }
    }

    private let changes = Changes()

    /// - Parameter first: a wait that no test outlasts, unless it waits for it.
    private func gate(first: Duration = .seconds(1000)) -> NetworkGate {
        NetworkGate(changes.source, waits: .init(first: first, longest: .seconds(1000)), settling: .zero)
    }

    @Test func `a change lets one try, and its success lets all go`() async throws {
        let gate = gate()
        gate.lose(["a"])
        let seen = Seen()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask {
                    try await gate.wait(Place(number: number), for: ["a"])
                    seen.add(number)
                }
            }
            while gate.waitingCount < 20 { await Task.yield() }
            await changes.until(observed: true)
            changes.happen()
            while seen.numbers.isEmpty { await Task.yield() }
            #expect(seen.numbers == [1] && gate.allows(1, ["a"]) && !gate.allows(2, ["a"]))
            gate.reach("a")
            try await group.waitForAll()
        }
        #expect(seen.numbers.sorted() == Array(1...20))
        await changes.until(observed: false)
    }

    @Test func `where the system tells of no change, time does`() async throws {
        let gate = gate(first: .milliseconds(1))
        gate.lose(["a"])
        try await gate.wait(Place(number: 1), for: ["a"])
        #expect(gate.allows(1, ["a"]) && !gate.allows(2, ["a"]))
        gate.leave(1)
        #expect(gate.allows(2, ["a"]))
    }

    @Test func `one that waits alone looks more and more seldom`() async throws {
        let clock = HeldClock()
        let gate = NetworkGate(changes.source, clock: clock.time)
        for expected in [5, 10, 20, 40, 60, 60] {
            // As a task does whose trial failed: it lets go, and then waits again.
            gate.lose(["a"])
            gate.leave(1)
            await changes.until(observed: false)
            let waiting = Task { try await gate.wait(Place(number: 1), for: ["a"]) }
            #expect(try await clock.pass() == .seconds(expected))
            try await waiting.value
        }
        gate.reach("a")
        await changes.until(observed: false)
    }

    @Test func `it is at rest while it waits for time alone`() async throws {
        let clock = HeldClock()
        let gate = NetworkGate(changes.source, clock: clock.time)
        #expect(gate.isAtRest { _ in false })
        gate.lose(["a"])
        let waiting = Task { try await gate.wait(Place(number: 1), for: ["a"]) }
        while !gate.isWaiting(1) || !gate.isAtRest(clock.isWaiting) { await Task.yield() }
        changes.happen()
        #expect(!gate.isAtRest { $0 == "network look" })
        while !gate.isAtRest(clock.isWaiting) { await Task.yield() }
        #expect(try await clock.pass() == .milliseconds(500))
        try await waiting.value
        gate.reach("a")
        while !gate.isAtRest(clock.isWaiting) { await Task.yield() }
        #expect(!changes.isObserved)
    }

    @Test func `who is cancelled goes, and with the last one nothing is observed any more`() async throws {
        let gate = gate()
        gate.lose(["a"])
        let first = Task { try await gate.wait(Place(number: 1), for: ["a"]) }
        let second = Task { try await gate.wait(Place(number: 2), for: ["a"]) }
        await changes.until(observed: true)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        await changes.until(observed: false)
        #expect(gate.allows(3, ["a"]), "nobody waits, so that the next one finds out")
        // It is observed anew for the next one.
        gate.lose(["a"])
        let third = Task { try await gate.wait(Place(number: 3), for: ["a"]) }
        await changes.until(observed: true)
        changes.happen()
        try await third.value
        gate.leave(3)
    }

    /// A clock on which time passes for one wait at a time.
    private final class HeldClock: Sendable {
        private typealias Wait = (duration: Duration, who: String, end: Promise<Void>)
        private let waits = Mutex<[Wait]>([])

        var time: TimeSource {
            TimeSource(
                date: { Date(timeIntervalSince1970: 0) }, now: { .now },
                sleep: { [self] duration, who in
                    let end = Promise<Void>()
                    waits.withLock { $0.append((duration, who, end)) }
                    defer { waits.withLock { $0.removeAll { $0.end === end } } }
                    try await end.value()
                }, jitter: { 0 })
        }

        func isWaiting(_ who: String) -> Bool { waits.withLock { $0.contains { $0.who == who } } }

        /// Lets the first wait end, once there is one.
        ///
        /// - Returns: how long it would have been.
        func pass() async throws -> Duration {
            while true {
                if let first = waits.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                    first.end.keep(())
                    return first.duration
                }
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    private final class Seen: Sendable {
        private let order = Mutex<[Int]>([])
        func add(_ number: Int) { order.withLock { $0.append(number) } }
        var numbers: [Int] { order.withLock { $0 } }
    }
}
