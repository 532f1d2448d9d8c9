import Synchronization
import Testing

@testable import StoreDownloads

@Suite struct PrioritySemaphoreTests {
    @Test func `no more than the limit are inside, and all get their turn`() async throws {
        let turnstile = PrioritySemaphore(limit: 3)
        let inside = Atomic<Int>(0)
        let most = Mutex(0)
        let counts = Counts(inside: inside, most: most)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try await turnstile.enter(Place(number: number))
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
        let turnstile = PrioritySemaphore(limit: 1)
        try await turnstile.enter(Place(number: 1))
        let cancelled = Task { try await turnstile.enter(Place(number: 2)) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let next = Task { try await turnstile.enter(Place(number: 3)) }
        turnstile.leave()
        try await next.value
    }

    @Test func `a higher limit lets those in who wait`() async throws {
        let turnstile = PrioritySemaphore(limit: 1)
        try await turnstile.enter(Place(number: 1))
        let next = Task { try await turnstile.enter(Place(number: 3)) }
        turnstile.setLimit(2)
        try await next.value
    }

    /// Whose turn came, in order: each lets the next one in.
    private func order(_ places: [Place], through turnstile: PrioritySemaphore) async throws -> [Int] {
        let seen = Seen()
        try await withThrowingTaskGroup(of: Void.self) { group in
            // The last one comes first, so that it is not the order of coming that shows.
            for place in places.reversed() {
                group.addTask {
                    try await turnstile.enter(place)
                    seen.add(place.number)
                    turnstile.leave()
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

    @Test func `the higher priority comes first, then who was begun first, whoever comes first`() async throws {
        let turnstile = PrioritySemaphore(limit: 1)
        try await turnstile.enter(Place(number: 0))
        let places = (1...40).map { Place(priority: $0 % 3 - 1, number: $0) }
        turnstile.keep(places)
        turnstile.leave()
        #expect(try await order(places, through: turnstile) == places.sorted().map(\.number))
        #expect(places.sorted().first?.number == 2)
    }

    @Test func `a place that is given up holds up nobody`() async throws {
        let turnstile = PrioritySemaphore(limit: 1)
        let places = (1...3).map { Place(number: $0) }
        turnstile.keep(places)
        // The first was let in before it came.
        turnstile.withdraw(1)
        turnstile.withdraw(2)
        turnstile.withdraw(2)
        try await turnstile.enter(places[2])
        turnstile.leave()
        try await turnstile.enter(Place(number: 4))
    }

    @Test func `who gets another priority moves, and who is not in line does not`() async throws {
        let turnstile = PrioritySemaphore(limit: 1)
        let places = (1...4).map { Place(number: $0) }
        try await turnstile.enter(Place(number: 0))
        turnstile.keep(places)
        turnstile.move(3, to: 5)
        turnstile.move(1, to: -5)
        turnstile.move(99, to: 7)
        turnstile.leave()
        #expect(try await order(places, through: turnstile) == [3, 2, 4, 1])
    }
}

@Suite struct LineTests {
    @Test func `whatever comes, goes and moves, it is sorted and each is in it once`() {
        var generator = SeededGenerator(seed: 7)
        var line = Line()
        var model: [Int: Int] = [:]
        for _ in 0..<3000 {
            let (number, priority) = (
                Int.random(in: 0..<60, using: &generator), Int.random(in: -2...2, using: &generator)
            )
            switch Int.random(in: 0..<4, using: &generator) {
            case 0, 1:
                #expect(line.insert(Place(priority: priority, number: number)) == (model[number] == nil))
                if model[number] == nil { model[number] = priority }
            case 2: #expect(line.remove(number) == (model.removeValue(forKey: number) != nil))
            default:
                line.move(number, to: priority)
                if model[number] != nil { model[number] = priority }
            }
            let expected = model.map { Place(priority: $0.value, number: $0.key) }.sorted()
            #expect(line.places == expected)
            #expect(line.contains(number) == (model[number] != nil))
        }
        let all = line.places.map(\.number)
        #expect(line.removeFirst(2) == Array(all.prefix(2)))
        #expect(line.removeFirst(1000) == Array(all.dropFirst(2)))
        #expect(line.isEmpty)
        #expect(line.removeFirst(-1) == [])
    }
}
