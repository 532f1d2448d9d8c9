import StoreTestSupport
import Synchronization
import Testing

@testable import StoreDownloads

@Suite struct PrioritySemaphoreTests {
    @Test func `no more tasks than the limit hold a slot, and all get one`() async throws {
        let slots = PrioritySemaphore(limit: 3)
        let inside = Atomic<Int>(0)
        let most = Mutex(0)
        let counts = Counts(inside: inside, most: most)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try await slots.acquire(Ticket(number: number))
                    counts.enter()
                    await Task.yield()
                    counts.leave()
                    slots.release(number)
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

    @Test func `others are expected while tasks wait for a slot, or four have one`() async throws {
        let slots = PrioritySemaphore(limit: 5)
        for number in 1...3 { try await slots.acquire(Ticket(number: number)) }
        #expect(!slots.isBusy)
        try await slots.acquire(Ticket(number: 4))
        #expect(slots.isBusy)
        slots.setLimit(1)
        for number in 1...3 { slots.release(number) }
        #expect(!slots.isBusy)
        slots.reserve([Ticket(number: 5)])
        #expect(slots.isBusy)
    }

    @Test func `while many tasks are ending, none is admitted, and none is expected`() async throws {
        let slots = PrioritySemaphore(limit: 1)
        let most = PrioritySemaphore.maximumEnding
        // A task without a slot does not count.
        slots.release(most, isEnding: true)
        for number in 0..<most {
            try await slots.acquire(Ticket(number: number))
            slots.release(number, isEnding: true)
            // It goes on to the next of its last steps.
            slots.release(number, isEnding: true)
        }
        let last = Task { try await slots.acquire(Ticket(number: most)) }
        try await eventually { slots.isWaiting(most) }
        #expect(!slots.isBusy)
        slots.release(0)
        try await last.value
        #expect(!slots.isWaiting(most))
    }

    @Test func `a cancelled wait holds no slot and blocks no other`() async throws {
        let slots = PrioritySemaphore(limit: 1)
        try await slots.acquire(Ticket(number: 1))
        let cancelled = Task { try await slots.acquire(Ticket(number: 2)) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let next = Task { try await slots.acquire(Ticket(number: 3)) }
        slots.release(1)
        try await next.value
    }

    @Test func `a wait without a task ends once, with a slot or because it was cancelled`() {
        let slots = PrioritySemaphore(limit: 1)
        let (admitted, cancelled) = (Seen(), Seen())
        for number in 1...4 {
            slots.acquire(Ticket(number: number)) { ($0 ? admitted : cancelled).add(number) }
        }
        #expect(admitted.numbers == [1] && cancelled.numbers == [])
        slots.cancelWait(2)
        slots.cancelWait(2)
        // It does not wait any more.
        slots.cancelWait(1)
        #expect(admitted.numbers == [1] && cancelled.numbers == [2])
        slots.release(1)
        slots.release(3)
        #expect(admitted.numbers == [1, 3, 4] && cancelled.numbers == [2])
    }

    @Test func `a higher limit admits waiting tasks`() async throws {
        let slots = PrioritySemaphore(limit: 1)
        try await slots.acquire(Ticket(number: 1))
        let next = Task { try await slots.acquire(Ticket(number: 3)) }
        slots.setLimit(2)
        try await next.value
    }

    /// Returns the order in which tickets are admitted; each releases its slot to the next.
    private func order(_ tickets: [Ticket], through slots: PrioritySemaphore) async throws -> [Int] {
        let seen = Seen()
        try await withThrowingTaskGroup(of: Void.self) { group in
            // The last ticket waits first, so that the order of arrival can't explain the result.
            for ticket in tickets.reversed() {
                group.addTask {
                    try await slots.acquire(ticket)
                    seen.add(ticket.number)
                    slots.release(ticket.number)
                }
            }
            try await group.waitForAll()
        }
        return seen.numbers
    }

    private final class Seen: Sendable {
        private let order = Mutex<[Int]>([])
        func add(_ number: Int) { order.withLock { $0.append(number) } }
        var numbers: [Int] { order.withLock { $0 } }
    }

    @Test func `the higher priority is admitted first, then the task that began first`() async throws {
        let slots = PrioritySemaphore(limit: 1)
        try await slots.acquire(Ticket(number: 0))
        let tickets = (1...40).map { Ticket(priority: $0 % 3 - 1, number: $0) }
        slots.reserve(tickets)
        slots.release(0)
        #expect(try await order(tickets, through: slots) == tickets.sorted().map(\.number))
        #expect(tickets.sorted().first?.number == 2)
    }

    @Test func `a released reservation blocks no other task`() async throws {
        let slots = PrioritySemaphore(limit: 1)
        let tickets = (1...3).map { Ticket(number: $0) }
        slots.reserve(tickets)
        // The first ticket was admitted before.
        slots.release(1)
        slots.release(2)
        slots.release(2)
        try await slots.acquire(tickets[2])
        slots.release(3)
        try await slots.acquire(Ticket(number: 4))
    }

    @Test func `a changed priority moves a waiting task and no other`() async throws {
        let slots = PrioritySemaphore(limit: 1)
        let tickets = (1...4).map { Ticket(number: $0) }
        try await slots.acquire(Ticket(number: 0))
        slots.reserve(tickets)
        slots.setPriority(5, of: 3)
        slots.setPriority(-5, of: 1)
        slots.setPriority(7, of: 99)
        slots.release(0)
        #expect(try await order(tickets, through: slots) == [3, 2, 4, 1])
    }
}
