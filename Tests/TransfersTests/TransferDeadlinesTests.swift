import StoreTestSupport
import Testing

@testable import StoreTransfers

@Suite struct TransferDeadlinesTests {
    let start = ContinuousClock.now
    let limits = TransferTimeouts(
        connect: .seconds(7), answer: .seconds(10), stall: StallLimit(bytes: 100, in: .seconds(5)), whole: .seconds(60))

    @Test func `connecting has no deadline but that of the whole transfer`() {
        var deadlines = TransferDeadlines(limits, at: start)
        deadlines.connectionWillBeOpened()
        #expect(deadlines.next == start + .seconds(60))
        #expect(expiry(&deadlines, at: start + .seconds(59)) == nil)
        #expect(expiry(&deadlines, at: start + .seconds(60)) == .whole(.seconds(60)))
    }

    @Test func `a transfer in the queue waits for others, and alone as long as connecting may take`() {
        var deadlines = TransferDeadlines(limits, at: start)
        #expect(deadlines.next == start + .seconds(7))
        #expect(deadlines.expiry(at: start + .seconds(6), othersAreConnected: false) == nil)
        #expect(deadlines.expiry(at: start + .seconds(8), othersAreConnected: true) == nil)
        #expect(deadlines.next == start + .seconds(15), "the other may have ended just now")
        #expect(deadlines.expiry(at: start + .seconds(15), othersAreConnected: false) == .connection(.seconds(7)))
    }

    @Test func `the response deadline begins with the request`() {
        var deadlines = TransferDeadlines(limits, at: start)
        deadlines.requestWasSent(at: start + .seconds(3))
        #expect(deadlines.next == start + .seconds(13))
        #expect(expiry(&deadlines, at: start + .seconds(12)) == nil)
        #expect(expiry(&deadlines, at: start + .seconds(13)) == .answer(.seconds(10)))
    }

    @Test func `each host of a redirect has its own deadline`() {
        var deadlines = TransferDeadlines(limits, at: start)
        deadlines.requestWasSent(at: start)
        deadlines.redirected(at: start + .seconds(5))
        #expect(deadlines.isRedirecting)
        #expect(deadlines.next == start + .seconds(15), "for the end of the redirect's body")
        deadlines.redirectWasFollowed(at: start + .seconds(10))
        #expect(deadlines.isQueued)
        deadlines.requestWasSent(at: start + .seconds(20))
        #expect(expiry(&deadlines, at: start + .seconds(29)) == nil)
    }

    @Test func `a redirect that is followed by a new connection leaves the time limit to libcurl`() {
        var deadlines = TransferDeadlines(limits, at: start)
        deadlines.requestWasSent(at: start)
        deadlines.redirected(at: start)
        #expect(expiry(&deadlines, at: start + .seconds(10)) == .redirect(.seconds(10)))
        deadlines.connectionWillBeOpened()
        #expect(deadlines.phase == .connecting)
        deadlines.redirectWasFollowed(at: start + .seconds(1))
        #expect(deadlines.phase == .connecting)
    }

    @Test func `a stall window with enough bytes is followed by another`() {
        var deadlines = TransferDeadlines(limits, at: start)
        deadlines.requestWasSent(at: start)
        deadlines.responseDidBegin(at: start)
        deadlines.received(60)
        deadlines.received(40)
        #expect(expiry(&deadlines, at: start + .seconds(5)) == nil)
        #expect(deadlines.next == start + .seconds(10))
        deadlines.received(99)
        #expect(expiry(&deadlines, at: start + .seconds(10)) == .stall(limits.stall!))
    }

    @Test func `a paused transfer does not stall`() {
        var deadlines = TransferDeadlines(limits, at: start)
        deadlines.responseDidBegin(at: start)
        deadlines.paused()
        #expect(expiry(&deadlines, at: start + .seconds(50)) == nil)
        deadlines.resumed(at: start + .seconds(50))
        #expect(expiry(&deadlines, at: start + .seconds(54)) == nil)
        #expect(expiry(&deadlines, at: start + .seconds(55)) == .stall(limits.stall!))
    }

    @Test func `no duration is too long for libcurl`() {
        #expect(Duration.seconds(Int64.max).inMilliseconds == Int(Int32.max))
        #expect(Duration.seconds(5).inMilliseconds == 5000 && Duration.zero.inMilliseconds == 1)
    }

    @Test func `without limits no deadline passes`() {
        var deadlines = TransferDeadlines(TransferTimeouts(connect: nil, answer: nil, stall: nil), at: start)
        #expect(deadlines.next == nil)
        deadlines.requestWasSent(at: start)
        deadlines.responseDidBegin(at: start)
        #expect(deadlines.next == nil)
        #expect(expiry(&deadlines, at: start + .seconds(1_000_000)) == nil)
    }

    private func expiry(
        _ one: inout TransferDeadlines, at now: TransferDeadlines.Instant
    ) -> TransferDeadlines.Expiry? {
        one.expiry(at: now, othersAreConnected: false)
    }

    enum Step: CaseIterable { case opened, sent, redirected, followed, answered, received, paused, resumed, asked }

    /// After any sequence of events, even impossible ones, the next check is in the future.
    @Test(arguments: 0..<200 as Range<UInt64>) func `after a check there is time left or an expiry`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var deadlines = TransferDeadlines(limits, at: start)
        var now = start
        for _ in 0..<100 {
            now += .milliseconds(Int.random(in: 0...2000, using: &random))
            switch Step.allCases.randomElement(using: &random)! {
            case .sent: deadlines.requestWasSent(at: now)
            case .opened: deadlines.connectionWillBeOpened()
            case .redirected: deadlines.redirected(at: now)
            case .followed: deadlines.redirectWasFollowed(at: now)
            case .answered: deadlines.responseDidBegin(at: now)
            case .received: deadlines.received(Int.random(in: 0...200, using: &random))
            case .paused: deadlines.paused()
            case .resumed: deadlines.resumed(at: now)
            case .asked:
                if deadlines.expiry(at: now, othersAreConnected: .random(using: &random)) != nil { return }
                #expect(deadlines.next.map { $0 > now } ?? true, "seed \(seed)")
            }
        }
    }
}
