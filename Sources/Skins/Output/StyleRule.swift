/// A rule that translates operations of a skin (changes of appearance, such as `backgroundColor`) into CSS.
///
/// The declarations apply to an identifier for which a skin defines all of ``operations``. Of several rules that set
/// the same property, the last one wins. An operation without a rule is available as a custom property. An application
/// that registers an operation adds a rule: `StyleRule.web + [StyleRule(["shadow"], "box-shadow: $shadow")]`.
public struct StyleRule: Sendable, Hashable {
    /// The names of the skin operations that must be defined for an identifier for the style rule to apply.
    public let operations: [String]
    /// The names of the skin operations that exclude the style rule if they are defined for the identifier.
    public let absent: [String]
    /// The suffixes, such as `:hover`, that are appended to the identifier's CSS selector.
    ///
    /// Each becomes a CSS rule of its own, because a browser ignores a rule if it does not know one of its selectors.
    public let suffixes: [String]
    /// The CSS declarations; `$NAME` stands for the value of a skin operation, `$NAME.0` for the first of its numbers.
    public let declarations: String

    /// Creates a rule that translates one or several skin operations into CSS declarations.
    public init(
        _ operations: [String], without absent: [String] = [], at suffixes: [String] = [""], _ declarations: String
    ) {
        self.operations = operations
        self.absent = absent
        self.suffixes = suffixes
        self.declarations = declarations
    }

    func applies(to values: StyleValues) -> Bool {
        operations.allSatisfy { values[$0] != nil } && absent.allSatisfy { values[$0] == nil }
    }

    /// Returns the rule's CSS declarations with the values of the skin operations inserted.
    ///
    /// - Parameter value: returns the value of an operation.
    /// - Returns: `nil` if a value has fewer parts than the declarations use.
    func declarations(_ values: StyleValues, value: (String) -> String?) -> String? {
        var (text, rest) = ("", declarations[...])
        while let dollar = rest.firstIndex(of: "$") {
            text += rest[..<dollar]
            rest = rest[rest.index(after: dollar)...]
            let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            rest = rest[name.endIndex...]
            guard rest.first == ".", let digit = rest.dropFirst().first?.wholeNumberValue else {
                guard let found = value(String(name)) else { return nil }
                text += found
                continue
            }
            rest = rest.dropFirst(2)
            guard let parts = values[String(name)]?.split(separator: " "), digit < parts.count else { return nil }
            text += parts[digit]
        }
        return text + rest
    }
}

extension StyleRule {
    /// The rules that translate skin operations into CSS for web pages.
    ///
    /// Elements have the attribute `data-skin="ID"`. The element of a slider states its position in the custom property
    /// `--value`, for example as `40%`.
    public static let web: [StyleRule] = [
        StyleRule(
            ["frame"], "left: $frame.0; top: $frame.1; width: $frame.2; height: $frame.3"),
        StyleRule(["backgroundColor"], "background-color: $backgroundColor"),
        StyleRule(["backgroundImage"], "background-image: $backgroundImage"),
        StyleRule(["cornerRadius"], "border-radius: $cornerRadius"),
        StyleRule(["borderColor"], "border-color: $borderColor"),
        StyleRule(["borderWidth"], "border-style: solid; border-width: $borderWidth"),
        StyleRule(["opacity"], "opacity: $opacity"),
        StyleRule(["padding"], "padding: $padding"),
        StyleRule(["textColor"], "color: $textColor"),
        // `font` also sets the line height, so lineHeight must follow.
        StyleRule(["font"], "font: $font, sans-serif"),
        StyleRule(["lineHeight"], "line-height: $lineHeight"),
        StyleRule(["textAlignment"], "text-align: $textAlignment"),
        StyleRule(["placeholderColor"], at: ["::placeholder"], "color: $placeholderColor; opacity: 1"),

        StyleRule(
            ["image"], without: ["tintColor"],
            "background-image: $image; background-position: center; background-size: contain; "
                + "background-repeat: no-repeat; background-origin: content-box"),
        StyleRule(
            ["image", "backgroundImage"], without: ["tintColor"],
            "background-image: $image, $backgroundImage; background-position: center, 0 0; "
                + "background-size: contain, auto; background-repeat: no-repeat, repeat; "
                + "background-origin: content-box, padding-box"),
        // The image is a mask for the colour.
        StyleRule(
            ["image", "tintColor"], at: ["::before"],
            "content: \"\"; display: block; width: 100%; height: 100%; background-color: $tintColor; "
                + "mask: $image center / contain no-repeat"),
        StyleRule(["tintColor"], without: ["image"], "color: $tintColor; accent-color: $tintColor"),
        StyleRule(["titleColor"], at: headings, "color: $titleColor"),
        StyleRule(["titleFont"], at: headings, "font: $titleFont, sans-serif"),

        StyleRule(["highlightedColor"], at: [":hover", ":active"], "background-color: $highlightedColor"),
        StyleRule(["disabledColor"], at: [":disabled", "[aria-disabled=true]"], "background-color: $disabledColor"),
        StyleRule(["onColor"], at: [":checked", "[aria-checked=true]"], "background-color: $onColor"),
        StyleRule(["minimumTrackColor"], "background-image: \(track("$minimumTrackColor", "transparent"))"),
        StyleRule(["maximumTrackColor"], "background-image: \(track("transparent", "$maximumTrackColor"))"),
        StyleRule(
            ["minimumTrackColor", "maximumTrackColor"],
            "background-image: \(track("$minimumTrackColor", "$maximumTrackColor"))"),
        StyleRule(
            ["thumbColor"], at: ["::before", "::-webkit-slider-thumb", "::-moz-range-thumb"],
            "background-color: $thumbColor"),
    ]

