import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreDatabase

@Suite struct TablesTests {
    @Test func `purchases are granted once and revoked`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        let first = try await database.grant("b", at: date(10))
        #expect(first == Purchase(productIdentifier: "b", grantedAt: date(10)))
        // A repeated purchase keeps its original date.
        #expect(try await database.grant("b", at: date(20)) == first)
        try await database.grant("a", at: date(30))
        #expect(try await database.purchases().map(\.productIdentifier) == ["a", "b"])
        #expect(try await database.isPurchased("b"))
        #expect(try await database.revoke("b"))
        #expect(try await database.revoke("b") == false)
        #expect(try await database.isPurchased("b") == false)
    }

    @Test func `identifiers of any kind are stored unchanged`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        let identifiers = ["../../x", String(repeating: "x", count: 300), "🙂", "a'b\"c;--", "é", "%41"]
        for identifier in identifiers { try await database.grant(identifier) }
        #expect(Set(try await database.purchases().map(\.productIdentifier)) == Set(identifiers))
    }

    @Test func `changes are committed together or not at all`() async throws {
        struct Stop: Error {}
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        try await database.write { $0.upsert(pack(1)) }
        try? await database.write {
            $0.removePack(directory: pack(1).directory)
            throw Stop()
        }
        #expect(try await database.packs() == [pack(1)])
        // The second change fails because the time of the receipt must be a number.
        var impossible = pack(2)
        impossible.receiptFile = FileIdentity(inode: 1, size: 1, changedAt: .nan)
        let refused = impossible
        await #expect(throws: StoreError.self) {
            try await database.write {
                $0.removePack(directory: pack(1).directory)
                $0.upsert(refused)
            }
        }
        #expect(try await database.packs() == [pack(1)])
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `event numbers only grow`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var fixture = try DatabaseFixture()
        var now = date(1_700_000_000)
        var database = try await fixture.open(now: now)
        var last: UInt64 = 0
        for _ in 0..<60 {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                try await database.close()
                database = try await fixture.open(now: now)
            case 1:
                let killed = try fixture.copyAsIfKilled()
                database = try await killed.open(now: now)
                fixture = killed
            case 2:
                // The clock may be set forward or back.
                now += Double.random(in: -3600...3600, using: &generator)
            default:
                let count = Int.random(in: 1...5000, using: &generator)
                let block = try await database.reserveSequence(count)
                #expect(block.count == count && block.lowerBound > last, "seed \(seed)")
                last = block.upperBound - 1
            }
        }
    }

    @Test func `a new database begins its event numbers at the current time`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open(now: date(1_700_000_000))
        #expect(try await database.reserveSequence(10) == 1_700_000_000_000..<1_700_000_000_010)
        #expect(try await database.reserveSequence(1) == 1_700_000_000_010..<1_700_000_000_011)
    }

    @Test func `an old copy of the database does not reuse event numbers`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open(now: date(1_700_000_000))
        let old = try fixture.copyAsIfKilled()
        let given = try await database.reserveSequence(5000)
        let restored = try await old.open(now: date(1_700_000_060))
        #expect(try await restored.reserveSequence(1).lowerBound >= given.upperBound)
    }
}
