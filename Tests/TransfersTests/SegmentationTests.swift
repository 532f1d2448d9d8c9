import StoreModel
import StoreTestSupport
import Testing

@testable import StoreTransfers

/// A simulated link with the rates of each connection and of all together.
private struct Link {
    var perConnection: Double
    var together = Double.infinity
    /// The time from the request to the first byte.
    var delay = Duration.milliseconds(1)
    /// The number of connections that the server accepts.
    var connections = Int.max
    var isSplittable = true
    /// The number of bytes after which one transfer breaks once.
    var breaksAfter: Int?
    /// The times after which something else takes a connection, as long as there are several.
    var takenAfter: [Duration] = []
}

/// The outcome of a simulated download.
private struct Outcome {
    var time = Duration.zero
    var mostAtOnce = 0
    var requests = 0
    var fetched = 0
    /// The number of transfers that were ended before the server had sent all that was requested.
    var cutShort = 0
    /// The number of transfers that were ended though the server would have sent nothing more.
    var endedInVain = 0
    var isComplete = false
}

/// Simulates a complete download with its own clock.
private func run(_ segmentation: inout Segmentation, size: Int, over link: Link) -> Outcome {
    struct Running {
        var from: Int
        var to: Int?
        var startsAt: Duration
        var hasAnswered = false
        var credit = 0.0
    }
    let start = ContinuousClock.now
    let step = Duration.milliseconds(5)
    var outcome = Outcome()
    var running: [Int: Running] = [:]
    var (breaks, taken) = (link.breaksAfter, link.takenAfter)
    func take(_ actions: [Segmentation.Action], _ now: Duration, _ running: inout [Int: Running]) {
        for case .request(let id, let from, let to) in actions {
            running[id] = Running(from: from, to: to, startsAt: now + link.delay)
            outcome.requests += 1
        }
        outcome.mostAtOnce = max(outcome.mostAtOnce, running.count)
    }
    if let first = segmentation.begin(at: start) { take([first], .zero, &running) }
    while !running.isEmpty, outcome.time < .seconds(3600) {
        outcome.time += step
        let now = start + outcome.time
        if let time = taken.first, time <= outcome.time {
            taken.removeFirst()
            if running.count > 1, let id = running.keys.max() {
                running[id] = nil
                take(segmentation.connectionWasTaken(id, at: now), outcome.time, &running)
            }
        }
        let active = running.filter { $0.value.startsAt <= outcome.time }
        let rate = min(link.perConnection, link.together / Double(max(active.count, 1)))
        for id in active.keys.sorted() {
            guard var one = running[id] else { continue }
            if !one.hasAnswered {
                guard running.values.filter(\.hasAnswered).count < link.connections else {
                    running[id] = nil
                    take(segmentation.transferDidEnd(id, failed: true, at: now), outcome.time, &running)
                    continue
                }
                one.hasAnswered = true
                segmentation.responseDidBegin(id, total: size, isSplittable: link.isSplittable, at: now)
            }
            one.credit += rate * 0.005
            let wanted = min(Int(one.credit), segmentation.room(id) ?? Int.max)
            one.credit -= Double(wanted)
            running[id] = one
            outcome.fetched += wanted
            var actions = segmentation.received(id, wanted, at: now)
            let isOver = actions == [.stop(id)] || segmentation.room(id) == 0
            if actions == [.stop(id)] {
                outcome.cutShort += 1
                if segmentation.position(id) == one.to ?? size { outcome.endedInVain += 1 }
            }
            if let limit = breaks, outcome.fetched >= limit {
                breaks = nil
                running[id] = nil
                actions = segmentation.transferDidEnd(id, failed: true, at: now)
            } else if isOver {
                running[id] = nil
                actions = segmentation.transferDidEnd(id, failed: false, at: now)
            }
            take(actions, outcome.time, &running)
        }
    }
    outcome.isComplete = segmentation.isComplete
    return outcome
}

@Suite struct SegmentationTests {
    private let megabyte = 1_000_000

    @Test func `a file that changed has the size of the response with its new content`() throws {
        var segmentation = Segmentation()
        let now = ContinuousClock.now
        #expect(segmentation.begin(at: now) == .request(1, from: 0, to: nil))
        segmentation.responseDidBegin(1, total: 10, isSplittable: true, at: now)
        #expect(segmentation.received(1, 5, at: now) == [])
        #expect(segmentation.connectionWasTaken(1, at: now) == [.request(2, from: 5, to: nil)])
        segmentation.didRestart(2, total: nil)
        segmentation.responseDidBegin(2, total: 20, isSplittable: true, at: now)
        #expect(segmentation.total == 20 && segmentation.room(2) == 20)
    }

    @Test func `a rate-limited connection is joined by others`() {
        var segmentation = Segmentation(total: 256 * megabyte)
        let outcome = run(&segmentation, size: 256 * megabyte, over: Link(perConnection: 20_000_000))
        #expect(outcome.isComplete && outcome.fetched == 256 * megabyte)
        #expect(outcome.mostAtOnce == 4)
        // Four connections need at least 3.2 seconds.
        #expect(outcome.time < .milliseconds(3500), "\(outcome)")
    }

    @Test(arguments: [1, 50, 200])
    func `only the first transfer is cut short where all connections have the same rate`(milliseconds: Int) {
        var segmentation = Segmentation(total: 256 * megabyte)
        let link = Link(perConnection: 20_000_000, delay: .milliseconds(milliseconds))
        let outcome = run(&segmentation, size: 256 * megabyte, over: link)
        // It had requested the complete file. Taking over the rest of another would take longer than to wait for it.
        #expect(outcome.cutShort == 1 && outcome.mostAtOnce == 4, "\(outcome)")
        #expect(outcome.time < .milliseconds(3400 + 3 * milliseconds), "\(outcome)")
    }

