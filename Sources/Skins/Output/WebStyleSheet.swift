/// A resolved skin as a style sheet for web pages.
///
/// The value of operation OP on identifier ID is the custom property `--ID-OP` of the page's root; rules, which only
/// name these, apply them to the elements with `data-skin="ID"`. A change of skin mostly needs no new rules
/// (``SkinDifference``).
public struct WebStyleSheet: Sendable {
    /// One custom property.
    public struct Property: Sendable, Hashable {
        /// As scripts have it, not escaped: for `style.setProperty(name, value)`.
        public let name: String
        /// CSS.
        public let value: String
    }

    /// What applies to the elements of one identifier.
    public struct Rules: Sendable, Hashable {
        public let identifier: String
        /// CSS, one rule a line; empty where no rule speaks of its operations.
        public let text: String
    }

    /// In the order of the identifiers, then of the operations.
    public let properties: [Property]
    /// In the order of the identifiers.
    public let rules: [Rules]

    /// - Parameters:
    ///   - vocabulary: that the skin was resolved with.
    ///   - rules: how operations show.
    ///   - address: of an asset, for the page; best one that does not depend on where the style sheet lies, because a
    ///     relative address in a custom property is taken to be relative to whatever names the property.
    public init(
        _ skin: ResolvedSkin, vocabulary: SkinVocabulary = .standard, rules: [StyleRule] = StyleRule.web,
        address: @escaping @Sendable (SkinAsset) -> String
    ) {
        var (properties, applied) = ([Property](), [Rules]())
        for entity in skin.entities {
            let values = StyleValues(entity, vocabulary, address: address, css: vocabulary.css)
            for (operation, value) in values.all {
                properties.append(
                    Property(name: Self.property(entity.identifier, operation), value: value))
            }
            applied.append(
                Rules(identifier: entity.identifier, text: Self.rules(for: entity.identifier, values, rules)))
        }
        self.properties = properties
        self.rules = applied
    }

    /// The custom property of an operation on an identifier, as scripts have it.
    public static func property(_ identifier: String, _ operation: String) -> String {
        // No style sheet can have it.
        let readable = identifier.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }
        return "--" + String(String.UnicodeScalarView(readable)) + "-" + operation
    }

    /// The whole style sheet.
    public var text: String {
        var text = ":root {\n"
        for property in properties { text += "  \(Self.escaped(property.name)): \(property.value);\n" }
        text += "}\n"
        for rule in rules { text += rule.text }
        return text
    }

    private static func escaped(_ property: String) -> String {
        "--" + StyleText.identifierPart(String(property.unicodeScalars.dropFirst(2)))
    }

    private static func rules(for identifier: String, _ values: StyleValues, _ rules: [StyleRule]) -> String {
        let selector = "[data-skin=\(StyleText.quoted(identifier))]"
        var text = ""
        for rule in rules where rule.applies(to: values) {
            guard
                let declarations = rule.declarations(
                    values, value: { "var(\(escaped(property(identifier, $0))))" })
            else { continue }
            for suffix in rule.suffixes { text += "\(selector)\(suffix) { \(declarations); }\n" }
        }
        return text
    }
}
