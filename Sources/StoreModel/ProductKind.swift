/// The kind of content of a product, by its name: `sticker`, `skin`, `emoji`, `plugin`, or one that is not known.
///
/// A struct and not an enum: a store may have kinds that this program does not know.
public struct ProductKind: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public var description: String { rawValue }

    public static let sticker = ProductKind(rawValue: "sticker")
    public static let skin = ProductKind(rawValue: "skin")
    public static let emoji = ProductKind(rawValue: "emoji")
    public static let plugin = ProductKind(rawValue: "plugin")

    /// The kinds of content that this release knows.
    public static let known: [ProductKind] = [.sticker, .skin, .emoji, .plugin]

    /// The permissions that every product of the kind needs.
    public var ownPermissions: Set<Permission> { self == .plugin ? [.code] : [] }

    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
