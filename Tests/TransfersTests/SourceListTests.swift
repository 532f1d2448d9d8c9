import FoundationEssentials
import StoreModel
import Testing

@testable import StoreTransfers

@Suite struct SourceListTests {
    private let a = URL(string: "https://a.example/p.zip")!
    private let b = URL(string: "https://b.example/p.zip")!
    private let c = URL(string: "https://c.example:8443/p.zip")!
    private let now = ServerKnowledge.Instant.now

    /// All that are asked in one round, each of which fails.
    private func round(_ list: inout SourceList, _ knowledge: ServerKnowledge = ServerKnowledge()) -> [URL] {
        var asked: [URL] = []
        list.beginRound()
        while let url = list.next(knowledge, at: now) {
            asked.append(url)
            list.failed(url, forGood: false)
        }
        return asked
    }

    @Test func eachIsAskedOnceInARoundInThePublishersOrder() {
        var list = SourceList(a, mirrors: [b, a, c, b])
        #expect(round(&list) == [a, b, c])
        #expect(round(&list) == [a, b, c])
        list.failed(b, forGood: true)
        #expect(round(&list) == [a, c])
    }

    @Test func thoseThatThereWasAWayToAreKnownUntilTheNextRound() {
        var list = SourceList(a, mirrors: [b, c])
        #expect(list.reached.isEmpty)
        list.reached(c)
        list.reached(b)
        #expect(list.reached == [b, c])
        list.beginRound()
        #expect(list.reached.isEmpty)
    }

    @Test func itIsForWantOfANetworkOnlyWhereNoneWasReached() {
        let away = TransferError(.transferUnreachable, "no way", isTransient: true, lacksNetwork: true)
        let refused = TransferError(.transferUnreachable, "refused", isTransient: true, retryAfter: .seconds(9))
        let missing = TransferError(.transferHTTPStatus, "gone", status: 404)
        #expect(!TransferEngine.reason(of: [away, refused, away], a).lacksNetwork)
        #expect(TransferEngine.reason(of: [away, missing], a).lacksNetwork, "the other one never has it")
        #expect(TransferEngine.reason(of: [missing, missing], a).status == 404)
    }

    @Test func whatWasLearnedOfServersDecidesFirst() {
        var knowledge = ServerKnowledge()
        var list = SourceList(a, mirrors: [b, c])
        knowledge.failed(a, rest: nil, at: now)
        #expect(round(&list, knowledge) == [b, c, a])
        knowledge.failed(b, rest: nil, at: now)
        knowledge.failed(b, rest: nil, at: now)
        #expect(round(&list, knowledge) == [c, a, b])
        // It is forgiven after a while, at once where it works, and later where it asked for rest.
        #expect(knowledge.order([a, b, c], at: now + .seconds(31)) == [a, c, b])
        knowledge.brought(b, 10, in: .seconds(1))
        #expect(round(&list, knowledge) == [b, c, a])
        knowledge.failed(c, rest: .seconds(120), at: now)
        #expect(knowledge.order([c, a, b], at: now + .seconds(119)) == [a, b, c])
    }

    @Test func theFastComeBeforeTheSlowAndTheUnknownAreTried() {
        var knowledge = ServerKnowledge()
        knowledge.brought(a, 10 << 20, in: .seconds(10))
        // Nothing speaks for another yet.
        #expect(knowledge.order([a, b, c], at: now) == [a, b, c])
        knowledge.brought(c, 10 << 20, in: .seconds(1))
        #expect(knowledge.order([a, b, c], at: now) == [b, c, a])
        // About as fast is no reason to leave the publisher's order.
        knowledge.brought(b, 10 << 20, in: .milliseconds(900))
        #expect(knowledge.order([a, c, b], at: now) == [c, b, a])
        // Of little bytes the time says nothing.
        knowledge.brought(a, 1000, in: .milliseconds(1))
        #expect(knowledge.order([a, c, b], at: now) == [c, b, a])
    }

    @Test func theLastToSendIsSuspectedFirst() {
        var list = SourceList(a, mirrors: [b])
        list.brought(by: a, from: ByteRanges(), to: ByteRanges(0..<60))
        list.brought(by: b, from: ByteRanges(0..<60), to: ByteRanges(0..<100))
        #expect(list.foundWrong(by: b, ByteRanges(0..<100)) == ByteRanges(60..<100))
        #expect(round(&list) == [a])
    }

    @Test func whatIsWrongWithTheBytesOfTwoOthersWasWrongBefore() {
        var list = SourceList(a, mirrors: [b, c])
        list.brought(by: a, from: ByteRanges(), to: ByteRanges(0..<60))
        list.brought(by: b, from: ByteRanges(0..<60), to: ByteRanges(0..<100))
        #expect(list.foundWrong(by: b, ByteRanges(0..<100)) != nil)
        list.brought(by: c, from: ByteRanges(0..<60), to: ByteRanges(0..<100))
        #expect(list.foundWrong(by: c, ByteRanges(0..<100)) == nil)
        // The one that was suspected is asked again.
        #expect(round(&list) == [b, c])
    }

    @Test func whoSentAllOfItIsToBlame() {
        var list = SourceList(a, mirrors: [b])
        list.brought(by: a, from: ByteRanges(), to: ByteRanges(0..<60))
        // It was begun anew.
        list.brought(by: b, from: ByteRanges(0..<60), to: ByteRanges(0..<40))
        list.brought(by: b, from: ByteRanges(0..<40), to: ByteRanges(0..<100))
        #expect(list.foundWrong(by: b, ByteRanges(0..<100)) == nil)
        #expect(round(&list) == [a])
    }

    @Test func rangesAreTakenFromRanges() {
        var here = ByteRanges(0..<10)
        here.insert(20..<30)
        var others = ByteRanges(5..<22)
        others.insert(25..<26)
        others.insert(28..<40)
        var left = ByteRanges(0..<5)
        left.insert(22..<25)
        left.insert(26..<28)
        #expect(here.subtracting(others) == left)
        #expect(here.subtracting(ByteRanges()) == here)
        #expect(here.subtracting(here) == ByteRanges())
    }
}
