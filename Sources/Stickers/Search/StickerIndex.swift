import Algorithms
import StoreModel

/// A search index of some sticker packs: the terms of all their stickers in order, each with the stickers that have it.
///
/// It does not change, except that packs are removed, whose stickers are then ignored. ``StickerIndexes`` combines
/// several, so that a new pack changes no large one.
struct StickerIndex: Sendable {
    /// The property of a sticker that has a term, which decides how well it matches.
    enum Field: UInt8, Sendable {
        case packName, description, identifier, keyword, emoji

        /// The score of a match of a whole term.
        var weight: UInt32 {
            switch self {
            case .packName: 2
            case .description: 6
            case .identifier: 8
            case .keyword: 10
            case .emoji: 12
            }
        }
    }

    /// A pack in an index.
    struct Pack: Sendable {
        /// The ``KnownStickerPack/number`` of the pack.
        let number: Int
        /// The numbers of its stickers in the index.
        let stickers: Range<Int>
        /// Whether the pack was removed since the index was built.
        var isRemoved = false
    }

    private(set) var packs: [Pack] = []
    /// The terms of the stickers.
    private let terms: TermTable
    /// The terms of the packs' names, which count for all stickers of a pack.
    private let names: TermTable

    /// Creates the index of packs.
    init(_ known: [KnownStickerPack]) {
        var (found, names): ([[UInt8]: Set<TermTable.Occurrence>], [[UInt8]: Set<TermTable.Occurrence>]) = ([:], [:])
        var first = 0
        for (position, pack) in known.enumerated() {
            for (offset, sticker) in pack.content.stickers.enumerated() {
                for (term, field) in SearchTerm.terms(of: sticker) {
                    found[term.key, default: []].insert(.init(item: UInt32(first + offset), field: field))
                }
            }
            for term in pack.pack.name.byLanguage.values.flatMap(SearchTerm.words) {
                names[term.key, default: []].insert(.init(item: UInt32(position), field: .packName))
            }
            let end = first + pack.content.stickers.count
            packs.append(Pack(number: pack.number, stickers: first..<end))
            first = end
        }
        terms = TermTable(found)
        self.names = TermTable(names)
    }

    /// Creates the index of the packs of two indexes, without those that were removed.
    init(merging first: StickerIndex, with second: StickerIndex) {
        var (position, sticker) = (UInt32(0), UInt32(0))
        func renumber(_ index: StickerIndex) -> (packs: [UInt32?], stickers: [UInt32?], kept: [Pack]) {
            var (packs, stickers, kept): ([UInt32?], [UInt32?], [Pack]) = ([], [], [])
            for pack in index.packs {
                packs.append(pack.isRemoved ? nil : position)
                let start = sticker
                for _ in pack.stickers {
                    stickers.append(pack.isRemoved ? nil : sticker)
                    sticker += pack.isRemoved ? 0 : 1
                }
                guard !pack.isRemoved else { continue }
                kept.append(Pack(number: pack.number, stickers: Int(start)..<Int(sticker)))
                position += 1
            }
            return (packs, stickers, kept)
        }
        let (one, other) = (renumber(first), renumber(second))
        packs = one.kept + other.kept
        terms = TermTable(merging: first.terms, one.stickers, with: second.terms, other.stickers)
        names = TermTable(merging: first.names, one.packs, with: second.names, other.packs)
    }

    /// The number of stickers, those of removed packs included.
    var stickerCount: Int { packs.last?.stickers.upperBound ?? 0 }

    /// The number of stickers without those of removed packs.
    var remainingCount: Int { packs.reduce(0) { $0 + ($1.isRemoved ? 0 : $1.stickers.count) } }

    /// Marks packs as removed, except those whose number `isKept` returns `true` for.
    mutating func removePacks(unless isKept: (_ number: Int) -> Bool) {
        for position in packs.indices where !isKept(packs[position].number) { packs[position].isRemoved = true }
    }

    /// Returns the score of each sticker that has all terms, and 0 for the others; the higher, the better it matches.
    ///
    /// - Parameter terms: at least one term.
    /// - Returns: `nil` if no sticker has all terms.
    func scores(of terms: [SearchTerm]) -> [UInt32]? {
        guard let first = terms.first, var scores = scores(of: first) else { return nil }
        for term in terms.dropFirst() {
            guard let others = self.scores(of: term) else { return nil }
            for sticker in scores.indices {
                scores[sticker] = scores[sticker] > 0 && others[sticker] > 0 ? scores[sticker] + others[sticker] : 0
            }
        }
        return scores
    }

    /// Returns the score of each sticker for one term, 0 where it has no match; `nil` if no sticker has.
    private func scores(of term: SearchTerm) -> [UInt32]? {
        var scores: [UInt32] = []
        func raise(_ sticker: Int, _ field: Field, isWhole: Bool) {
            if scores.isEmpty { scores = [UInt32](repeating: 0, count: stickerCount) }
            // A beginning of a word counts less than the whole word.
            scores[sticker] = max(scores[sticker], isWhole ? field.weight : field.weight - 1)
        }
        terms.search(term.key, allowsPrefix: term.allowsPrefix) { occurrence, isWhole in
            raise(Int(occurrence.item), occurrence.field, isWhole: isWhole)
        }
        if term.allowsPrefix {
            names.search(term.key, allowsPrefix: true) { occurrence, isWhole in
                for sticker in packs[Int(occurrence.item)].stickers { raise(sticker, .packName, isWhole: isWhole) }
            }
        }
        if let plain = term.withoutSkinTone {
            // For the packs that have no sticker with this skin tone.
            let exact = packs.map { pack in !scores.isEmpty && scores[pack.stickers].contains { $0 > 0 } }
            terms.search(plain.key, allowsPrefix: false) { occurrence, isWhole in
                let sticker = Int(occurrence.item)
                guard !exact[position(ofPackWith: sticker)] else { return }
                raise(sticker, occurrence.field, isWhole: isWhole)
            }
        }
        return scores.isEmpty ? nil : scores
    }

    private func position(ofPackWith sticker: Int) -> Int {
        packs.partitioningIndex { $0.stickers.upperBound > sticker }
    }
}

extension SearchTerm {
    /// Returns the terms by which a sticker is found, without those of its pack's name, each with its property.
    fileprivate static func terms(of sticker: Sticker) -> [(SearchTerm, StickerIndex.Field)] {
        var terms: [(SearchTerm, StickerIndex.Field)] = []
        for emoji in sticker.emoji {
            let term = symbol(emoji)
            terms.append((term, .emoji))
            if let plain = term.withoutSkinTone { terms.append((plain, .emoji)) }
        }
        for keyword in sticker.keywords { terms += Self.terms(ofKeyword: keyword).map { ($0, .keyword) } }
        terms += words(of: sticker.id).map { ($0, .identifier) }
        for description in sticker.description?.byLanguage.values ?? [:].values {
            terms += words(of: description).map { ($0, .description) }
        }
        return terms
    }

    /// The term's key in an index: a symbol begins with a byte that no word contains.
    fileprivate var key: [UInt8] {
        switch self {
        case .word(let bytes): bytes
        case .symbol(let bytes): [0] + bytes
        }
    }

    /// Whether the term also finds those that begin with it.
    fileprivate var allowsPrefix: Bool {
        switch self {
        case .word: true
        case .symbol: false
        }
    }
}
