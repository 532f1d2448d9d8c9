import StoreModel

extension StringProtocol {
    /// The text without white space at its ends.
    var trimmed: String {
        var rest = Substring(self).drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }

    /// The trimmed text; `nil` if it is empty.
    var nonempty: String? { trimmed.isEmpty ? nil : trimmed }
}

extension Sequence<String> {
    /// Divides the texts that stand for a sticker into emoji and other words, each once and in order.
    func dividedIntoEmoji() -> (emoji: [String], words: [String]) {
        var (emoji, words): ([String], [String]) = ([], [])
        var known: Set<String> = []
        for text in compactMap(\.nonempty) where known.insert(text).inserted {
            if text.isEmoji { emoji.append(text) } else { words.append(text) }
        }
        return (emoji, words)
    }
}

extension String {
    /// The text as a file name that every file system accepts: characters that some refuse are replaced with `_`.
    ///
    /// It has at most 100 bytes, and neither dots nor spaces at its ends.
    var portableName: String {
        var made = ""
        for character in self {
            let isRefused =
                "<>:\"/\\|?*".contains(character)
                || character.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
            let next = isRefused ? "_" : String(character)
            if made.utf8.count + next.utf8.count > 100 { break }
            made += next
        }
        let isTrimmed: (Character) -> Bool = { $0 == "." || $0 == " " }
        var rest = made[...].drop(while: isTrimmed)
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        let name = String(rest)
        return PackExclusion(name: name + ".png", isDirectory: false) == nil ? name : "_" + name
    }
}
