import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreDownloads

/// The circuits that waits for the network, as a value: no network, no time.
@Suite struct HostCircuitTests {
    private func ticket(_ number: Int, _ priority: Int = 0) -> Ticket { Ticket(priority: priority, number: number) }

    @Test func `nobody waits for a host that nothing is known of`() {
        var circuits = HostCircuits()
        #expect(circuits.allows(1, ["a"]))
        #expect(circuits.wait(ticket(1), for: ["a"]) == false)
        #expect(circuits.probeDelay == nil)
    }

    @Test func `of those who wait for a host one tries at a time, the first in line`() {
        var circuits = HostCircuits()
        circuits.open(["a"])
        for number in 1...4 { #expect(circuits.wait(ticket(number, number == 3 ? 1 : 0), for: ["a"]) == true) }
        #expect(circuits.beginProbes(afterChange: false) == [3])
        #expect(circuits.allows(3, ["a"]) && !circuits.allows(1, ["a"]))
        #expect(circuits.beginProbes(afterChange: false) == [], "one tries already")
        circuits.open(["a"])
        #expect(circuits.wait(ticket(3, 1), for: ["a"]) == true)
        #expect(circuits.beginProbes(afterChange: false) == [3], "it stands where it stood before")
        #expect(circuits.close("a") == [1, 2, 4])
        #expect(circuits.probeDelay == nil && circuits.allows(1, ["a"]))
    }

    @Test func `the waits of an earlier loss do not count for a later one`() {
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

    @Test func `another host is nobody's affair`() {
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

    @Test func `who has several hosts waits where all are lost, for whichever comes back first`() {
        var circuits = HostCircuits()
        circuits.open(["a"])
        #expect(circuits.allows(1, ["a", "b"]) && circuits.wait(ticket(1), for: ["a", "b"]) == false)
        #expect(
            circuits.allows(1, []) && circuits.wait(ticket(1), for: []) == false, "what needs no host waits for none")
        circuits.open(["a", "b"])
        #expect(!circuits.allows(1, ["a", "b"]))
        #expect(circuits.wait(ticket(1), for: ["a", "b"]) == true)
        #expect(circuits.wait(ticket(2), for: ["a"]) == true)
        #expect(circuits.wait(ticket(3), for: ["b"]) == true)
        #expect(circuits.beginProbes(afterChange: false) == [1], "one tries, and does so for both")
        #expect(circuits.allows(1, ["b", "a"]))
        #expect(circuits.close("b") == [3], "who waits for the other host goes on waiting")
        #expect(!circuits.allows(2, ["a"]) && circuits.allows(2, ["a", "b"]))
        #expect(circuits.leave(1) == [2], "what was not reached, the next one tries")
    }

    @Test func `who was let go by one host stands in no line any more`() {
        var circuits = HostCircuits()
        circuits.open(["a", "b"])
        #expect(circuits.wait(ticket(1), for: ["a", "b"]) == true)
        #expect(circuits.wait(ticket(2), for: ["b"]) == true)
        #expect(circuits.close("a") == [1])
        #expect(circuits.beginProbes(afterChange: false) == [2])
        #expect(circuits.leave(2) == [] && circuits.probeDelay == nil)
    }

    @Test func `the waits double up to the longest, and begin anew after a change`() {
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

    @Test func `who goes leaves the trial to the next, and the last one leaves nothing`() {
        var circuits = HostCircuits()
        circuits.open(["a"])
        for number in 1...3 { _ = circuits.wait(ticket(number), for: ["a"]) }
        #expect(circuits.beginProbes(afterChange: false) == [1])
        #expect(circuits.leave(2) == [])
        #expect(circuits.leave(1) == [3])
        #expect(circuits.leave(3) == [])
        #expect(circuits.probeDelay == nil && circuits.allows(4, ["a"]))
    }

    @Test func `what changed while one tried is worth another trial at once, and only one`() {
        var circuits = HostCircuits()
        circuits.open(["a"])
        _ = circuits.wait(ticket(1), for: ["a"])
        #expect(circuits.beginProbes(afterChange: true) == [1])
        #expect(circuits.beginProbes(afterChange: true) == [])
        circuits.open(["a"])
        #expect(circuits.wait(ticket(1), for: ["a"]) == false, "it need not wait")
        circuits.open(["a"])
        #expect(circuits.wait(ticket(1), for: ["a"]) == true)
    }

    @Test func `a higher priority tries first`() {
        var circuits = HostCircuits()
        circuits.open(["a"])
        for number in 1...3 { _ = circuits.wait(ticket(number), for: ["a"]) }
        circuits.setPriority(1, of: 3)
        circuits.setPriority(9, of: 9)
        #expect(circuits.beginProbes(afterChange: false) == [3])
        #expect(circuits.close("a") == [1, 2])
    }
}

/// The gate around it, with changes that the test makes.
@Suite(.hangGuard) struct HostCircuitBreakerTests {
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
    private func gate(first: Duration = .seconds(1000)) -> HostCircuitBreaker {
        HostCircuitBreaker(changes.source, delays: .init(first: first, longest: .seconds(1000)), settlingTime: .zero)
    }

    @Test func `a change lets one try, and its success lets all go`() async throws {
        let gate = gate()
        gate.open(["a"])
        let seen = Seen()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask {
                    try await gate.wait(Ticket(number: number), for: ["a"])
                    seen.add(number)
                }
            }
            while gate.waitingCount < 20 { await Task.yield() }
            await changes.until(observed: true)
            changes.happen()
            while seen.numbers.isEmpty { await Task.yield() }
            #expect(seen.numbers == [1] && gate.allows(1, ["a"]) && !gate.allows(2, ["a"]))
            gate.close("a")
            try await group.waitForAll()
        }
        #expect(seen.numbers.sorted() == Array(1...20))
        await changes.until(observed: false)
    }

    @Test func `where the system tells of no change, time does`() async throws {
        let gate = gate(first: .milliseconds(1))
        gate.open(["a"])
        try await gate.wait(Ticket(number: 1), for: ["a"])
        #expect(gate.allows(1, ["a"]) && !gate.allows(2, ["a"]))
        gate.leave(1)
        #expect(gate.allows(2, ["a"]))
    }

    @Test func `one that waits alone looks more and more seldom`() async throws {
        let clock = HeldClock()
        let gate = HostCircuitBreaker(changes.source, clock: clock.time)
        for expected in [5, 10, 20, 40, 60, 60] {
            // As a task does whose trial failed: it lets go, and then waits again.
            gate.open(["a"])
            gate.leave(1)
            await changes.until(observed: false)
            let waiting = Task { try await gate.wait(Ticket(number: 1), for: ["a"]) }
            #expect(try await clock.pass() == .seconds(expected))
            try await waiting.value
        }
        gate.close("a")
        await changes.until(observed: false)
    }

    @Test func `it is at rest while it waits for time alone`() async throws {
        let clock = HeldClock()
        let gate = HostCircuitBreaker(changes.source, clock: clock.time)
        #expect(gate.isQuiescent { _ in false })
        gate.open(["a"])
        let waiting = Task { try await gate.wait(Ticket(number: 1), for: ["a"]) }
        while !gate.isWaiting(1) || !gate.isQuiescent(clock.isWaiting) { await Task.yield() }
        changes.happen()
        #expect(!gate.isQuiescent { $0 == "network probe" })
        while !gate.isQuiescent(clock.isWaiting) { await Task.yield() }
        #expect(try await clock.pass() == .milliseconds(500))
        try await waiting.value
        gate.close("a")
        while !gate.isQuiescent(clock.isWaiting) { await Task.yield() }
        #expect(!changes.isObserved)
    }

    @Test func `who is cancelled goes, and with the last one nothing is observed any more`() async throws {
        let gate = gate()
        gate.open(["a"])
        let first = Task { try await gate.wait(Ticket(number: 1), for: ["a"]) }
        let second = Task { try await gate.wait(Ticket(number: 2), for: ["a"]) }
        await changes.until(observed: true)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        await changes.until(observed: false)
        #expect(gate.allows(3, ["a"]), "nobody waits, so that the next one finds out")
        // It is observed anew for the next one.
        gate.open(["a"])
        let third = Task { try await gate.wait(Ticket(number: 3), for: ["a"]) }
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
