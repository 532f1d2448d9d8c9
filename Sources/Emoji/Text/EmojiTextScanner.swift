public import StoreModel

/// Finds emoji, emoticons such as `:-)` and shortcodes such as `:smile:` in the text of a message.
///
/// At each position the longest match is found; matches do not overlap. An emoticon or shortcode does not begin directly
/// after a letter, a digit or `/`, and an emoticon ends at the end of the text, or before white space, an emoji or certain
/// punctuation. A scanner is a value without state, and the time
/// is linear in the length of the text.
///
/// ```swift
/// let spans = EmojiTextScanner().spans(in: "Hello :-) 👍🏽", unit: .utf16)
/// // 🙂 at 6..<9, 👍🏽 at 10..<14
/// ```
public struct EmojiTextScanner: Sendable {
    private let emoticons: EmoticonTable
    private let shortcode: @Sendable (String) -> String?
    private let hasImage: (@Sendable (EmojiSequence) -> Bool)?

    /// Creates a scanner.
    ///
    /// - Parameters:
    ///   - emoticons: the emoticons to find.
    ///   - shortcode: returns the emoji of the name between two colons, in lower case; `nil` if it has no such name. It is
    ///     called once for each name in a text.
    ///   - hasImage: returns whether a set has an image of an emoji. A joined sequence without an image ends where one
    ///     with an image ends. `nil` takes all sequences as they are.
    public init(
        emoticons: EmoticonTable = .standard, shortcode: @escaping @Sendable (String) -> String? = Shortcodes.emoji,
        hasImage: (@Sendable (EmojiSequence) -> Bool)? = nil
    ) {
        self.emoticons = emoticons
        self.shortcode = shortcode
        self.hasImage = hasImage
    }

    /// Returns the emoji, emoticons and shortcodes in a text, in order.
    ///
    /// - Parameter unit: the unit in which positions are counted.
    public func spans(in text: String, unit: TextUnit) -> [EmojiTextSpan] {
        let scalars = Array(text.unicodeScalars)
        var spans: [EmojiTextSpan] = []
        var names: [String: String?] = [:]
        var (position, offset) = (0, 0)
        while position < scalars.count {
            guard let match = match(scalars, at: position, &names) else {
                offset += unit.count(of: scalars[position])
                position += 1
                continue
            }
            let found = scalars[position..<(position + match.length)]
            let length = found.reduce(0) { $0 + unit.count(of: $1) }
            spans.append(
                EmojiTextSpan(
                    kind: match.kind, text: String(String.UnicodeScalarView(found)), emoji: match.emoji, start: offset,
                    end: offset + length))
            (position, offset) = (position + match.length, offset + length)
        }
        return spans
    }

    private struct Match {
        let kind: EmojiTextSpan.Kind
        let length: Int
        let emoji: String
    }

    /// Returns the longest match at a position.
    ///
    /// - Parameter names: the emoji of the names between colons that were looked up; `nil` for those without an emoji.
    private func match(_ scalars: [Unicode.Scalar], at position: Int, _ names: inout [String: String?]) -> Match? {
        if let length = EmojiGrammar.length(of: scalars, at: position) {
            let length = lengthWithImage(scalars[position..<(position + length)])
            let emoji = String(String.UnicodeScalarView(scalars[position..<(position + length)]))
            return Match(kind: .emoji, length: length, emoji: emoji)
        }
        // Inside a word, such as an address, there are no shortcuts.
        if position > 0, scalars[position - 1].isPartOfWord { return nil }
        let found = [emoticon(scalars, at: position), shortcode(scalars, at: position, &names)].compactMap { $0 }
        return found.max { $0.length < $1.length }
    }

    /// Returns the length of the longest beginning of a sequence that has an image; all of it if there is none.
    private func lengthWithImage(_ sequence: ArraySlice<Unicode.Scalar>) -> Int {
        guard let hasImage else { return sequence.count }
        var end = sequence.endIndex
        while true {
            if let candidate = EmojiSequence(sequence[..<end]), hasImage(candidate) {
                return end - sequence.startIndex
            }
            guard let joiner = sequence[..<end].lastIndex(where: { $0.value == 0x200D }), joiner > sequence.startIndex
            else { return sequence.count }
            end = joiner
        }
    }

    private func emoticon(_ scalars: [Unicode.Scalar], at position: Int) -> Match? {
        for (text, emoji) in emoticons.candidates(beginningWith: scalars[position]) {
            let end = position + text.count
            guard end <= scalars.count, scalars[position..<end].elementsEqual(text),
                end == scalars.count || scalars[end].endsShortcut
            else { continue }
            return Match(kind: .emoticon, length: text.count, emoji: emoji)
        }
        return nil
    }

    private func shortcode(
        _ scalars: [Unicode.Scalar], at position: Int, _ names: inout [String: String?]
    ) -> Match? {
        guard scalars[position] == ":" else { return nil }
        let rest = scalars[(position + 1)...].prefix(Shortcodes.maximumLength + 1)
        guard let end = rest.firstIndex(where: { !$0.isPartOfShortcode }), scalars[end] == ":", end > position + 1
        else { return nil }
        let name = String(String.UnicodeScalarView(scalars[(position + 1)..<end]))
        let emoji: String? = names[name] ?? shortcode(name)
        names.updateValue(emoji, forKey: name)
        return emoji.map { Match(kind: .shortcode, length: end + 1 - position, emoji: $0) }
    }
}

extension Unicode.Scalar {
    fileprivate var isPartOfWord: Bool { properties.isAlphabetic || properties.numericType != nil || self == "/" }

    /// Whether an emoticon may end before the character, which then is no part of a longer text such as a path.
    fileprivate var endsShortcut: Bool {
        properties.isWhitespace || [".", ",", "!", "?", ";", ")", "]", "\"", "'", "*", "_", "~"].contains(self)
            || properties.isEmojiPresentation
    }

    fileprivate var isPartOfShortcode: Bool {
        switch self {
        case "a"..."z", "0"..."9", "_", "-", "+": true
        default: false
        }
    }
}
