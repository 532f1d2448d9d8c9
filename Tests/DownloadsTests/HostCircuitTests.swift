import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreDownloads

/// Tests the circuits as a value, without network and time.
@Suite struct HostCircuitTests {
    private func ticket(_ number: Int, _ priority: Int = 0) -> Ticket { Ticket(priority: priority, number: number) }

    @Test func `a task does not wait for an unknown host`() {
        var circuits = HostCircuits()
        #expect(circuits.allows(1, ["a"]))
        #expect(circuits.wait(ticket(1), for: ["a"]) == false)
        #expect(circuits.probeDelay == nil)
    }

    @Test func `one task at a time probes a host, the first in the wait queue`() {
        var circuits = HostCircuits()
        circuits.open(["a"])
        for number in 1...4 { #expect(circuits.wait(ticket(number, number == 3 ? 1 : 0), for: ["a"]) == true) }
        #expect(circuits.beginProbes(afterChange: false) == [3])
        #expect(circuits.allows(3, ["a"]) && !circuits.allows(1, ["a"]))
        #expect(circuits.beginProbes(afterChange: false) == [], "a probe is running")
        circuits.open(["a"])
        #expect(circuits.wait(ticket(3, 1), for: ["a"]) == true)
        #expect(circuits.beginProbes(afterChange: false) == [3], "the task keeps its position")
        #expect(circuits.close("a") == [1, 2, 4])
        #expect(circuits.probeDelay == nil && circuits.allows(1, ["a"]))
    }

    @Test func `the probe delay of an earlier outage does not affect a later one`() {
        var circuits = HostCircuits(.init(first: .seconds(1), longest: .seconds(100)))
        circuits.open(["a"])
        _ = circuits.wait(ticket(1), for: ["a"])
        for _ in 0..<3 { _ = circuits.beginProbes(afterChange: false) }
        #expect(circuits.probeDelay == .seconds(8))
        _ = circuits.leave(1)
        circuits.open(["a"])
        _ = circuits.wait(ticket(2), for: ["a"])
        #expect(circuits.probeDelay == .seconds(1))
    }

    @Test func `an open circuit does not affect other hosts`() {
        var circuits = HostCircuits()
        circuits.open(["a"])
        #expect(circuits.wait(ticket(1), for: ["a"]) == true)
        #expect(circuits.allows(2, ["localhost"]))
        #expect(circuits.wait(ticket(2), for: ["localhost"]) == false)
        circuits.open(["b"])
        #expect(circuits.wait(ticket(3), for: ["b"]) == true)
        #expect(circuits.beginProbes(afterChange: true) == [1, 3])
        #expect(circuits.close("b") == [])
        #expect(!circuits.allows(4, ["a"]) && circuits.allows(4, ["b"]))
    }

    @Test func `a task with several hosts waits only while all circuits are open, for the first that closes`() {
        var circuits = HostCircuits()
        circuits.open(["a"])
        #expect(circuits.allows(1, ["a", "b"]) && circuits.wait(ticket(1), for: ["a", "b"]) == false)
        #expect(
            circuits.allows(1, []) && circuits.wait(ticket(1), for: []) == false, "a task without hosts does not wait")
        circuits.open(["a", "b"])
        #expect(!circuits.allows(1, ["a", "b"]))
        #expect(circuits.wait(ticket(1), for: ["a", "b"]) == true)
        #expect(circuits.wait(ticket(2), for: ["a"]) == true)
        #expect(circuits.wait(ticket(3), for: ["b"]) == true)
        #expect(circuits.beginProbes(afterChange: false) == [1], "one task probes both hosts")
        #expect(circuits.allows(1, ["b", "a"]))
        #expect(circuits.close("b") == [3], "tasks for the other host keep waiting")
        #expect(!circuits.allows(2, ["a"]) && circuits.allows(2, ["a", "b"]))
        #expect(circuits.leave(1) == [2], "the next task probes the remaining host")
    }

