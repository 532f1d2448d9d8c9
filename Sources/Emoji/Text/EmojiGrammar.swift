/// A namespace for the grammar of emoji sequences (Unicode Technical Standard 51, section 1.4.9).
enum EmojiGrammar {
    /// Returns the number of code points of the emoji at a position; `nil` if none begins there.
    ///
    /// Characters that are text unless a variation selector follows, such as digits and ©, are emoji only with U+FE0F,
    /// and no character that U+FE0E follows is one.
    static func length(of scalars: [Unicode.Scalar], at position: Int) -> Int? {
        guard let first = element(scalars, at: position) else { return nil }
        var (end, isEmoji, isJoined) = (first.end, first.isEmoji, false)
        while end + 1 < scalars.count, scalars[end].value == 0x200D, end + 1 - position < EmojiSequence.maximumLength,
            let next = element(scalars, at: end + 1), !scalars[end + 1].isASCII
        {
            (end, isJoined) = (next.end, true)
        }
        if isJoined, !scalars[position].isASCII, !first.isText { isEmoji = true }
        return isEmoji && end - position <= EmojiSequence.maximumLength ? end - position : nil
    }

    private struct Element {
        var end: Int
        var isEmoji: Bool
        var isText = false
    }

    /// Returns a character with its modifier, selector, keycap or tags, or a flag's two letters.
    private static func element(_ scalars: [Unicode.Scalar], at position: Int) -> Element? {
        let scalar = scalars[position]
        let next = position + 1 < scalars.count ? scalars[position + 1].value : 0
        if scalar.isRegionalIndicator {
            let isPair = position + 1 < scalars.count && scalars[position + 1].isRegionalIndicator
            return isPair ? Element(end: position + 2, isEmoji: true) : nil
        }
        guard scalar.properties.isEmoji else { return nil }
        switch next {
        case 0xFE0E: return Element(end: position + 2, isEmoji: false, isText: true)
        case 0xFE0F:
            let isKeycap = position + 2 < scalars.count && scalars[position + 2].value == 0x20E3
            return Element(end: position + (isKeycap ? 3 : 2), isEmoji: true)
        case 0x20E3: return Element(end: position + 2, isEmoji: true)
        case 0x1F3FB...0x1F3FF where scalar.properties.isEmojiModifierBase:
            // Some write a selector after the modifier.
            let isSelected = position + 2 < scalars.count && scalars[position + 2].value == 0xFE0F
            return Element(end: position + (isSelected ? 3 : 2), isEmoji: true)
        case 0xE0020...0xE007E:
            var end = position + 1
            while end < scalars.count, (0xE0020...0xE007E).contains(scalars[end].value) { end += 1 }
            let isTerminated = end < scalars.count && scalars[end].value == 0xE007F
            return Element(
                end: isTerminated ? end + 1 : position + 1, isEmoji: scalar.properties.isEmojiPresentation)
        default: return Element(end: position + 1, isEmoji: scalar.properties.isEmojiPresentation)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
}