    private static let headings = [" :is(h1, h2, h3, h4, h5, h6, [role=heading])"]

    private static func track(_ minimum: String, _ maximum: String) -> String {
        "linear-gradient(to right, \(minimum) var(--value, 0%), \(maximum) 0)"
    }

    /// The rules that translate skin operations into CSS for GTK 3 and 4, where widgets have the name `ID`.
    ///
    /// `lineHeight` and `textAlignment` have no rules: in GTK they are properties of widgets.
    public static let gtk: [StyleRule] = [
        StyleRule(["frame"], "min-width: $frame.2; min-height: $frame.3"),
        // Desktop themes cover the background colour of many widgets with images.
        StyleRule(["backgroundColor"], "background-image: none; background-color: $backgroundColor"),
        StyleRule(["backgroundImage"], "background-image: $backgroundImage"),
        StyleRule(["cornerRadius"], "border-radius: $cornerRadius"),
        StyleRule(["borderColor"], "border-color: $borderColor"),
        StyleRule(["borderWidth"], "border-style: solid; border-width: $borderWidth"),
        StyleRule(["opacity"], "opacity: $opacity"),
        StyleRule(["padding"], "padding: $padding"),
        StyleRule(["textColor"], "color: $textColor; caret-color: $textColor"),
        StyleRule(["font"], "font: $font"),
        StyleRule(["placeholderColor"], at: [" placeholder"], "color: $placeholderColor"),

        StyleRule(["image"], without: ["tintColor"], "background-image: $image; \(gtkPlace)"),
        StyleRule(
            ["image", "tintColor"], "color: $tintColor; background-image: -gtk-recolor($image); \(gtkPlace)"),
        StyleRule(["tintColor"], without: ["image"], "color: $tintColor"),
        StyleRule(["titleColor"], at: [" .title"], "color: $titleColor"),
        StyleRule(["titleFont"], at: [" .title"], "font: $titleFont"),

        StyleRule(
            ["highlightedColor"], at: [":hover", ":active"],
            "background-image: none; background-color: $highlightedColor"),
        StyleRule(["disabledColor"], at: [":disabled"], "background-image: none; background-color: $disabledColor"),
        StyleRule(["onColor"], at: [":checked"], "background-image: none; background-color: $onColor"),
        StyleRule(
            ["minimumTrackColor"], at: [" highlight", " progress"],
            "background-image: none; background-color: $minimumTrackColor"),
        StyleRule(
            ["maximumTrackColor"], at: [" trough"], "background-image: none; background-color: $maximumTrackColor"),
        StyleRule(["thumbColor"], at: [" slider"], "background-image: none; background-color: $thumbColor"),
    ]

    private static let gtkPlace =
        "background-position: center; background-size: contain; background-repeat: no-repeat"
}
