/// A resolved skin as a style sheet for GTK 3 and 4: what it says for identifier ID applies to the widgets of that name
/// (`gtk_widget_set_name`).
///
/// On a change of skin the application loads the new one into its provider (`gtk_css_provider_load_from_data`), and GTK
/// restyles what has changed.
public struct GTKStyleSheet: Sendable {
    public let text: String

    /// - Parameters:
    ///   - vocabulary: that the skin was resolved with.
    ///   - rules: how operations show.
    ///   - address: of an asset; a URL such as `file:///…`.
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
        // GTK 3 knows no hexadecimal colours with alpha.
        return "rgba(\(color.red), \(color.green), \(color.blue), \(Double(color.alpha) / 255))"
    }
}
