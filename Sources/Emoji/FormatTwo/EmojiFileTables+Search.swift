extension EmojiFileTables {
    private func language(_ tag: String) -> Int? {
        records(.languages).first { string(number(.languages, $0, 0)) == tag }
    }

    /// Returns the record of the texts of an emoji in a language.
    private func text(of emoji: Int, _ tag: String) -> Int? {
        guard let language = language(tag),
            let texts = range(number(.languages, language, 4), number(.languages, language, 8), in: .texts),
            let text = partition(texts, { (number(.texts, $0, 0)).map { Int($0) < emoji } ?? false }),
            texts.contains(text), number(.texts, text, 0) == UInt32(exactly: emoji)
        else { return nil }
        return text
    }

    func names(_ emoji: Int, _ tag: String) -> EmojiNames? {
        guard let text = text(of: emoji, tag) else { return nil }
        let keywords = range(number(.texts, text, 8), number(.texts, text, 12), in: .keywords) ?? 0..<0
        // No emoji needs more, and a forged file could give each all keywords.
        return EmojiNames(
            name: string(number(.texts, text, 4)) ?? "",
            keywords: keywords.prefix(1_000).compactMap { string(number(.keywords, $0, 0)) })
    }

    /// Returns the first emoji whose name has exactly these words, in their order.
    func number(named words: [String], _ tag: String) -> Int? {
        // The search also finds emoji whose name has further words, or that have these words as keywords.
        search(words, tag, limit: 100, isLastWhole: true).first { emoji in
            let name = text(of: emoji, tag).flatMap { string(number(.texts, $0, 4)) }
            return name.map(EmojiWords.words) == words
        }
    }

    /// Returns the emoji that have all words of a query, those that have them whole first.
    ///
    /// - Parameter isLastWhole: whether the last word, too, can't be the beginning of one.
    func search(_ query: [String], _ tag: String, limit: Int, isLastWhole: Bool = false) -> [Int] {
        guard limit > 0, !query.isEmpty, let language = language(tag),
            let words = range(number(.languages, language, 12), number(.languages, language, 16), in: .words)
        else { return [] }
        var visits = Self.maximumVisits
        var (whole, partial): (Set<Int>?, Set<Int>?) = (nil, nil)
        for (index, word) in query.enumerated() {
            let exact = emoji(of: words, with: Array(word.utf8), prefix: false, &visits)
            let isWhole = isLastWhole || index < query.count - 1
            let found = isWhole ? exact : emoji(of: words, with: Array(word.utf8), prefix: true, &visits)
            whole = whole?.intersection(exact) ?? exact
            partial = partial?.intersection(found) ?? found
            if partial?.isEmpty == true { return [] }
        }
        let first = (whole ?? []).sorted()
        return Array((first + (partial ?? []).subtracting(first).sorted()).prefix(limit))
    }

    /// Returns the emoji that have a word, or a word with a prefix.
    private func emoji(of words: Range<Int>, with text: [UInt8], prefix: Bool, _ visits: inout Int) -> Set<Int> {
        guard
            let start = partition(
                words, { stringBytes(number(.words, $0, 0))?.lexicographicallyPrecedes(text) ?? false })
        else { return [] }
        var found: Set<Int> = []
        for word in start..<words.upperBound {
            guard visits > 0, let bytes = stringBytes(number(.words, word, 0)), bytes.starts(with: text),
                prefix || bytes.count == text.count
            else { break }
            let postings = range(number(.words, word, 4), number(.words, word, 8), in: .postings) ?? 0..<0
            for posting in postings.prefix(visits) {
                guard let emoji = number(.postings, posting, 0).map(Int.init), emoji < place(.emoji).count else {
                    continue
                }
                found.insert(emoji)
            }
            visits -= postings.count + 1
        }
        return found
    }

    /// Returns the first index of a range for which a condition does not hold, by binary search.
    private func partition(_ range: Range<Int>, _ isBefore: (Int) -> Bool) -> Int? {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
