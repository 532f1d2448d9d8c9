extension String {
    /// Returns the line of text as lines of at most `width` terminal columns, broken at spaces.
    ///
    /// A word that is wider than a line, such as a URL, is not broken, so that it can be copied. Spaces at the beginning
    /// of the text, and in the middle of a line, are kept.
    ///
    /// - Parameters:
    ///   - width: the terminal's width in columns; `nil` breaks nothing.
    ///   - indentation: the number of spaces before the second and each further line; `nil` is as many as the text
    ///     begins with.
    ///   - keepsQuotations: whether text between single quotes, such as a command to copy, is not broken either.
    package func wrapped(to width: Int?, indentation: Int? = nil, keepsQuotations: Bool = false) -> [String] {
        guard let width, columns > width else { return [self] }
        let leading = prefix { $0 == " " }.count
        // Indentation that leaves no room for words would put each of them on a line of its own.
        let margin = String(repeating: " ", count: Swift.min(indentation ?? leading, width / 2))
        var lines: [String] = []
        var line = String(prefix(leading))
        var used = leading
        var hasWord = false
        var gap = ""
        let words = dropFirst(leading).split(separator: " ", omittingEmptySubsequences: false)
        for word in keepsQuotations ? Self.joiningQuotations(words) : words {
            if word.isEmpty {
                gap += " "
                continue
            }
            let needed = word.columns
            if hasWord, used + gap.count + needed > width {
                lines.append(line)
                (line, used, gap) = (margin, margin.count, "")
            }
            line += gap + word
            used += gap.count + needed
            (hasWord, gap) = (true, " ")
        }
        return lines + [line]
    }
    /// The maximum number of words between single quotes that are kept on one line.
    private static let maximumQuotationWords = 20

    /// Returns the words of a text, of which those between single quotes are one word.
    ///
    /// A quote opens at the beginning of a word and closes at the end of one, so that an apostrophe is no quote.
    private static func joiningQuotations(_ words: [Substring]) -> [Substring] {
        var joined: [Substring] = []
        var index = 0
        while index < words.count {
            let first = words[index]
            var last = index
            if first.first(where: { $0 != "(" }) == "'" {
                let candidates = words[index...].prefix(maximumQuotationWords)
                last =
                    candidates.firstIndex { closesQuotation($0, isFirst: $0.startIndex == first.startIndex) } ?? index
            }
            // The words are neighbours in one text.
            joined.append(last == index ? first : first.base[first.startIndex..<words[last].endIndex])
            index = last + 1
        }
        return joined
    }

    /// Returns whether a word ends with a single quote, and perhaps punctuation after it.
    private static func closesQuotation(_ word: Substring, isFirst: Bool) -> Bool {
        guard let end = word.lastIndex(where: { !".,;:?!)".contains($0) }), word[end] == "'" else { return false }
        return !isFirst || word[..<end].contains("'")
    }
}
