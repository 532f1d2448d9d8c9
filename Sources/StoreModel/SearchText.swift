/// A namespace for case and diacritic folding of searched text, so that `chavenas` finds `Chávenas`.
///
/// Foundation's folding needs ICU, 30 MB that the daemon would load for this purpose alone. The standard library has
/// the Unicode name of every character, and the name of a letter with a mark begins with the name of the letter.
package enum SearchText {
    /// Returns a text in lower case and without diacritics, for comparison in a search.
    package static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        var scalars = String.UnicodeScalarView()
        for scalar in composed(text.lowercased().unicodeScalars) {
            // Combining diacritical marks; marks of other scripts are part of the letter.
            if (0x300...0x36F).contains(scalar.value) { continue }
            scalars.append(scalar.isASCII ? scalar : withoutMark(scalar))
        }
        return String(scalars)
    }

    /// Joins the parts of Korean syllables, and kana with their voicing marks, which names of files of macOS have apart.
    private static func composed(_ scalars: String.UnicodeScalarView) -> String.UnicodeScalarView {
        let isPart = { (scalar: Unicode.Scalar) in
            (0x1160...0x11FF).contains(scalar.value) || (0x3099...0x309A).contains(scalar.value)
        }
        guard scalars.contains(where: isPart) else { return scalars }
        var composed = String.UnicodeScalarView()
        for scalar in scalars {
            if isPart(scalar), let last = composed.last, let whole = composition(last, scalar) {
                composed.removeLast()
                composed.append(whole)
            } else {
                composed.append(scalar)
            }
        }
        return composed
    }

    /// Returns the one character that is canonically equivalent to two; `nil` if there is none.
    private static func composition(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        let candidates: [UInt32] =
            switch (first.value, second.value) {
            // Unicode, section 3.12: conjoining of a leading consonant and a vowel, and of these and a trailing consonant.
            case (0x1100...0x1112, 0x1161...0x1175):
                [0xAC00 + ((first.value - 0x1100) * 21 + second.value - 0x1161) * 28]
            case (0xAC00...0xD7A3, 0x11A8...0x11C2): [first.value + second.value - 0x11A7]
            // A kana is followed by the voiced one, but for a few.
            case (0x3040...0x30FF, 0x3099...0x309A):
                [first.value + 1, first.value + 2, first.value + 8, 0x3094, 0x30F4]
            default: []
            }
        let pair = String(String.UnicodeScalarView([first, second]))
        return candidates.compactMap(Unicode.Scalar.init).first { String($0) == pair }
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
