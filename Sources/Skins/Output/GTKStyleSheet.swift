/// A style sheet for GTK 3 and 4 that contains the values of a skin.
///
/// The definition of an identifier applies to the widgets of that name (`gtk_widget_set_name`). When the skin changes,
/// the application loads the new style sheet into its provider (`gtk_css_provider_load_from_data`).
public struct GTKStyleSheet: Sendable {
    /// The text of the GTK style sheet.
    public let text: String

    /// Creates the GTK style sheet of a skin.
    ///
    /// - Parameters:
    ///   - vocabulary: the vocabulary with which the skin was resolved.
    ///   - rules: the CSS declarations of the operations.
    ///   - address: returns the URL of an asset, such as `file:///…`.
    public init(
        _ skin: ResolvedSkin, vocabulary: SkinVocabulary = .standard, rules: [StyleRule] = StyleRule.gtk,
        address: @escaping @Sendable (SkinAsset) -> String
    ) {
        var text = ""
        for entity in skin.entities {
            let values = StyleValues(entity, vocabulary, address: address, css: Self.css)
            let selector = "#" + StyleText.identifier(entity.identifier)
            for rule in rules where rule.applies(to: values) {
                guard let declarations = rule.declarations(values, value: { values[$0] }) else { continue }
                for suffix in rule.suffixes { text += "\(selector)\(suffix) { \(declarations); }\n" }
            }
        }
        self.text = text
    }

    private static func css(_ value: SkinValue, in context: StyleContext) -> String? {
        guard let color = value.value(as: .color) else { return context.vocabulary.css(value, in: context) }
        // GTK 3 does not support hexadecimal colours with alpha.
        return "rgba(\(color.red), \(color.green), \(color.blue), \(Double(color.alpha) / 255))"
    }
}
