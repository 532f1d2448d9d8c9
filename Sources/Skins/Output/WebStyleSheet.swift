/// A style sheet for web pages that contains the values of a skin.
///
/// The value of operation OP on identifier ID is the custom property `--ID-OP` of the page's root. Rules apply these
/// properties to the elements with `data-skin="ID"`, so that most changes of the skin only change properties
/// (``SkinDifference``).
public struct WebStyleSheet: Sendable {
    /// A CSS custom property (`--name`) that contains one value of a skin.
    public struct Property: Sendable, Hashable {
        /// The unescaped name of the CSS custom property, for `style.setProperty(name, value)` in a script.
        public let name: String
        /// The value of the CSS custom property, written in CSS.
        public let value: String
    }

    /// The CSS rules that style the HTML elements with one value of `data-skin`, an identifier in the skin.
    public struct Rules: Sendable, Hashable {
        public let identifier: String
        /// The text of the CSS rules, one per line; empty if none applies to the skin's operations for the identifier.
        public let text: String
    }

    /// The CSS custom properties (`--ID-OPERATION`) that hold the skin's values, ordered by identifier and operation.
    ///
    /// An operation is a change of appearance, such as `backgroundColor`.
    public let properties: [Property]
    /// The CSS rules for each identifier in the skin, ordered by identifier.
    ///
    /// They apply to the HTML elements whose attribute `data-skin` is the identifier.
    public let rules: [Rules]

    /// Creates the CSS style sheet for web pages of a skin.
    ///
    /// - Parameters:
    ///   - vocabulary: the vocabulary with which the skin was resolved.
    ///   - rules: the CSS declarations of the operations.
    ///   - address: returns the URL of an asset for the page; preferably absolute, because a relative URL in a custom
    ///     property is resolved against the style sheet that uses the property.
    public init(
        _ skin: ResolvedSkin, vocabulary: SkinVocabulary = .standard, rules: [StyleRule] = StyleRule.web,
        address: @escaping @Sendable (SkinAsset) -> String
    ) {
        self.init(skin.entities, vocabulary: vocabulary, rules: rules, address: address)
    }

    /// Creates a CSS style sheet for web pages from some of a skin's definitions.
    init(
        _ entities: [SkinEntity], vocabulary: SkinVocabulary, rules: [StyleRule] = StyleRule.web,
        address: @escaping @Sendable (SkinAsset) -> String
    ) {
        var (properties, applied) = ([Property](), [Rules]())
        for entity in entities {
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

    /// Returns the unescaped name of the CSS custom property for a skin operation on an identifier: `--ID-OPERATION`.
    public static func property(_ identifier: String, _ operation: String) -> String {
        // CSS can't contain NUL.
        let readable = identifier.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }
        return "--" + String(String.UnicodeScalarView(readable)) + "-" + operation
    }

    /// The text of the CSS style sheet: all custom properties and rules.
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
