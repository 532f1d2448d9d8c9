/// How operations show in a style sheet: where a skin gives all of ``operations`` for an identifier, the declarations
/// apply to what is tagged with it.
///
/// Of rules that set the same property, the later wins. An operation that no rule speaks of is in the style sheet all
/// the same, as a custom property, for pages that know it. An application that has registered an operation adds a rule:
/// `StyleRule.web + [StyleRule(["shadow"], "box-shadow: $shadow")]`.
public struct StyleRule: Sendable, Hashable {
    public let operations: [String]
    /// Operations with any of which the rule does not apply.
    public let absent: [String]
    /// What follows the element's selector. Each makes a rule of its own, because a browser that does not know one of
    /// several would leave out all.
    public let suffixes: [String]
    /// With `$NAME` for the value of an operation, and `$NAME.0` for the first of several numbers that it is.
    public let declarations: String

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

    /// The declarations with values in the place of the names.
    ///
    /// - Parameter value: by operation.
    /// - Returns: `nil` where a value has not so many parts.
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
    /// For web pages. Elements are tagged with `data-skin="ID"`; a slider's element says where it stands with the custom
    /// property `--value`, as `40%`.
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
        // Sets the line's height, too, which is why that comes after.
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
        // The image is a stencil for the colour.
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

    /// For GTK 3 and 4, of whose style sheets it is the common part. Widgets are named `ID`.
    ///
    /// `lineHeight` and `textAlignment` are not in it: GTK has them as properties of widgets.
    public static let gtk: [StyleRule] = [
        StyleRule(["frame"], "min-width: $frame.2; min-height: $frame.3"),
        // The desktop's theme lays images over the colour of many widgets.
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
