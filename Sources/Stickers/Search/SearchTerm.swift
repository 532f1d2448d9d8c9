import StoreModel

/// A term by which stickers are found, as UTF-8: a folded word, or an emoji or emoticon.
enum SearchTerm: Sendable, Hashable {
    /// A word in lower case and without diacritics, of which a beginning may be searched.
    case word([UInt8])
    /// An emoji without variation selectors, or an emoticon such as `:-)`, which is searched as a whole.
    case symbol([UInt8])

    /// Returns the terms of a text that a user typed: its words, and each of its emoji and emoticons.
    static func terms(of text: String) -> [SearchTerm] {
        var terms: [SearchTerm] = []
        for part in text.split(whereSeparator: \.isWhitespace) {
            if isEmoticon(part) {
                terms.append(symbol(String(part)))
                continue
            }
            terms += part.filter(isEmoji).map { symbol(String($0)) }
            terms += words(of: String(part))
        }
        return terms
    }

    /// Returns the terms by which a keyword of a sticker is found: its words, and each of its emoji and emoticons.
    ///
    /// The keywords of packs for other programs are often emoticons.
    static func terms(ofKeyword keyword: String) -> [SearchTerm] {
        let emoticons = keyword.split(whereSeparator: \.isWhitespace).filter(isEmoticon).map(String.init)
        return words(of: keyword) + (keyword.filter(isEmoji).map { String($0) } + emoticons).map(symbol)
    }

    /// Returns whether a text without white space looks like an emoticon: it has at most one letter or digit, as `:-D`
    /// has, and two signs if it begins with one, as `O:-)` has.
    private static func isEmoticon(_ text: Substring) -> Bool {
        guard let first = text.first, !text.contains(where: isEmoji) else { return false }
        let others = text.count { $0.isLetter || $0.isNumber }
        return others == 0 || others == 1 && (!first.isLetter && !first.isNumber || text.count > 2)
    }

    /// Returns the words of a text, folded.
    static func words(of text: String) -> [SearchTerm] {
        SearchText.folded(text).split { !($0.isLetter || $0.isNumber) || isEmoji($0) }.map { .word(Array($0.utf8)) }
    }

    /// Returns the term for an emoji or an emoticon.
    static func symbol(_ text: String) -> SearchTerm {
        .symbol(scalars(of: text) { $0.value != 0xFE0E && $0.value != 0xFE0F })
    }

    /// The term for the emoji without its skin tones; `nil` if it has none.
    var withoutSkinTone: SearchTerm? {
        guard case .symbol(let bytes) = self else { return nil }
        let plain = Self.scalars(of: String(decoding: bytes, as: UTF8.self)) { !(0x1F3FB...0x1F3FF).contains($0.value) }
        return plain.isEmpty || plain == bytes ? nil : .symbol(plain)
    }

    private static func scalars(of text: String, where isIncluded: (Unicode.Scalar) -> Bool) -> [UInt8] {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: text.unicodeScalars.filter(isIncluded))
        return Array(String(scalars).utf8)
    }

    /// Returns whether a character is shown as an emoji; digits and signs that may begin a keycap are none.
    private static func isEmoji(_ character: Character) -> Bool {
        guard let first = character.unicodeScalars.first, !first.isASCII else {
            return character.unicodeScalars.contains { $0.value == 0x20E3 }
        }
        return first.properties.isEmoji
    }
}
