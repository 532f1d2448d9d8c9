import FoundationEssentials
public import StoreModel

/// What is looked for in a catalogue, and in which order it is wanted.
public struct CatalogueQuery: Sendable, Hashable {
    /// Each must be found somewhere in the product's name, identifier, tags, categories or publisher.
    public var words: [String]
    public var kind: ProductKind?
    public var category: String?
    public var freeOnly: Bool
    public var sort: Sort
    /// Of whoever asks, the preferred first: names are sorted as they are shown.
    public var languages: [String]

    public enum Sort: String, Sendable, Codable, CaseIterable {
        case name
        /// The last published first; those without a date after all others.
        case newest
        /// The greatest popularity first.
        case popular
        /// Free ones first, then by amount, whatever the currency.
        case price
    }

    public init(
        words: [String] = [], kind: ProductKind? = nil, category: String? = nil, freeOnly: Bool = false,
        sort: Sort = .name, languages: [String] = []
    ) {
        self.words = words
        self.kind = kind
        self.category = category
        self.freeOnly = freeOnly
        self.sort = sort
        self.languages = languages
    }

    /// The products in the order that is asked for: for the findings of one catalogue, or of several together.
    public func sorted<Element>(_ elements: [Element], by item: (Element) -> ProductItem) -> [Element] {
        elements.map { (element: $0, key: SortKey(item($0), self)) }
            .sorted { $0.key < $1.key }
            .map(\.element)
    }
}

/// Made once for each product, for a comparison is made many times.
private struct SortKey: Comparable {
    /// Smaller comes first.
    let rank: Double
    let name: String
    let identifier: String

    init(_ item: ProductItem, _ query: CatalogueQuery) {
        name = SearchText.folded(item.productName.text(in: query.languages))
        identifier = item.productIdentifier
        rank =
            switch query.sort {
            case .name: 0
            case .newest: -(item.publishedAt?.timeIntervalSinceReferenceDate ?? -.infinity)
            case .popular: -Double(item.popularity ?? -1)
            case .price: item.productPrice.number
            }
    }

    static func < (a: SortKey, b: SortKey) -> Bool {
        (a.rank, a.name, a.identifier) < (b.rank, b.name, b.identifier)
    }
}

extension Price {
    /// The first number in the text, only to sort by: 0 where it is free, and after all others where there is none.
    fileprivate var number: Double {
        guard let amount else { return 0 }
        let fromDigit = amount.drop { !($0.isASCII && $0.isNumber) }
        let number = fromDigit.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "," }
        return Double(number.map { $0 == "," ? "." : String($0) }.joined()) ?? .infinity
    }
}