    @Test func `a saturated link keeps one connection after a trial`() {
        var segmentation = Segmentation(total: 256 * megabyte)
        let link = Link(perConnection: 20_000_000, together: 20_000_000)
        let outcome = run(&segmentation, size: 256 * megabyte, over: link)
        #expect(outcome.isComplete && outcome.fetched == 256 * megabyte)
        #expect(outcome.requests < 12 && outcome.time < .seconds(14), "\(outcome)")
    }

    @Test func `a file from a fast server and a short file are not split`() {
        for (size, rate) in [(1000 * megabyte, 400_000_000.0), (10 * megabyte, 20_000_000), (3 * megabyte, 100_000)] {
            var segmentation = Segmentation(total: size)
            let outcome = run(&segmentation, size: size, over: Link(perConnection: rate))
            #expect(outcome.isComplete && outcome.requests == 1)
        }
    }

    @Test func `a server without ranges is not asked for any`() {
        var segmentation = Segmentation()
        let link = Link(perConnection: 2_000_000, isSplittable: false)
        let outcome = run(&segmentation, size: 20 * megabyte, over: link)
        #expect(outcome.isComplete && outcome.requests == 1)
    }

    @Test(arguments: [150, 200, 300, 1000])
    func `connections that were taken are used again`(milliseconds: Int) {
        var segmentation = Segmentation(total: 256 * megabyte)
        var link = Link(perConnection: 20_000_000)
        // During the trial, or later.
        link.takenAfter = Array(repeating: .milliseconds(milliseconds), count: 3)
        let outcome = run(&segmentation, size: 256 * megabyte, over: link)
        #expect(outcome.isComplete && outcome.fetched == 256 * megabyte)
        // One connection alone would need 12 seconds.
        #expect(outcome.time < .seconds(5), "\(outcome)")
    }

    @Test(arguments: 1...3) func `a server that accepts fewer connections is used with those`(_ connections: Int) {
        var segmentation = Segmentation(total: 100 * megabyte)
        let link = Link(perConnection: 5_000_000, connections: connections)
        let outcome = run(&segmentation, size: 100 * megabyte, over: link)
        #expect(outcome.isComplete && outcome.fetched == 100 * megabyte)
        #expect(outcome.time < .seconds(20 / Double(connections) + 3), "\(outcome)")
    }

    @Test func `ranges are longer with more latency`() {
        var segmentation = Segmentation(total: 256 * megabyte)
        let link = Link(perConnection: 2_000_000, delay: .milliseconds(200))
        let outcome = run(&segmentation, size: 256 * megabyte, over: link)
        #expect(outcome.isComplete && outcome.time < .seconds(35), "\(outcome)")
    }

    @Test func `received bytes are not requested again`() {
        var here = ByteRanges(0..<(10 * megabyte))
        here.insert(50 * megabyte..<60 * megabyte)
        var segmentation = Segmentation(present: here, total: 100 * megabyte)
        let outcome = run(&segmentation, size: 100 * megabyte, over: Link(perConnection: 8_000_000))
        #expect(outcome.isComplete && outcome.fetched == 80 * megabyte)
    }

    @Test(arguments: 0..<200)
    func `every byte is received once on any link`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let size = Int.random(in: 1...200_000_000, using: &random)
        var link = Link(
            perConnection: .random(in: 100_000...300_000_000, using: &random),
            together: .random(in: 100_000...600_000_000, using: &random),
            delay: .milliseconds(.random(in: 0...500, using: &random)),
            connections: .random(in: 1...5, using: &random), isSplittable: .random(using: &random),
            breaksAfter: .random(in: 1...size, using: &random))
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            link.takenAfter.append(.milliseconds(.random(in: 0...20_000, using: &random)))
        }
        link.takenAfter.sort()
        var segmentation = Segmentation(total: .random(using: &random) ? size : nil)
        var fetched = 0
        // One transfer breaks; the rest is left to another attempt.
        for _ in 1...2 {
            let outcome = run(&segmentation, size: size, over: link)
            fetched += outcome.fetched
            #expect(outcome.endedInVain == 0, "seed \(seed): \(outcome), \(link)")
            if segmentation.isComplete { break }
            link.breaksAfter = nil
            segmentation = Segmentation(present: segmentation.present, total: size)
        }
        #expect(segmentation.isComplete && fetched == size, "seed \(seed): \(fetched) of \(size), \(link)")
    }

    @Test(arguments: 0..<50) func `ranges behave like a set of bytes`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var (ranges, set) = (ByteRanges(), Set<Int>())
        for _ in 0..<40 {
            let from = Int.random(in: 0..<100, using: &random)
            let range = from..<from + Int.random(in: 0..<12, using: &random)
            ranges.insert(range)
            set.formUnion(range)
            #expect(ranges.count == set.count && ranges.ranges.flatMap(Array.init) == set.sorted())
            #expect(zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            #expect(ByteRanges(text: ranges.text) == ranges)
            #expect(ByteRanges(text: ranges.text + " 7-9 .") == ranges)
            #expect(ByteRanges(text: String(ranges.text.dropLast())) == nil)
            let gap = ranges.gap()
            #expect(!set.contains(gap.from) && (0..<gap.from).allSatisfy(set.contains))
        }
    }
}
