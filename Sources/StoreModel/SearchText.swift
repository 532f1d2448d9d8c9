/// A namespace for case and diacritic folding of searched text, so that `chavenas` finds `Chávenas`.
///
/// Foundation's folding needs ICU, 30 MB that the daemon would load for this purpose alone. The standard library has
/// the Unicode name of every character, and the name of a letter with a mark begins with the name of the letter.
public enum SearchText {
    /// Returns a text in lower case and without diacritics, for comparison in a search.
    public static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        var scalars = String.UnicodeScalarView()
        for scalar in text.lowercased().unicodeScalars {
            // Combining diacritical marks; marks of other scripts are part of the letter.
            if (0x300...0x36F).contains(scalar.value) { continue }
            scalars.append(scalar.isASCII ? scalar : withoutMark(scalar))
        }
        return String(scalars)
    }

    private static func withoutMark(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if let base = unmarked[scalar] { return base }
        guard let name = scalar.properties.name else { return scalar }
        for index in name.indices where name[index...].hasPrefix(" WITH ") {
            return letters[String(name[..<index])] ?? scalar
        }
        return scalar
    }

    /// The small letters of the Latin, Greek and Cyrillic scripts by their names in the Unicode standard.
    private static let letters: [String: Unicode.Scalar] = {
        let ranges: [ClosedRange<UInt32>] = [0x61...0x7A, 0x3B1...0x3C9, 0x430...0x45F]
        var letters: [String: Unicode.Scalar] = [:]
        for scalar in ranges.joined().compactMap(Unicode.Scalar.init) {
            if let name = scalar.properties.name { letters[name] = scalar }
        }
        return letters
    }()

    /// The letters with a diacritic whose Unicode names do not contain `WITH`, with their base letters.
    private static let unmarked: [Unicode.Scalar: Unicode.Scalar] = [
        "й": "и", "ё": "е", "ї": "і", "ў": "у", "ѓ": "г", "ќ": "к",
    ]
}
