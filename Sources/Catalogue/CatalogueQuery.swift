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
        elements.map { (element: $0, place: place(of: item($0))) }
            .sorted { $0.place < $1.place }
            .map(\.element)
    }

    /// Where a product stands in the order that is asked for.
    ///
    /// - Parameter store: tells apart what several stores have.
    public func place(of item: ProductItem, in store: String = "") -> CataloguePlace {
        let rank: Double =
            switch sort {
            case .name: 0
            case .newest: -(item.publishedAt?.timeIntervalSinceReferenceDate ?? -.infinity)
            case .popular: -Double(item.popularity ?? -1)
            case .price: item.productPrice.number
            }
        return CataloguePlace(
            rank: rank, name: SearchText.folded(item.productName.text(in: languages)),
            identifier: item.productIdentifier, store: store)
    }
}

/// Where a product stands in the order of a query. It stays the same while other products come and go.
public struct CataloguePlace: Sendable, Hashable, Comparable {
    /// Smaller comes first.
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

    /// From its ``parts``; `nil` where they are not those of a place.
    public init?(_ parts: [String]) {
        guard parts.count == 4, let rank = Double(parts[0]), !rank.isNaN else { return nil }
        self.init(rank: rank, name: parts[1], identifier: parts[2], store: parts[3])
    }

    /// As texts, to be kept.
    public var parts: [String] { ["\(rank)", name, identifier, store] }

    public static func < (a: CataloguePlace, b: CataloguePlace) -> Bool {
        (a.rank, a.name, a.identifier, a.store) < (b.rank, b.name, b.identifier, b.store)
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
