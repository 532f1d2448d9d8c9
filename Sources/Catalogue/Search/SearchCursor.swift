/// The position of a product in the results of a search, from which the next page of results begins.
///
/// The cursor stays valid when products are added or removed.
public struct SearchCursor: Sendable, Hashable, Comparable {
    /// The primary sort key of the product in the search results, in ascending order.
    private let rank: Double
    private let name: String
    private let identifier: String
    private let store: String

    init(rank: Double, name: String, identifier: String, store: String) {
        self.rank = rank
        self.name = name
        self.identifier = identifier
        self.store = store
    }

    /// Creates a position in search results from the texts in ``parts``; `nil` if these are not valid.
    public init?(_ parts: [String]) {
        guard parts.count == 4, let rank = Double(parts[0]), !rank.isNaN else { return nil }
        self.init(rank: rank, name: parts[1], identifier: parts[2], store: parts[3])
    }

    /// The values of the position in search results as texts, for a page token.
    public var parts: [String] { ["\(rank)", name, identifier, store] }

    /// Returns whether one position in search results is before another.
    public static func < (a: SearchCursor, b: SearchCursor) -> Bool {
        (a.rank, a.name, a.identifier, a.store) < (b.rank, b.name, b.identifier, b.store)
    }
}
