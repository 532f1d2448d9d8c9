public import StoreModel

/// A sticker pack as an importer read it from the description of another program, before its images are checked.
public struct PackDraft: Sendable {
    /// The identifier of the pack in its format; see ``SourceIdentifier``.
    public var sourceIdentifier: String
    public var name: LocalizedText
    public var description: LocalizedText?
    public var publisher: String?
    public var license: String?
    public var website: String?
    public var version: String?
    public var cover: ImageLocation?
    public var stickers: [StickerDraft]
    /// What was odd about the source; text for people.
    public var notes: [String] = []
    /// The images that the importer itself leaves out, and why.
    public var leftOut: [ImportReport.File] = []

    /// Creates the draft of a sticker pack.
    public init(
        sourceIdentifier: String, name: LocalizedText, description: LocalizedText? = nil, publisher: String? = nil,
        license: String? = nil, website: String? = nil, version: String? = nil, cover: ImageLocation? = nil,
        stickers: [StickerDraft] = [], notes: [String] = []
    ) {
        self.sourceIdentifier = sourceIdentifier
        self.name = name
        self.description = description
        self.publisher = publisher?.nonempty
        self.license = license?.nonempty
        self.website = website?.nonempty
        self.version = version?.nonempty
        self.cover = cover
        self.stickers = stickers
        self.notes = notes
    }

    /// Records that an image is left out.
    mutating func leaveOut(_ source: String, because reason: String) {
        leftOut.append(ImportReport.File(source: source, outcome: .leftOut, reason: reason))
    }
}

/// A sticker as an importer read it, before its image is checked.
public struct StickerDraft: Sendable {
    /// The identifier of the sticker; `nil` uses the name of the image file.
    public var id: String?
    public var image: ImageLocation
    public var emoji: [String]
    public var keywords: [String]
    public var description: LocalizedText?

    /// Creates the draft of a sticker.
    public init(
        id: String? = nil, image: ImageLocation, emoji: [String] = [], keywords: [String] = [],
        description: LocalizedText? = nil
    ) {
        self.id = id?.nonempty
        self.image = image
        self.emoji = emoji
        self.keywords = keywords
        self.description = description
    }

    /// Creates the draft of a sticker that texts stand for, such as `:-)` and an emoji.
    init(id: String? = nil, image: ImageLocation, texts: [String], description: LocalizedText? = nil) {
        let (emoji, words) = texts.dividedIntoEmoji()
        self.init(id: id, image: image, emoji: emoji, keywords: words, description: description)
    }
}

/// Where the image of a sticker is.
public enum ImageLocation: Sendable {
    /// The image is a file of the source with this path.
    case file(String)
    /// The image is an encrypted file of the source with this path.
    ///
    /// It is decrypted when it is needed, because all images of a pack together may be larger than the memory. `decrypt`
    /// returns the image; `nil` if the file is encrypted with another key, or damaged.
    case encrypted(String, decrypt: @Sendable ([UInt8]) -> [UInt8]?)

    /// The path of the image as the description spells it.
    var path: String {
        switch self {
        case .file(let path), .encrypted(let path, _): path
        }
    }
}

/// A namespace for the identifiers of imported packs, which are the same each time a source is imported.
public enum SourceIdentifier {
    /// The beginning of the product identifiers of imported packs, which no store may use.
    public static let prefix = ImportedIdentifier.prefix

    /// Returns an identifier for a pack whose format gives it none that is unique in the world.
    ///
    /// - Parameters:
    ///   - readable: a text that people recognize, such as the pack's name.
    ///   - distinguishing: the texts that together distinguish the pack from others of the same name.
    public static func make(_ readable: String, _ distinguishing: String...) -> String {
        let hash = SHA256Digest(of: Array(([readable] + distinguishing).joined(separator: "\0").utf8)).hex.prefix(8)
        let word = slug(readable)
        return word.isEmpty ? String(hash) : "\(word)-\(hash)"
    }

    /// Returns a text in lower case with ASCII letters, digits, dots, hyphens and underscores only.
    ///
    /// It has at most 60 bytes.
    public static func slug(_ text: String) -> String {
        var made = ""
        for character in text.lowercased() {
            let isKept = character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
            if isKept { made.append(character) } else if !made.isEmpty, made.last != "-" { made.append("-") }
        }
        while made.last == "-" || made.last == "." { made.removeLast() }
        return String(made.drop { $0 == "." || $0 == "-" }.prefix(60))
    }
}
