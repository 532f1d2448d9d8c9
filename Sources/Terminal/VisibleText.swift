/// Text from outside as it may be shown: names, messages and addresses come from stores, and an escape sequence in one
/// of them could repaint the screen or type into the shell. Everything that a terminal would act upon, and the marks
/// that reverse the direction of writing, becomes `�`; a line break or tab becomes a space.
///
/// This is the one place that decides; ``Console`` sends every line through it.
package func visible(_ text: String) -> String {
    guard !text.isPlain, text.unicodeScalars.contains(where: isActive) else { return text }
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\n", "\r", "\t", "\u{85}", "\u{2028}", "\u{2029}": shown.append(" ")
        case _ where isActive(scalar): shown.append("\u{FFFD}")
        default: shown.append(scalar)
        }
    }
    return String(shown)
}

/// Whether a terminal would act upon the scalar instead of showing it. U+202A… and U+2066… are the embeddings,
/// overrides and isolates of Unicode's bidirectional algorithm (UAX #9), U+FEFF and U+FFF9… are invisible marks.
private func isActive(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: true
    default: false
    }
}
