public import StoreModel

/// A font in a skin: family, size and weight.
public struct SkinFont: Sendable, Hashable {
    public let family: String
    /// The size of the font in pixels, greater than 0.
    public let size: Double
    /// The weight of the font from 100 to 900; 400 is normal, 700 is bold (CSS Fonts Module Level 4, 2.4).
    public let weight: Int

    /// Creates the description of a font from family, size in pixels and weight.
    public init(family: String, size: Double, weight: Int = 400) {
        self.family = family
        self.size = size
        self.weight = weight
    }
}

/// The type `font` of values in skins, written `Family; 14; bold`.
///
/// The weight is optional: a word or a number from 100 to 900.
public struct FontType: ObjectType {
    public let name = "font"
    public init() {}

    private static let weights: [String: Int] = [
        "thin": 100, "extralight": 200, "ultralight": 200, "light": 300, "normal": 400, "regular": 400, "medium": 500,
        "semibold": 600, "demibold": 600, "bold": 700, "extrabold": 800, "ultrabold": 800, "black": 900, "heavy": 900,
    ]

    public func value(of source: ObjectSource) throws(ObjectError) -> SkinFont {
        guard let font = value(ofText: source.text) else {
            throw .bad("invalid font '\(source.text.prefix(60))', expected a form such as 'Family; 14; bold'")
        }
        return font
    }

    public func text(of value: SkinFont) -> String {
        "\(value.family); \(SkinNumber.write(value.size)); \(value.weight)"
    }

    public func value(ofText text: String) -> SkinFont? {
        let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { Substring($0).trimmed }
        guard (2...3).contains(parts.count), !parts[0].isEmpty, let size = SkinNumber.read(parts[1][...]), size > 0
        else {
            return nil
        }
        let word = parts.count == 3 ? parts[2].lowercased() : "normal"
        guard let weight = Self.weights[word] ?? Int(word), (100...900).contains(weight) else { return nil }
        return SkinFont(family: parts[0], size: size, weight: weight)
    }

    /// The generic font families, which are CSS keywords and must not be quoted (CSS Fonts Module Level 4, 2.1.3).
    private static let genericFamilies: Set = [
        "serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui", "ui-serif", "ui-sans-serif",
        "ui-monospace", "ui-rounded", "math", "emoji",
    ]

    public func css(_ value: SkinFont, in context: StyleContext) -> String? {
        let isGeneric = Self.genericFamilies.contains(value.family)
        let family = isGeneric ? value.family : StyleText.quoted(value.family)
        return "\(value.weight) \(SkinNumber.write(value.size))px \(family)"
    }

    public func json(_ value: SkinFont, in vocabulary: SkinVocabulary) -> JSONValue {
        .object([
            "family": .string(value.family), "size": .number(value.size), "weight": .integer(value.weight),
        ])
    }
}

extension ObjectType where Self == FontType { public static var font: FontType { FontType() } }
