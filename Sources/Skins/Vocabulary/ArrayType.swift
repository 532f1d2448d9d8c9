import FoundationEssentials
public import StoreModel

/// The type `array` of values in skins: several values of any type, in `item` elements.
public struct ArrayType: ObjectType {
    public let name = "array"
    public init() {}

    public func value(of source: ObjectSource) throws(ObjectError) -> [SkinValue] {
        guard source.text.isEmpty else {
            throw .bad("unexpected text '\(source.text.prefix(60))' in an array")
        }
        return source.items
    }

    /// Returns an array value of a skin as text: a JSON array of pairs of type and text.
    public func text(of value: [SkinValue]) -> String {
        JSONValue.array(value.map { .array([.string($0.type), .string($0.text)]) }).asWritten
    }

    /// Parses the canonical text of an array value of a skin; `nil` if it has an item of a type that no vocabulary has.
    public func value(ofText text: String) -> [SkinValue]? {
        guard let pairs = try? JSON.decode([[String]].self, from: Data(text.utf8)),
            pairs.allSatisfy({ $0.count == 2 })
        else { return nil }
        // The text may come from a forged compiled skin, so that no name in it is interned.
        let types = InternedName.known(pairs.map { $0[0] }).compactMap(\.self)
        guard types.count == pairs.count else { return nil }
        return zip(types, pairs).map { SkinValue(type: $0, content: .text($1[1])) }
    }

    /// Returns an array value of a skin in CSS, its items separated by spaces; `nil` if one of them has no form in CSS.
    public func css(_ value: [SkinValue], in context: StyleContext) -> String? {
        let items = value.compactMap { context.vocabulary.css($0, in: context) }
        return items.count == value.count && !items.isEmpty ? items.joined(separator: " ") : nil
    }

    public func json(_ value: [SkinValue], in vocabulary: SkinVocabulary) -> JSONValue {
        .array(value.map(vocabulary.json))
    }

    public func assets(in value: [SkinValue], _ vocabulary: SkinVocabulary) -> [SkinAsset] {
        value.flatMap(vocabulary.assets)
    }
}

extension SkinValue {
    /// The least number of bytes that the value takes in the text of an array, as a pair `["TYPE","TEXT"]`.
    var minimumTextSizeAsItem: Int {
        switch content {
        case .text(let text): type.utf8.count + text.utf8.count + 7
        case .font(let font): type.utf8.count + font.family.utf8.count + 13
        case .color, .number, .integer: type.utf8.count + 8
        }
    }
}

extension ObjectType where Self == ArrayType { public static var array: ArrayType { ArrayType() } }
