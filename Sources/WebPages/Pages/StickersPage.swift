import StoreMessages
public import StoreModel

/// The page with the user's stickers: a search, the recently used ones, the favourites, and all packs in the user's order.
public struct StickersPage: Page {
    public var template: String { "stickers" }
    let title: String
    let navigation: [NavigationLink]
    let warnings: [String] = []
    let words: String
    let results: StickerResults

    /// Creates the page.
    ///
    /// - Parameter words: the words, emoji and emoticons of the search; empty without one.
    public init(words: String, _ results: StickerResults, _ texts: PageText) {
        title = NavigationLink.Target.stickers.name(texts)
        navigation = NavigationLink.all(on: .stickers, texts)
        self.words = words
        self.results = results
    }
}

/// A list of stickers under a heading: those of a pack, or of several packs.
struct StickerSection: Sendable {
    /// The identifier of the element, unique in its page.
    var anchor: String
    /// The product identifier of the pack; `nil` for a list of stickers of several packs.
    var pack: String?
    let name: String
    let count: String
    var stickers: [StickerItem]
    /// Whether the user can move the pack, which needs another one.
    var isMovable = false
    var isFirst = false
    var isLast = false
    /// Whether the section has the stickers that were sent last.
    var isRecents = false
    /// The address of the page with all stickers of the pack; `nil` if all are in the section.
    var more: String?

    /// Creates the section of a pack.
    ///
    /// - Parameter shown: the number of stickers to show at most.
    init(
        _ pack: StickerPack, anchor: String? = nil, shown: Int = .max, favourites: Set<StickerName> = [],
        languages: [String], _ texts: PageText
    ) {
        let product = pack.productIdentifier
        self.anchor = anchor ?? Self.anchor(of: product)
        self.pack = product
        name = pack.name.text(in: languages).displayableName
        count = texts.stickers(pack.count)
        stickers = pack.stickers.prefix(shown).map { sticker in
            let name = StickerName(productIdentifier: product, sticker: sticker.id)
            return StickerItem(sticker, name, isFavourite: favourites.contains(name), languages: languages)
        }
        if stickers.count < pack.count { more = "/stickers?pack=" + PathSegment.encode(product) }
    }

    /// Creates the section of a list of stickers.
    init(
        _ stickers: [InstalledSticker], anchor: String, name: String, isRecents: Bool = false, languages: [String],
        _ texts: PageText
    ) {
        self.anchor = anchor
        self.name = name
        self.isRecents = isRecents
        count = texts.stickers(stickers.count)
        self.stickers = stickers.map {
            StickerItem($0.sticker, $0.name, isFavourite: $0.favourite, languages: languages)
        }
    }
}

extension StickerSection {
    /// Returns the identifier of the section of a product's first pack.
    static func anchor(of product: String) -> String { "pack-" + product }

    /// Returns the identifiers of the sections of packs, each different from all others.
    ///
    /// A pack that a user placed by hand may be of the same product as an installed one: a number follows the identifier
    /// of its section.
    static func anchors(of packs: [StickerPack]) -> [String] {
        var used = Set(packs.map { Self.anchor(of: $0.productIdentifier) })
        var seen: Set<String> = []
        return packs.map { pack in
            let first = Self.anchor(of: pack.productIdentifier)
            if seen.insert(first).inserted { return first }
            var number = 2
            while !used.insert("\(first)-\(number)").inserted { number += 1 }
            return "\(first)-\(number)"
        }
    }
}

/// A sticker on a page, with the addresses of its thumbnails.
struct StickerItem: Sendable {
    /// The product identifier of the pack, and the identifier of the sticker in it.
    let product: String
    let id: String
    /// The sticker in the field of a form; see ``StickerName/init(formValue:)``.
    let value: String
    /// The address of a static thumbnail, for a screen of usual density, and for one of twice as many pixels.
    let source: String
    let largeSource: String
    /// The addresses of an animated thumbnail; `nil` for a static sticker.
    let animatedSource: String?
    let largeAnimatedSource: String?
    let text: String
    /// The field of the form that a click sets: `remove` for a favourite, else `add`.
    let action: String
    let isFavourite: Bool

    init(_ sticker: Sticker, _ name: StickerName, isFavourite: Bool = false, languages: [String]) {
        let description = sticker.description?.text(in: languages) ?? sticker.keywords.first ?? sticker.id
        // The query of an address names the version of the pack, so that an update changes the pictures of an open page.
        func thumbnail(_ size: ThumbnailSize) -> String {
            sticker.thumbnail.map { $0 + ($0.contains("?") ? "&" : "?") + "size=\(size.pixels)" } ?? sticker.url
        }
        product = name.productIdentifier
        id = name.sticker
        value = name.formValue
        source = thumbnail(.medium)
        largeSource = thumbnail(.large)
        text = (sticker.emoji.joined() + " " + description).displayableName
        action = isFavourite ? "remove" : "add"
        self.isFavourite = isFavourite
        if Self.isAnimatedPNG(sticker) {
            // Its thumbnails are static.
            (animatedSource, largeAnimatedSource) = (sticker.url, sticker.url)
        } else if Self.isAnimated(sticker), sticker.thumbnail != nil {
            (animatedSource, largeAnimatedSource) = (source + "&animated=true", largeSource + "&animated=true")
        } else {
            (animatedSource, largeAnimatedSource) = (nil, nil)
        }
    }

    private static func isAnimatedPNG(_ sticker: Sticker) -> Bool {
        guard let image = sticker.image else { return false }
        return image.animated && ["image/png", "image/apng"].contains(image.mediaType)
    }

    private static func isAnimated(_ sticker: Sticker) -> Bool {
        if let image = sticker.image { return image.animated }
        // Lists don't have the properties of images that were not read yet.
        let file = sticker.file.lowercased()
        return file.hasSuffix(".tgs") || file.hasSuffix(".webm")
    }
}

extension StickerName {
    /// The name as the value of a form's field: the two identifiers, percent-encoded, with a `/` between them.
    var formValue: String { PathSegment.encode(productIdentifier) + "/" + PathSegment.encode(sticker) }

    /// Reads a name from a field of a form; `nil` if the value is malformed.
    public init?(formValue: String) {
        let parts = formValue.split(separator: "/", omittingEmptySubsequences: false).compactMap(PathSegment.decode)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        self.init(productIdentifier: parts[0], sticker: parts[1])
    }
}

extension StickerSection: TemplateValue {
    func child(named name: String) -> Any? {
        switch name {
        case "anchor": anchor
        case "pack": orFalse(pack)
        case "name": self.name
        case "count": count
        case "stickers": stickers
        case "isMovable": isMovable
        case "isFirst": isFirst
        case "isLast": isLast
        case "isRecents": isRecents
        case "more": orFalse(more)
        default: nil
        }
    }
}

extension StickerItem: TemplateValue {
    func child(named name: String) -> Any? {
        switch name {
        case "product": product
        case "id": id
        case "value": value
        case "source": source
        case "largeSource": largeSource
        case "animatedSource": orFalse(animatedSource)
        case "largeAnimatedSource": orFalse(largeAnimatedSource)
        case "text": text
        case "action": action
        case "isFavourite": isFavourite
        default: nil
        }
    }
}
