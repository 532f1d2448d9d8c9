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

    public func value(of source: ObjectSource) throws(ObjectError) -> SkinFont {
        guard let font = value(ofText: source.text) else {
            throw .bad("invalid font '\(source.text.prefix(60))', expected a form such as 'Family; 14; bold'")
        }
        return font
    }

    public func content(of value: SkinFont) -> SkinValue.Content { .font(value) }

    @inlinable public func value(of content: SkinValue.Content) -> SkinFont? {
        guard case .font(let font) = content else { return value(ofText: content.text) }
        let isValid = !font.family.isEmpty && font.size > 0 && font.size.isFinite && Self.weights.contains(font.weight)
        return isValid ? font : nil
    }

    public func text(of value: SkinFont) -> String {
        // A short text that is concatenated is not allocated, unlike one that is interpolated.
        value.family + "; " + SkinNumber.write(value.size) + "; " + String(value.weight)
    }

    public func value(ofText text: String) -> SkinFont? {
        var text = text
        return text.withUTF8 { bytes in
            let separator = UInt8(ascii: ";")
            guard let first = bytes.firstIndex(of: separator) else { return nil }
            let rest = bytes[(first + 1)...]
            let second = rest.firstIndex(of: separator) ?? bytes.endIndex
            let (family, size) = (bytes[..<first].withoutXMLSpace, rest[..<second].withoutXMLSpace)
            guard !family.isEmpty, let size = SkinNumber.read(size), size > 0 else { return nil }
            var weight = 400
            if second < bytes.endIndex {
                // Another separator makes the word invalid.
                let word = String(decoding: rest[(second + 1)...].withoutXMLSpace, as: UTF8.self)
                guard let found = Self.weight(word.lowercased()) else { return nil }
                weight = found
            }
            return SkinFont(family: String(decoding: family, as: UTF8.self), size: size, weight: weight)
        }
    }

    /// Returns the weight that a word or a number names; `nil` if it is invalid.
    private static func weight(_ word: String) -> Int? {
        // The most frequent words are first, because they are compared one by one.
        switch word {
        case "bold": 700
        case "normal", "regular": 400
        case "thin": 100
        case "extralight", "ultralight": 200
        case "light": 300
        case "medium": 500
        case "semibold", "demibold": 600
        case "extrabold", "ultrabold": 800
        case "black", "heavy": 900
        default: Int(word).flatMap { weights.contains($0) ? $0 : nil }
        }
    }

    @usableFromInline static let weights = 100...900

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
