extension StringProtocol {
    /// The number of terminal columns that the text occupies.
    package var columns: Int { isPlain ? utf8.count : reduce(0) { $0 + $1.columns } }

    /// Whether the text is printable ASCII, so that each byte takes one terminal column.
    ///
    /// This common case avoids the slow Unicode tables.
    var isPlain: Bool { utf8.allSatisfy { (0x20...0x7E).contains($0) } }

    /// Returns the text truncated to at most `limit` terminal columns, with `…` in place of the rest.
    package func cut(to limit: Int) -> String {
        guard columns > limit else { return String(self) }
        guard limit > 0 else { return "" }
        var result = ""
        var used = 1
        for character in self {
            used += character.columns
            if used > limit { break }
            result.append(character)
        }
        return result + "…"
    }

    /// Returns the text padded with spaces to `width` terminal columns, on the left if `right` is true.
    package func padded(to width: Int, right: Bool = false) -> String {
        let spaces = String(repeating: " ", count: Swift.max(0, width - columns))
        return right ? spaces + self : self + spaces
    }
}

extension Character {
    /// The number of terminal columns that the character occupies.
    ///
    /// It is 0 for combining marks, 2 for wide characters (UAX #11) and emoji, else 1.
    package var columns: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.properties.isEmojiPresentation { return 2 }
        // Variation selector 16 requests the emoji presentation of a text character; keycaps contain it too.
        if unicodeScalars.contains("\u{FE0F}") { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return isWide(first.value) ? 2 : 1
        }
    }
}

/// Returns whether a Unicode scalar is two terminal columns wide: its East_Asian_Width in Unicode 15 is W or F.
///
/// Emoji are recognized by their own property instead.
private func isWide(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x18D00...0x18D08, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265,
        0x20000...0x3FFFD:
        true
    default: false
    }
}
