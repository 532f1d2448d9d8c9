/// A reference to one sticker of one version of a pack, as a text that a message can carry.
///
/// The text has only characters that need no escaping in a URL, in XML and in JSON, and one reference has exactly one
/// text:
///
/// ```text
/// sticker1~aSTORE~HASH~PRODUCT~VERSION~STICKER~EMOJI
/// ```
///
/// `a` (address) or `r` (root) says what the store's key is; the key and the hash of the image file are 43 characters of
/// base64url (RFC 4648, 5). In the texts behind them, each byte of UTF-8 other than `A-Z a-z 0-9 . -` is `_` and two
/// upper-case hexadecimal digits.
///
/// ```swift
/// if let reference = StickerReference(text: word) {
///     print(reference.productIdentifier, reference.sticker, reference.emoji)
/// }
/// ```
public struct StickerReference: Sendable, Hashable {
    /// The key of the store that the sender installed the pack from.
    public var store: StoreKey
    public var productIdentifier: String
    /// The version of the sender's pack, as text; `nil` for a pack without a version.
    public var version: String?
    /// The identifier of the sticker in the sender's version of the pack.
    public var sticker: String
    /// The SHA-256 of the sticker's image file.
    public var sha256: SHA256Digest
    /// The text to show where the sticker can't be shown, usually the sticker's emoji; empty if the sender has none.
    public var emoji: String

    /// The beginning of the text of every reference: the name of the format, and its version.
    public static let prefix = "sticker1~"
    /// The maximum length of the text of a reference in bytes.
    public static let maximumLength = 2_048
    /// The maximum length of the replacement text in bytes of UTF-8.
    public static let maximumEmojiLength = 128

    /// Creates a reference; `nil` where its text would be too long, or a part is empty or has control characters.
    public init?(
        store: StoreKey, productIdentifier: String, version: String?, sticker: String, sha256: SHA256Digest,
        emoji: String
    ) {
        self.store = store
        self.productIdentifier = productIdentifier
        self.version = version
        self.sticker = sticker
        self.sha256 = sha256
        self.emoji = emoji
        guard isValid else { return nil }
    }

    /// Parses the text of a reference; `nil` for any other text, and for one that is not the only text of a reference.
    public init?(text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumLength, text.hasPrefix(Self.prefix) else { return nil }
        let fields = bytes[Self.prefix.utf8.count...].split(
            separator: UInt8(ascii: "~"), maxSplits: 6, omittingEmptySubsequences: false)
        guard fields.count == 6, let store = Self.storeKey(fields[0]), let sha256 = Base64URL.digest(fields[1]),
            let product = Self.unescaped(fields[2]), let version = Self.unescaped(fields[3]),
            let sticker = Self.unescaped(fields[4]), let emoji = Self.unescaped(fields[5])
        else { return nil }
        self.init(
            store: store, productIdentifier: product, version: version.isEmpty ? nil : version, sticker: sticker,
            sha256: sha256, emoji: emoji)
        guard self.text.utf8.elementsEqual(bytes) else { return nil }
    }

    /// The reference as text, by which it is sent in a message.
    public var text: String {
        let key =
            switch store {
            case .root(let digest): "r" + Base64URL.text(digest)
            case .address(let digest): "a" + Base64URL.text(digest)
            }
        let texts = [productIdentifier, version ?? "", sticker, emoji].map(Self.escaped)
        return Self.prefix + ([key, Base64URL.text(sha256)] + texts).joined(separator: "~")
    }

    private var isValid: Bool {
        !productIdentifier.isEmpty && !sticker.isEmpty && version?.isEmpty != true
            && emoji.utf8.count <= Self.maximumEmojiLength
            && [productIdentifier, version ?? "", sticker, emoji].allSatisfy { text in
                text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
            }
            && text.utf8.count <= Self.maximumLength
    }

    // MARK: Text

    /// The bytes that texts in a reference contain unescaped: those that are unreserved in URLs, except `_` and `~`.
    static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-".utf8)

    private static func storeKey(_ field: ArraySlice<UInt8>) -> StoreKey? {
        guard let kind = field.first, let digest = Base64URL.digest(field.dropFirst()) else { return nil }
        switch kind {
        case UInt8(ascii: "r"): return .root(digest)
        case UInt8(ascii: "a"): return .address(digest)
        default: return nil
        }
    }

    private static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if unreserved.contains(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "_"))
                bytes += Hexadecimal.text([byte]).uppercased().utf8
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func unescaped(_ field: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "_") {
                guard rest.count >= 2,
                    let value = Hexadecimal.bytes(String(decoding: rest.prefix(2), as: UTF8.self))?.first
                else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension StickerReference: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let reference = StickerReference(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a sticker reference")
        }
        self = reference
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
