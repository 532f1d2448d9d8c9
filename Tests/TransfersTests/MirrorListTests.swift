import FoundationEssentials
import StoreModel
import Testing

@testable import StoreTransfers

@Suite struct MirrorListTests {
    private let a = URL(string: "https://a.example/p.zip")!
    private let b = URL(string: "https://b.example/p.zip")!
    private let c = URL(string: "https://c.example:8443/p.zip")!
    private let now = HostStatistics.Instant.now

    /// Returns the mirrors that one round tries if each of them fails.
    private func round(_ list: inout MirrorList, _ statistics: HostStatistics = HostStatistics()) -> [URL] {
        var tried: [URL] = []
        list.beginRound()
        while let url = list.next(statistics, at: now) {
            tried.append(url)
            list.recordFailure(of: url, isPermanent: false)
        }
        return tried
    }

    @Test func `each mirror is tried once per round, in the publisher's order`() {
        var list = MirrorList(a, mirrors: [b, a, c, b])
        #expect(round(&list) == [a, b, c])
        #expect(round(&list) == [a, b, c])
        list.recordFailure(of: b, isPermanent: true)
        #expect(round(&list) == [a, c])
    }

    @Test func `reachable mirrors are remembered until the next round`() {
        var list = MirrorList(a, mirrors: [b, c])
        #expect(list.reachable.isEmpty)
        list.recordReachable(c)
        list.recordReachable(b)
        #expect(list.reachable == [b, c])
        list.beginRound()
        #expect(list.reachable.isEmpty)
    }

    @Test func `a failure lacks the network only if no mirror was reachable`() {
        let away = StoreError.transfer(
            .transferConnectFailed, a, ["reason": "no route"], isTransient: true, lacksNetwork: true)
        let refused = StoreError.transfer(
            .transferConnectFailed, a, ["reason": "refused"], isTransient: true, retryAfter: .seconds(9))
        let missing = StoreError.httpStatus(TransferResponse(status: 404, headers: [:], effectiveURL: a))
        #expect(!TransferEngine.mostPromising(of: [away, refused, away], a).lacksNetwork)
        #expect(TransferEngine.mostPromising(of: [away, missing], a).lacksNetwork, "the other one never has it")
        #expect(TransferEngine.mostPromising(of: [missing, missing], a).httpStatus == 404)
    }

    @Test func `hosts without recent failures come first`() {
        var statistics = HostStatistics()
        var list = MirrorList(a, mirrors: [b, c])
        statistics.transferDidFail(a, retryAfter: nil, at: now)
        #expect(round(&list, statistics) == [b, c, a])
        statistics.transferDidFail(b, retryAfter: nil, at: now)
        statistics.transferDidFail(b, retryAfter: nil, at: now)
        #expect(round(&list, statistics) == [c, a, b])
        // Avoidance ends after a while, at once after a success, and later with a Retry-After.
        #expect(statistics.order([a, b, c], at: now + .seconds(31)) == [a, c, b])
        statistics.transferDidSucceed(b, 10, in: .seconds(1))
        #expect(round(&list, statistics) == [b, c, a])
        statistics.transferDidFail(c, retryAfter: .seconds(120), at: now)
        #expect(statistics.order([c, a, b], at: now + .seconds(119)) == [a, b, c])
    }

    @Test func `fast hosts come before slow ones, and unknown hosts are tried`() {
        var statistics = HostStatistics()
        statistics.transferDidSucceed(a, 10 << 20, in: .seconds(10))
        // No other host has a known rate.
        #expect(statistics.order([a, b, c], at: now) == [a, b, c])
        statistics.transferDidSucceed(c, 10 << 20, in: .seconds(1))
        #expect(statistics.order([a, b, c], at: now) == [b, c, a])
        // Similar rates do not overrule the publisher's order.
        statistics.transferDidSucceed(b, 10 << 20, in: .milliseconds(900))
        #expect(statistics.order([a, c, b], at: now) == [c, b, a])
        // Small transfers are not measured.
        statistics.transferDidSucceed(a, 1000, in: .milliseconds(1))
        #expect(statistics.order([a, c, b], at: now) == [c, b, a])
    }

    @Test func `the mirror that delivered last is suspected first`() {
        var list = MirrorList(a, mirrors: [b])
        list.recordDelivery(by: a, from: ByteRanges(), to: ByteRanges(0..<60))
        list.recordDelivery(by: b, from: ByteRanges(0..<60), to: ByteRanges(0..<100))
        #expect(list.recordHashMismatch(after: b, ByteRanges(0..<100)) == ByteRanges(60..<100))
        #expect(round(&list) == [a])
    }

    @Test func `a file that is wrong with the bytes of two mirrors was wrong before them`() {
        var list = MirrorList(a, mirrors: [b, c])
        list.recordDelivery(by: a, from: ByteRanges(), to: ByteRanges(0..<60))
        list.recordDelivery(by: b, from: ByteRanges(0..<60), to: ByteRanges(0..<100))
        #expect(list.recordHashMismatch(after: b, ByteRanges(0..<100)) != nil)
        list.recordDelivery(by: c, from: ByteRanges(0..<60), to: ByteRanges(0..<100))
        #expect(list.recordHashMismatch(after: c, ByteRanges(0..<100)) == nil)
        // The suspected mirror is tried again.
        #expect(round(&list) == [b, c])
    }

    @Test func `bytes of an earlier process are suspected before those of mirrors`() {
        var list = MirrorList(a, mirrors: [b])
        list.recordDelivery(by: a, from: ByteRanges(0..<60), to: ByteRanges(0..<100))
        let isSuspect = list.suspectInherited(ByteRanges(0..<100))
        #expect(isSuspect)
        #expect(round(&list) == [a, b])
        // The download starts over.
        list.recordDelivery(by: a, from: ByteRanges(), to: ByteRanges(0..<100))
        let isSuspectAgain = list.suspectInherited(ByteRanges(0..<100))
        #expect(!isSuspectAgain)
    }

    @Test func `a mirror that delivered the complete file is excluded when it is wrong`() {
        var list = MirrorList(a, mirrors: [b])
        list.recordDelivery(by: a, from: ByteRanges(), to: ByteRanges(0..<60))
        // The download started over.
        list.recordDelivery(by: b, from: ByteRanges(0..<60), to: ByteRanges(0..<40))
        list.recordDelivery(by: b, from: ByteRanges(0..<40), to: ByteRanges(0..<100))
        #expect(list.recordHashMismatch(after: b, ByteRanges(0..<100)) == nil)
        #expect(round(&list) == [a])
    }

    @Test func `ranges are subtracted from ranges`() {
        var present = ByteRanges(0..<10)
        present.insert(20..<30)
        var others = ByteRanges(5..<22)
        others.insert(25..<26)
        others.insert(28..<40)
        var left = ByteRanges(0..<5)
        left.insert(22..<25)
        left.insert(26..<28)
        #expect(present.subtracting(others) == left)
        #expect(present.subtracting(ByteRanges()) == present)
        #expect(present.subtracting(present) == ByteRanges())
    }
}
