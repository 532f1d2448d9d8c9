import StoreModel

/// The search index of one sticker pack: the terms of its stickers in order, each with the stickers that have it.
///
/// Each pack has an index of its own, so that an installed, updated or removed pack changes nothing else, and the order
/// of the packs is chosen at each search. Comparing the terms of a thousand packs takes well below a millisecond.
struct StickerIndex: Sendable {
    /// The property of a sticker that has a term, which decides how well it matches.
    enum Field: UInt8, Sendable {
        case packName, description, identifier, keyword, emoji

        /// The score of a match of a whole term.
        var weight: Int { [2, 6, 8, 10, 12][Int(rawValue)] }
    }

    private struct Occurrence: Hashable {
        let sticker: UInt32
        let field: Field
    }

    /// The UTF-8 of all terms, one after another in byte order.
    ///
    /// A symbol begins with a byte that no word contains.
    private let text: [UInt8]
    /// The end of each term in ``text``.
    private let textEnds: [UInt32]
    private let occurrences: [Occurrence]
    /// The end of the occurrences of each term in ``occurrences``.
    private let occurrenceEnds: [UInt32]
    private let stickerCount: Int
    /// The terms of the pack's name, which all stickers have.
    private let packTerms: [[UInt8]]

    /// Creates the index of a pack with stickers and a name.
    init(_ stickers: [Sticker], packName: LocalizedText) {
        var found: [[UInt8]: Set<Occurrence>] = [:]
        func add(_ terms: [SearchTerm], of sticker: Int, _ field: Field) {
            for term in terms {
                found[Self.key(of: term), default: []].insert(Occurrence(sticker: UInt32(sticker), field: field))
            }
        }
        for (number, sticker) in stickers.enumerated() {
            for emoji in sticker.emoji {
                let term = SearchTerm.symbol(emoji)
                add([term] + (term.withoutSkinTone.map { [$0] } ?? []), of: number, .emoji)
            }
            for keyword in sticker.keywords { add(SearchTerm.terms(ofKeyword: keyword), of: number, .keyword) }
            add(SearchTerm.words(of: sticker.id), of: number, .identifier)
            for description in sticker.description?.byLanguage.values ?? [:].values {
                add(SearchTerm.words(of: description), of: number, .description)
            }
        }
        var (text, textEnds): ([UInt8], [UInt32]) = ([], [])
        var (occurrences, occurrenceEnds): ([Occurrence], [UInt32]) = ([], [])
        for (term, list) in found.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            text += term
            textEnds.append(UInt32(text.count))
            occurrences += list.sorted { ($0.sticker, $0.field.rawValue) < ($1.sticker, $1.field.rawValue) }
            occurrenceEnds.append(UInt32(occurrences.count))
        }
        (self.text, self.textEnds, self.occurrences, self.occurrenceEnds) = (
            text, textEnds, occurrences, occurrenceEnds
        )
        stickerCount = stickers.count
        packTerms = Set(packName.byLanguage.values.flatMap(SearchTerm.words).map(Self.key)).sorted {
            $0.lexicographicallyPrecedes($1)
        }
    }

    private static func key(of term: SearchTerm) -> [UInt8] {
        switch term {
        case .word(let bytes): bytes
        case .symbol(let bytes): [0] + bytes
        }
    }

    /// Passes each sticker that has all terms to `body`, with its score: the higher, the better it matches.
    func search(_ terms: [SearchTerm], _ body: (_ sticker: Int, _ score: Int) -> Void) {
        guard let first = terms.first else {
            for sticker in 0..<stickerCount { body(sticker, 0) }
            return
        }
        guard var scores = scores(of: first) else { return }
        for term in terms.dropFirst() {
            guard let others = self.scores(of: term) else { return }
            for sticker in 0..<stickerCount {
                scores[sticker] = scores[sticker] > 0 && others[sticker] > 0 ? scores[sticker] + others[sticker] : 0
            }
        }
        for (sticker, score) in scores.enumerated() where score > 0 { body(sticker, Int(score)) }
    }

    /// Returns the score of each sticker for one term, 0 where it has no match; `nil` if no sticker has.
    private func scores(of term: SearchTerm) -> [UInt16]? {
        let (key, allowsPrefix): ([UInt8], Bool) =
            switch term {
            case .word(let bytes): (bytes, true)
            case .symbol: (Self.key(of: term), false)
            }
        var scores: [UInt16] = []
        func raise(_ sticker: Int, _ field: Field, isWhole: Bool) {
            // A beginning of a word counts less than the whole word.
            let score = UInt16(isWhole ? field.weight : field.weight - 1)
            if scores.isEmpty { scores = [UInt16](repeating: 0, count: stickerCount) }
            scores[sticker] = max(scores[sticker], score)
        }
        var number = firstTerm(notBefore: key)
        while number < textEnds.count, hasPrefix(number, key) {
            let isWhole = bytes(ofTerm: number).count == key.count
            guard isWhole || allowsPrefix else { break }
            let start = number == 0 ? 0 : Int(occurrenceEnds[number - 1])
            for occurrence in occurrences[start..<Int(occurrenceEnds[number])] {
                raise(Int(occurrence.sticker), occurrence.field, isWhole: isWhole)
            }
            number += 1
        }
        if allowsPrefix, let best = packTerms.filter({ $0.starts(with: key) }).min(by: { $0.count < $1.count }) {
            for sticker in 0..<stickerCount { raise(sticker, .packName, isWhole: best.count == key.count) }
        }
        if scores.isEmpty, let plain = term.withoutSkinTone { return self.scores(of: plain) }
        return scores.isEmpty ? nil : scores
    }

    private func bytes(ofTerm number: Int) -> ArraySlice<UInt8> {
        text[(number == 0 ? 0 : Int(textEnds[number - 1]))..<Int(textEnds[number])]
    }

    private func hasPrefix(_ number: Int, _ key: [UInt8]) -> Bool { bytes(ofTerm: number).starts(with: key) }

    /// Returns the number of the first term that is not before `key` in byte order.
    private func firstTerm(notBefore key: [UInt8]) -> Int {
        var (low, high) = (0, textEnds.count)
        while low < high {
            let middle = (low + high) / 2
            if bytes(ofTerm: middle).lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
