extension String {
    /// A copy of the string in which the characters that control a terminal or the writing direction are replaced.
    ///
    /// Names, messages and addresses come from stores; an escape sequence in one of them could repaint the screen or
    /// type into the shell. Such characters become `�`; a line break or tab becomes a space.
    public var displayable: String {
        guard !utf8.allSatisfy({ (0x20..<0x7F).contains($0) }), unicodeScalars.contains(where: \.isActive) else {
            return self
        }
        var shown = UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}": shown.append(" ")
            case _ where scalar.isActive: shown.append("\u{FFFD}")
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }
}

extension Unicode.Scalar {
    /// Whether a terminal acts upon this Unicode scalar instead of showing it, as it does upon control characters.
    ///
    /// U+202A… and U+2066… are the embeddings, overrides and isolates of Unicode's bidirectional algorithm (UAX #9),
    /// U+FEFF and U+FFF9… are invisible marks.
    fileprivate var isActive: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
        default: false
        }
    }
}