    @Test func `a task that one host admitted does not probe another`() {
        var circuits = HostCircuits()
        circuits.open(["a", "b"])
        #expect(circuits.wait(ticket(1), for: ["a", "b"]) == true)
        #expect(circuits.wait(ticket(2), for: ["b"]) == true)
        #expect(circuits.close("a") == [1])
        #expect(circuits.beginProbes(afterChange: false) == [2])
        #expect(circuits.leave(2) == [] && circuits.probeDelay == nil)
    }

    @Test func `the probe delay doubles up to the maximum and is reset by a network change`() {
        var circuits = HostCircuits(.init(first: .seconds(5), longest: .seconds(60)))
        circuits.open(["a"])
        _ = circuits.wait(ticket(1), for: ["a"])
        var waits: [Duration?] = []
        for _ in 0..<6 {
            waits.append(circuits.probeDelay)
            #expect(circuits.beginProbes(afterChange: false) == [1])
            circuits.open(["a"])
            #expect(circuits.wait(ticket(1), for: ["a"]) == true)
        }
        #expect(waits == [5, 10, 20, 40, 60, 60].map { .seconds($0) })
        _ = circuits.beginProbes(afterChange: true)
        #expect(circuits.probeDelay == .seconds(5))
        for _ in 0..<100 { _ = circuits.beginProbes(afterChange: false) }
        #expect(circuits.probeDelay == .seconds(60))
    }

    @Test func `a task that leaves passes its probe to the next one`() {
        var circuits = HostCircuits()
        circuits.open(["a"])
        for number in 1...3 { _ = circuits.wait(ticket(number), for: ["a"]) }
        #expect(circuits.beginProbes(afterChange: false) == [1])
        #expect(circuits.leave(2) == [])
        #expect(circuits.leave(1) == [3])
        #expect(circuits.leave(3) == [])
        #expect(circuits.probeDelay == nil && circuits.allows(4, ["a"]))
    }

    @Test func `a network change during a probe permits exactly one further probe`() {
        var circuits = HostCircuits()
        circuits.open(["a"])
        _ = circuits.wait(ticket(1), for: ["a"])
        #expect(circuits.beginProbes(afterChange: true) == [1])
        #expect(circuits.beginProbes(afterChange: true) == [])
        circuits.open(["a"])
        #expect(circuits.wait(ticket(1), for: ["a"]) == false, "the task may probe again at once")
        circuits.open(["a"])
        #expect(circuits.wait(ticket(1), for: ["a"]) == true)
    }

    @Test func `the task of highest priority probes first`() {
        var circuits = HostCircuits()
        circuits.open(["a"])
        for number in 1...3 { _ = circuits.wait(ticket(number), for: ["a"]) }
        circuits.setPriority(1, of: 3)
        circuits.setPriority(9, of: 9)
        #expect(circuits.beginProbes(afterChange: false) == [3])
        #expect(circuits.close("a") == [1, 2])
    }
}

/// Tests the circuit breaker with simulated network changes.
@Suite(.hangGuard) struct HostCircuitBreakerTests {
    /// A source of network changes that a test triggers, and that counts its observers.
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

        func trigger() {
            for listener in listeners.withLock({ Array($0.values) }) { listener() }
        }

