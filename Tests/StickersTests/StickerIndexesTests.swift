import FoundationEssentials
import StoreDatabase
import StoreLibrary
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreStickerPacks
@testable import StoreStickers

/// The search index after packs have come and gone, compared with one that is built of the same packs at once.
@Suite struct StickerIndexesTests {
    private static let words = ["cat", "catch", "dog", "do", "smile", "smiley", "wave", "Straße", "hello"]
    private static let emoji = ["🙂", "👋", "👋🏽", "👋🏿", "❤️", ":-)"]
    private static let queries = [
        "", "c", "cat", "do", "smil", "wave hello", "c s", "👋", "👋🏽", "👋🏿", "👋🏻", "❤", ":-)", "pack", "pack3",
        "👋 d", "x",
    ]

    private static func pack(_ number: Int, using random: inout some RandomNumberGenerator) -> KnownStickerPack {
        let stickers = (0..<Int.random(in: 0...8, using: &random)).map { index in
            func some(_ list: [String]) -> [String] {
                (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in list.randomElement(using: &random) }
            }
            return Sticker(
                id: "\(some(words).joined(separator: " ")) \(index)", file: "\(index).png", emoji: some(emoji),
                keywords: some(words + emoji), description: LocalizedText(some(words).joined(separator: " ")))
        }
        let name = "pack\(number % 7)"
        let pack = LibraryPack(
            folder: "\(number).stickers", productIdentifier: "\(number)", kind: .sticker, name: LocalizedText(name),
            version: nil, size: 0, installedAt: Date(timeIntervalSince1970: 0), origin: nil, receiptIsDamaged: false)
        var known = KnownStickerPack(
            pack: pack, path: "/packs/\(pack.folder)", version: nil,
            content: StickerPackContent(publisher: nil, license: nil, cover: nil, stickers: stickers))
        known.number = number
        return known
    }

    private static func found(_ query: String, _ packs: [KnownStickerPack], in index: StickerIndexes) -> [String] {
        let ordered = OrderedStickerPacks(packs, in: index, StickerUses(StickerRecords()), 0)
        let (best, total) = ordered.search(StickerQuery(query, limit: 30), in: index)
        return ["\(total)"] + best.map { "\(ordered.packs[$0.pack].folder) \($0.sticker)" }
    }

    @Test(arguments: 0..<4)
    func `an index of packs that come and go finds what one of the same packs finds`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var (packs, index, next): ([KnownStickerPack], StickerIndexes, Int) = ([], StickerIndexes(), 1)
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 0...6, using: &random) where Bool.random(using: &random) {
                packs.append(Self.pack(next, using: &random))
                next += 1
            }
            packs.removeAll { _ in Int.random(in: 0..<8, using: &random) == 0 }
            packs.shuffle(using: &random)
            index = index.updated(to: packs)
            let fresh = StickerIndexes().updated(to: packs)
            #expect(fresh.parts.count == (packs.isEmpty ? 0 : 1))
            for query in Self.queries {
                #expect(Self.found(query, packs, in: index) == Self.found(query, packs, in: fresh), "\(query)")
            }
        }
    }

    @Test func `packs that are added one by one are merged into few indexes, and leave with their last pack`() {
        var random = SeededGenerator(seed: 1)
        var (packs, index): ([KnownStickerPack], StickerIndexes) = ([], StickerIndexes())
        for number in 1...200 {
            packs.append(Self.pack(number, using: &random))
            index = index.updated(to: packs)
            // Twice as many stickers in each as in the next; and one for packs without stickers.
            #expect(index.parts.count <= 12)
        }
        #expect(index.parts.flatMap(\.packs).count { !$0.isRemoved } == 200)
        #expect(index.updated(to: []).parts.isEmpty)
        // Without half of its stickers an index is built anew.
        let few = index.updated(to: Array(packs.prefix(10)))
        let stickers = packs.prefix(10).reduce(0) { $0 + $1.content.stickers.count }
        #expect(few.parts.reduce(0) { $0 + $1.stickerCount } <= 2 * stickers)
    }
}
