import FoundationEssentials
import StoreModel
import Testing

@testable import StoreDatabase

@Suite struct StickersTests {
    private func name(_ sticker: String, of product: String = "cups") -> StickerName {
        StickerName(productIdentifier: product, sticker: sticker)
    }

    @Test func `a sticker that is sent again is the newest, and counts`() async throws {
        let database = try await DatabaseFixture().open()
        try await database.recordUses(of: [name("a"), name("b"), name("a")], at: date(1_000))
        try await database.recordUses(of: [name("c")], at: date(2_000))
        let uses = try await database.stickerRecords().uses
        #expect(uses.map(\.name.sticker) == ["c", "a", "b"] && uses.map(\.count) == [1, 2, 1])
        #expect(uses.map(\.sentAt) == [date(2_000), date(1_000), date(1_000)])
        #expect(try await database.forgetUses(of: name("a")))
        #expect(try await !database.forgetUses(of: name("a")))
        try await database.forgetUses(ofProduct: "cups")
        #expect(try await database.stickerRecords().uses.isEmpty)
        try await database.close()
    }

    @Test func `a use a half-life later counts twice as much`() async throws {
        let database = try await DatabaseFixture().open()
        let now = 1_700_000_000
        for _ in 0..<2 { try await database.recordUses(of: [name("old")], at: date(now)) }
        let later = date(now + Int(StickerUse.halfLife))
        try await database.recordUses(of: [name("new")], at: later)
        func ranks() async throws -> [String: Double] {
            Dictionary(
                uniqueKeysWithValues: try await database.stickerRecords().uses.map { ($0.name.sticker, $0.rank) })
        }
        let (old, new) = (try #require(try await ranks()["old"]), try #require(try await ranks()["new"]))
        #expect(abs(old / new - 1) < 0.001)
        try await database.recordUses(of: [name("old")], at: later)
        #expect(try #require(try await ranks()["old"]) > 1.9 * new)
        // No clock makes a rank that can't be stored.
        for seconds in [-100_000_000_000, 0, 100_000_000_000] {
            try await database.recordUses(of: [name("clock")], at: date(seconds))
            #expect(try #require(try await ranks()["clock"]).isFinite)
        }
        try await database.close()
    }

    @Test func `the uses that are oldest are forgotten`() async throws {
        let database = try await DatabaseFixture().open()
        let names = (0..<LibraryDatabase.maximumStickerUses + 5).map { name("\($0)") }
        try await database.recordUses(of: names, at: date(1))
        let uses = try await database.stickerRecords().uses
        #expect(uses.map(\.name) == names.suffix(LibraryDatabase.maximumStickerUses).reversed())
        try await database.close()
    }

    @Test func `favourites and the order of packs keep their order`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        for sticker in ["b", "a", "b", "c"] { #expect(try await database.addFavourite(name(sticker))) }
        #expect(try await database.removeFavourite(name("a")))
        #expect(try await !database.removeFavourite(name("a")))
        try await database.setPackOrder(["z", "a", "m"])
        try await database.setPackOrder(["m", "z"])
        try await database.close()
        let again = try await fixture.open()
        #expect(try await again.stickerRecords().favourites.map(\.sticker) == ["b", "c"])
        #expect(try await again.stickerRecords().order == ["m", "z"])
        try await again.close()
    }

    @Test func `there is a limit of favourites`() async throws {
        let database = try await DatabaseFixture().open()
        for number in 0..<LibraryDatabase.maximumFavourites {
            #expect(try await database.addFavourite(name("\(number)")))
        }
        #expect(try await !database.addFavourite(name("more")))
        #expect(try await database.addFavourite(name("0")))
        try await database.close()
    }

    @Test func `properties of images are kept by version, and only those of installed packs`() async throws {
        let database = try await DatabaseFixture().open()
        let (first, second) = (OperationID(rawValue: "1"), OperationID(rawValue: "2"))
        try await database.keep(
            stickerImages: Data("x".utf8), of: "a.stickers", by: first, installed: ["a.stickers", "b.stickers"])
        try await database.keep(
            stickerImages: Data("y".utf8), of: "b.stickers", by: first, installed: ["a.stickers", "b.stickers"])
        try await database.keep(
            stickerImages: Data("z".utf8), of: "b.stickers", by: second, installed: ["b.stickers"])
        let kept = try await database.stickerImages()
        #expect(kept.keys.sorted() == ["b.stickers"])
        #expect(kept["b.stickers"]?.operation == second && kept["b.stickers"]?.images == Data("z".utf8))
        try await database.close()
    }

    @Test func `a rebuild keeps the lists of stickers`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        try await database.recordUses(of: [name("a"), name("b"), name("a")], at: date(1_000))
        for sticker in ["y", "x"] { _ = try await database.addFavourite(name(sticker)) }
        try await database.setPackOrder(["plates", "cups"])
        let before = try await database.stickerRecords()
        try await database.close()
        try fixture.execute("DROP TABLE purchases")
        let rebuilt = try await fixture.open()
        guard case .rebuilt(let reason) = rebuilt.origin else {
            Issue.record("\(rebuilt.origin)")
            return
        }
        #expect(reason.contains("6 entries of the lists of stickers"), "\(reason)")
        #expect(try await rebuilt.stickerRecords() == before)
        try await rebuilt.recordUses(of: [name("c")], at: date(2_000))
        #expect(try await rebuilt.stickerRecords().uses.map(\.name.sticker) == ["c", "a", "b"])
        try await rebuilt.close()
    }
}