        func until(observed: Bool) async {
            while isObserved != observed { await Task.yield() }
        }
    }

    private let changes = Changes()

    /// Returns a circuit breaker.
    ///
    /// - Parameter first: the first probe delay; by default longer than any test.
    private func makeBreaker(first: Duration = .seconds(1000)) -> HostCircuitBreaker {
        HostCircuitBreaker(changes.source, delays: .init(first: first, longest: .seconds(1000)), settlingTime: .zero)
    }

    @Test func `a network change starts one probe, and its success admits all tasks`() async throws {
        let breaker = makeBreaker()
        breaker.open(["a"])
        let admissions = Admissions()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask {
                    try await breaker.wait(Ticket(number: number), for: ["a"])
                    admissions.add(number)
                }
            }
            while breaker.waitingCount < 20 { await Task.yield() }
            await changes.until(observed: true)
            changes.trigger()
            while admissions.numbers.isEmpty { await Task.yield() }
            #expect(admissions.numbers == [1] && breaker.allows(1, ["a"]) && !breaker.allows(2, ["a"]))
            breaker.close("a")
            try await group.waitForAll()
        }
        #expect(admissions.numbers.sorted() == Array(1...20))
        await changes.until(observed: false)
    }

    @Test func `without network changes a probe starts after a delay`() async throws {
        let breaker = makeBreaker(first: .milliseconds(1))
        breaker.open(["a"])
        try await breaker.wait(Ticket(number: 1), for: ["a"])
        #expect(breaker.allows(1, ["a"]) && !breaker.allows(2, ["a"]))
        breaker.leave(1)
        #expect(breaker.allows(2, ["a"]))
    }

    @Test func `repeated probes of a single task become less frequent`() async throws {
        let clock = ManualClock()
        let breaker = HostCircuitBreaker(changes.source, clock: clock.time)
        for expected in [5, 10, 20, 40, 60, 60] {
            // Like a task whose probe failed: it leaves, and then waits again.
            breaker.open(["a"])
            breaker.leave(1)
            await changes.until(observed: false)
            let waiting = Task { try await breaker.wait(Ticket(number: 1), for: ["a"]) }
            #expect(try await clock.pass() == .seconds(expected))
            try await waiting.value
        }
        breaker.close("a")
        await changes.until(observed: false)
    }

    @Test func `the circuit breaker is quiescent while it only waits for a probe delay`() async throws {
        let clock = ManualClock()
        let breaker = HostCircuitBreaker(changes.source, clock: clock.time)
        #expect(breaker.isQuiescent { _ in false })
        breaker.open(["a"])
        let waiting = Task { try await breaker.wait(Ticket(number: 1), for: ["a"]) }
        while !breaker.isWaiting(1) || !breaker.isQuiescent(clock.isWaiting) { await Task.yield() }
        changes.trigger()
        #expect(!breaker.isQuiescent { $0 == "network probe" })
        while !breaker.isQuiescent(clock.isWaiting) { await Task.yield() }
        #expect(try await clock.pass() == .milliseconds(500))
        try await waiting.value
        breaker.close("a")
        while !breaker.isQuiescent(clock.isWaiting) { await Task.yield() }
        #expect(!changes.isObserved)
    }

    @Test func `a cancelled task stops waiting, and the network is observed only while tasks wait`() async throws {
        let breaker = makeBreaker()
        breaker.open(["a"])
        let first = Task { try await breaker.wait(Ticket(number: 1), for: ["a"]) }
        let second = Task { try await breaker.wait(Ticket(number: 2), for: ["a"]) }
        await changes.until(observed: true)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        await changes.until(observed: false)
        #expect(breaker.allows(3, ["a"]), "without waiting tasks the circuit is closed")
        // The network is observed again for the next task.
        breaker.open(["a"])
        let third = Task { try await breaker.wait(Ticket(number: 3), for: ["a"]) }
        await changes.until(observed: true)
        changes.trigger()
        try await third.value
        breaker.leave(3)
    }

    /// A clock on which time passes for one sleeper at a time.
    private final class ManualClock: Sendable {
        private typealias Wait = (duration: Duration, label: String, end: Promise<Void>)
        private let waits = Mutex<[Wait]>([])

        var time: TimeSource {
            TimeSource(
                date: { Date(timeIntervalSince1970: 0) }, now: { .now },
                sleep: { [self] duration, label in
                    let end = Promise<Void>()
                    waits.withLock { $0.append((duration, label, end)) }
                    defer { waits.withLock { $0.removeAll { $0.end === end } } }
                    try await end.value()
                }, jitter: { 0 })
        }

        func isWaiting(_ label: String) -> Bool { waits.withLock { $0.contains { $0.label == label } } }

        /// Ends the first sleep, once there is one.
        ///
        /// - Returns: the requested duration of the sleep.
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

    private final class Admissions: Sendable {
        private let order = Mutex<[Int]>([])
        func add(_ number: Int) { order.withLock { $0.append(number) } }
        var numbers: [Int] { order.withLock { $0 } }
    }
}
