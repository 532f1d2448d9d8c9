/// The colours of a font (OpenType, table CPAL, first palette), to which its SVG documents can refer.
///
/// A document refers to a colour by a variable of CSS, `var(--color0, red)`, which only browsers resolve, and only
/// where the font is used as a font.
struct FontPalette {
    /// The colours as CSS writes them.
    private let colours: [String]

    /// Creates a palette of colours with four components of 0 to 255.
    init(_ colours: [(red: Int, green: Int, blue: Int, alpha: Int)] = []) {
        self.colours = colours.map { colour in
            let components = "\(colour.red), \(colour.green), \(colour.blue)"
            guard colour.alpha < 255 else { return "rgb(\(components))" }
            // Three digits distinguish all 256 values.
            let thousandths = String((colour.alpha * 1000 + 127) / 255)
            let alpha = "0." + String(repeating: "0", count: 3 - thousandths.count) + thousandths
            return "rgba(\(components), \(alpha))"
        }
    }

    /// Returns a style with the palette's colours in place of its variables; of an unknown colour, the fallback.
    func resolving(_ style: String) -> String {
        guard style.contains("--color") else { return style }
        // A fallback contains no function in a function; rgb(1, 2, 3) is one. Possessive, so that a long text takes no memory.
        let variable = /var\(\s*+--color(\d{1,5})\s*+(?:,((?:[^()]++|\([^()]*+\))*+))?\)/
        return style.replacing(variable) { match in
            if let number = Int(match.output.1), colours.indices.contains(number) { return colours[number] }
            let fallback = (match.output.2 ?? "").drop(while: \.isWhitespace)
            return fallback.isEmpty ? "currentColor" : String(fallback)
        }
    }
}
