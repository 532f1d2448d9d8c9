public import StoreModel

/// The page with the stickers of all installed packs.
public struct StickersPage: Page {
    struct Pack: Sendable {
        let id: String
        let name: String
        let count: String
        let stickers: [Image]
    }

    struct Image: Sendable {
        let source: String
        let text: String
    }

    public var template: String { "stickers" }
    let title = "Stickers"
    let navigation = NavigationLink.all(on: "Stickers")
    let warnings: [String]
    let isEmpty: Bool
    let packs: [Pack]

    /// Creates the page with sticker packs in the order in which they are shown.
    public init(_ packs: [StickerPack], languages: [String], warnings: [String] = []) {
        self.warnings = warnings.map(\.displayable)
        isEmpty = packs.isEmpty
        self.packs = packs.map { pack in
            Pack(
                id: pack.productIdentifier, name: pack.name.text(in: languages).displayable,
                count: PageText.count(pack.count, "sticker"),
                stickers: pack.stickers.map { sticker in
                    let file = sticker.file.split(separator: "/").map { PathSegment.encode(String($0)) }
                    let description = sticker.description?.text(in: languages) ?? sticker.keywords.first ?? sticker.id
                    return Image(
                        source: "/v1/packs/\(PathSegment.encode(pack.productIdentifier))/files/"
                            + file.joined(separator: "/"),
                        text: (sticker.emoji.joined() + " " + description).displayable)
                })
        }
    }
}

/// The page with the installed skins, of which one is in use.
public struct SkinsPage: Page {
    /// A skin on the page.
    public struct Skin: Sendable {
        let id: String
        let name: String
        let version: String?
        let parent: String?
        let isInUse: Bool

        /// Creates the description of a skin.
        public init(id: String, name: String, version: String?, parent: String?, isInUse: Bool) {
            self.id = id
            self.name = name.displayable
            self.version = version?.displayable
            self.parent = parent?.displayable
            self.isInUse = isInUse
        }
    }

    public var template: String { "skins" }
    let title = "Skins"
    let navigation = NavigationLink.all(on: "Skins")
    let warnings: [String] = []
    let problem: String?
    let skins: [Skin]

    /// Creates the page.
    ///
    /// - Parameter problem: why the chosen skin can't be used; `nil` if it is in use.
    public init(_ skins: [Skin], problem: String?) {
        self.skins = skins
        self.problem = problem?.displayable
    }
}
