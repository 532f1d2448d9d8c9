import Algorithms

/// A table of terms in byte order, each with the items that have it: stickers or packs, by their numbers in an index.
struct TermTable: Sendable {
    /// An item that has a term, with the property that has it.
    struct Occurrence: Hashable {
        let item: UInt32
        let field: StickerIndex.Field
    }

    /// The UTF-8 of all terms, one after another in byte order.
    private var text: [UInt8] = []
    /// The end of each term in ``text``.
    private var textEnds: [UInt32] = []
    private var occurrences: [Occurrence] = []
    /// The end of the occurrences of each term in ``occurrences``.
    private var occurrenceEnds: [UInt32] = []

    /// Creates a table without terms.
    init() {}

    /// Creates a table of terms as UTF-8, each with its occurrences.
    init(_ terms: [[UInt8]: Set<Occurrence>]) {
        for (term, found) in terms.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            occurrences += found.sorted { ($0.item, $0.field.rawValue) < ($1.item, $1.field.rawValue) }
            add(term[...])
        }
    }

    /// Creates a table by merging two tables, and renumbers their items.
    ///
    /// - Parameters:
    ///   - firstNumbers: the new number of each item of the first table; `nil` for an item that is left out.
    ///   - secondNumbers: the same for the second table.
    init(
        merging first: TermTable, _ firstNumbers: [UInt32?], with second: TermTable, _ secondNumbers: [UInt32?]
    ) {
        var (one, other) = (0, 0)
        while one < first.textEnds.count || other < second.textEnds.count {
            let (a, b) = (first.term(one), second.term(other))
            let takesFirst = a.map { a in b.map { !$0.lexicographicallyPrecedes(a) } ?? true } ?? false
            let takesSecond = b.map { b in a.map { !$0.lexicographicallyPrecedes(b) } ?? true } ?? false
            if takesFirst { add(first.occurrences(ofTerm: one), firstNumbers) }
            if takesSecond { add(second.occurrences(ofTerm: other), secondNumbers) }
            if occurrences.count > Int(occurrenceEnds.last ?? 0), let term = takesFirst ? a : b { add(term) }
            one += takesFirst ? 1 : 0
            other += takesSecond ? 1 : 0
        }
    }

    private mutating func add(_ found: ArraySlice<Occurrence>, _ numbers: [UInt32?]) {
        for occurrence in found {
            guard let item = numbers[Int(occurrence.item)] else { continue }
            occurrences.append(Occurrence(item: item, field: occurrence.field))
        }
    }

    /// Adds a term whose occurrences were added before.
    private mutating func add(_ term: ArraySlice<UInt8>) {
        text += term
        textEnds.append(UInt32(text.count))
        occurrenceEnds.append(UInt32(occurrences.count))
    }

    /// Passes the occurrences of a term to `body`, with whether the whole term is the searched one.
    ///
    /// - Parameter allowsPrefix: whether terms that begin with the searched one are found, too.
    func search(
        _ key: [UInt8], allowsPrefix: Bool, _ body: (_ occurrence: Occurrence, _ isWhole: Bool) -> Void
    ) {
        var number = firstTerm(notBefore: key)
        while let term = term(number), term.starts(with: key) {
            let isWhole = term.count == key.count
            guard isWhole || allowsPrefix else { break }
            for occurrence in occurrences(ofTerm: number) { body(occurrence, isWhole) }
            number += 1
        }
    }

    private func term(_ number: Int) -> ArraySlice<UInt8>? {
        guard number < textEnds.count else { return nil }
        return text[(number == 0 ? 0 : Int(textEnds[number - 1]))..<Int(textEnds[number])]
    }

    private func occurrences(ofTerm number: Int) -> ArraySlice<Occurrence> {
        occurrences[(number == 0 ? 0 : Int(occurrenceEnds[number - 1]))..<Int(occurrenceEnds[number])]
    }

    /// Returns the number of the first term that is not before `key` in byte order.
    private func firstTerm(notBefore key: [UInt8]) -> Int {
        textEnds.indices.partitioningIndex { term($0)?.lexicographicallyPrecedes(key) != true }
    }
}
