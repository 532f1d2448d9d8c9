import StoreMessages
public import StoreModel

/// The lists of the page of the stickers: a part of it, which its script also requests alone while the user types.
public struct StickerResults: Page {
    /// The number of stickers of packs on one page.
    ///
    /// Of further packs, only the first stickers are shown, so that a large library has no page of many megabytes.
    public static let pageLimit = 500
    /// The number of stickers that each pack shows at least.
    private static let minimumShown = 4
    /// The maximum number of stickers that a search shows.
    public static let searchLimit = 200

    public var template: String { "stickerResults" }
    /// The number of packs, or of the stickers that a search found.
    let count: String
    /// A text in place of sections; `nil` if there are any.
    let emptyText: String?
    /// Whether there is no pack, so that the store is offered.
    let hasNoPacks: Bool
    /// What is not shown; `nil` if nothing is left out.
    let note: String?
    /// Whether the page shows a part of what is installed, so that it has a link to the page with all.
    let isPart: Bool
    let sections: [StickerSection]

    /// Creates the lists without a search.
    ///
    /// - Parameters:
    ///   - packs: all sticker packs in the user's order.
    ///   - favourites: the user's favourites, in their order.
    public init(
        _ packs: [StickerPack], recents: [InstalledSticker], favourites: [InstalledSticker], languages: [String],
        _ texts: PageText
    ) {
        let messages = texts.messages
        count = texts.packs(packs.count)
        hasNoPacks = packs.isEmpty
        emptyText = packs.isEmpty ? messages.text("No sticker pack is installed.") : nil
        note = nil
        isPart = false
        var sections: [StickerSection] = []
        if !recents.isEmpty {
            sections.append(
                StickerSection(
                    recents, anchor: "recents", name: messages.text("Recently used"), isRecents: true,
                    languages: languages, texts))
        }
        if !favourites.isEmpty {
            sections.append(
                StickerSection(
                    favourites, anchor: "favourites", name: messages.text("Favourites"), languages: languages, texts))
        }
        let marked = Set(favourites.map(\.name))
        let anchors = StickerSection.anchors(of: packs)
        let shown = Self.shown(of: packs)
        var ofPacks: [StickerSection] = []
        for ((pack, anchor), limit) in zip(zip(packs, anchors), shown) {
            var section = StickerSection(
                pack, anchor: anchor, shown: limit, favourites: marked, languages: languages, texts)
            // Of several packs of one product, the first has the position in the order.
            section.isMovable = packs.count > 1 && anchor == StickerSection.anchor(of: pack.productIdentifier)
            ofPacks.append(section)
        }
        if let first = ofPacks.indices.first { ofPacks[first].isFirst = true }
        if let last = ofPacks.lastIndex(where: \.isMovable) { ofPacks[last].isLast = true }
        self.sections = sections + ofPacks
    }

    /// Creates the list of the stickers that a search found.
    ///
    /// - Parameter total: the number of stickers that match, of which only the first are in `found`.
    public init(found: [InstalledSticker], total: Int, languages: [String], _ texts: PageText) {
        let messages = texts.messages
        count = texts.stickers(total)
        hasNoPacks = false
        isPart = true
        emptyText = found.isEmpty ? messages.text("No sticker matches.") : nil
        note =
            found.count < total
            ? messages.text(
                "Only the first {number} are shown. Add words to narrow the search.", ["number": "\(found.count)"])
            : nil
        sections =
            found.isEmpty
            ? []
            : [
                StickerSection(
                    found, anchor: "found", name: messages.text("Found stickers"), languages: languages, texts)
            ]
    }

    /// Creates the list of all stickers of one pack.
    public init(_ pack: StickerPack, favourites: Set<StickerName>, languages: [String], _ texts: PageText) {
        count = texts.packs(1)
        hasNoPacks = false
        emptyText = nil
        note = nil
        isPart = true
        sections = [StickerSection(pack, favourites: favourites, languages: languages, texts)]
    }

    /// Returns the number of stickers that the page shows of each pack.
    public static func shown(of packs: [StickerPack]) -> [Int] {
        var left = pageLimit
        return packs.map { pack in
            // A pack is not cut for a few stickers.
            let number = pack.count <= left ? pack.count : min(pack.count, minimumShown)
            left = max(0, left - number)
            return number
        }
    }
}
