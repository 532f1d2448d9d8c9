import Testing

@testable import StoreServer

/// Moves of sticker packs in the user's order.
@Suite struct StickerPackMoveTests {
    @Test(arguments: [
        (StickerPackMove.up, "b", "bac"), (.up, "a", "abc"), (.down, "b", "acb"), (.down, "c", "abc"),
        (.before("a"), "c", "cab"), (.before("c"), "a", "bac"), (.before("b"), "a", "abc"), (.before("a"), "a", "abc"),
        (.before("x"), "a", "abc"), (.toEnd, "a", "bca"), (.toEnd, "c", "abc"), (.up, "x", "abc"), (.toEnd, "x", "abc"),
    ])
    func `a pack moves by one position, before another one, or to the end`(
        move: StickerPackMove, pack: String, order: String
    ) {
        #expect(move.applied(to: pack, in: ["a", "b", "c"]).joined() == order)
    }

    @Test func `of two packs of one product, the first has the position`() {
        #expect(StickerPackMove.up.applied(to: "b", in: ["a", "a", "b", "a"]) == ["b", "a"])
    }
}
