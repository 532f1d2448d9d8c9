/// Text as searches compare it: without case and without diacritics, so that `chavenas` finds `Chávenas`.
///
/// Foundation's own folding needs ICU, some 30 MB that a small daemon would carry for this alone. The standard library
/// knows every character's Unicode name, and the name of a letter with a mark begins with the name of the letter.
enum SearchText {
    static func folded(_ text: String) -> String {
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
        for place in name.indices where name[place...].hasPrefix(" WITH ") {
            return letters[String(name[..<place])] ?? scalar
        }
        return scalar
    }

    /// Small letters of the scripts that put marks on them, by their names.
    private static let letters: [String: Unicode.Scalar] = {
        let ranges: [ClosedRange<UInt32>] = [0x61...0x7A, 0x3B1...0x3C9, 0x430...0x45F]
        var letters: [String: Unicode.Scalar] = [:]
        for scalar in ranges.joined().compactMap(Unicode.Scalar.init) {
            if let name = scalar.properties.name { letters[name] = scalar }
        }
        return letters
    }()

    /// Letters that Unicode takes apart, but has no `WITH` in the name for.
    private static let unmarked: [Unicode.Scalar: Unicode.Scalar] = [
        "й": "и", "ё": "е", "ї": "і", "ў": "у", "ѓ": "г", "ќ": "к",
    ]
}
