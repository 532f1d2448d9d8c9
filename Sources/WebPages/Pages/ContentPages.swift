import StoreMessages
public import StoreModel

/// The page with the stickers of all installed packs.
public struct StickersPage: Page {
    struct Pack: Sendable {
        let id: String
        let name: String
        let count: String
        let stickers: [Image]

        init(_ pack: StickerPack, languages: [String], _ texts: PageText) {
            id = pack.productIdentifier
            name = pack.name.text(in: languages).displayable
            count = texts.stickers(pack.count)
            stickers = pack.stickers.map { Image($0, of: pack.productIdentifier, languages: languages) }
        }
    }

    struct Image: Sendable {
        /// The identifier of the pack, and that of the sticker in it.
        let product: String
        let id: String
        /// The address of a thumbnail for a screen of usual density, and for one of twice as many pixels.
        let source: String
        let largeSource: String
        let text: String

        init(_ sticker: Sticker, of product: String, languages: [String]) {
            let file = sticker.file.split(separator: "/").map { PathSegment.encode(String($0)) }
            let description = sticker.description?.text(in: languages) ?? sticker.keywords.first ?? sticker.id
            let thumbnail =
                "/v1/packs/\(PathSegment.encode(product))/thumbnails/" + file.joined(separator: "/") + "?size="
            self.product = product
            id = sticker.id
            source = thumbnail + String(ThumbnailSize.medium.pixels)
            largeSource = thumbnail + String(ThumbnailSize.large.pixels)
            text = (sticker.emoji.joined() + " " + description).displayable
        }
    }

    public var template: String { "stickers" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String]
    let isEmpty: Bool
    let packs: [Pack]

    /// Creates the page with sticker packs in the order in which they are shown.
    public init(_ packs: [StickerPack], languages: [String], warnings: [String] = [], _ texts: PageText) {
        title = NavigationLink.Target.stickers.name(texts)
        navigation = NavigationLink.all(on: .stickers, texts)
        self.warnings = warnings.map(texts.translation)
        isEmpty = packs.isEmpty
        self.packs = packs.map { Pack($0, languages: languages, texts) }
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
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String] = []
    let problem: String?
    let skins: [Skin]

    /// Creates the page.
    ///
    /// - Parameter problem: why the chosen skin can't be used; `nil` if it is in use.
    public init(_ skins: [Skin], problem: String?, _ texts: PageText) {
        title = NavigationLink.Target.skins.name(texts)
        navigation = NavigationLink.all(on: .skins, texts)
        self.skins = skins
        self.problem = problem.map(texts.translation)
    }
}
