import FoundationEssentials
public import StoreModel

/// The order in which a search of a catalogue returns products.
public enum SearchOrder: String, Sendable, Codable, CaseIterable {
    /// The order by the product's name, in the form that is displayed for the user's languages.
    case name
    /// The order by publication date, the newest first; products without a date are last.
    case newest
    /// The order by popularity, the most popular product first.
    case popular
    /// The order by price: free products first, then by the number in the price, whatever the currency.
    case price
}

extension CatalogueQuery {
    /// The length of the beginning of a name by which products are sorted, in bytes.
    ///
    /// A search has the names of all products that it finds in memory.
    private static let sortedNameLength = 200

    /// Returns elements sorted by their products, in the order that the search requests.
    ///
    /// The products may belong to several catalogues.
    ///
    /// - Parameter item: returns the product of an element.
    public func sorted<Element>(_ elements: [Element], by item: (Element) -> ProductItem) -> [Element] {
        elements.map { (element: $0, cursor: cursor(of: item($0))) }
            .sorted { $0.cursor < $1.cursor }
            .map(\.element)
    }

    /// Returns the position of a product in the results of the search.
    ///
    /// - Parameter store: the store's name, which distinguishes equal products of several stores.
    public func cursor(of item: ProductItem, in store: String = "") -> SearchCursor {
        let rank: Double =
            switch sort {
            case .name: 0
            case .newest: -(item.publishedAt?.timeIntervalSinceReferenceDate ?? -.infinity)
            case .popular: -Double(item.popularity ?? -1)
            case .price: item.productPrice.amountForSorting
            }
        let name = item.productName.text(in: languages).utf8.prefix(Self.sortedNameLength)
        return SearchCursor(
            rank: rank, name: SearchText.folded(String(decoding: name, as: UTF8.self)),
            identifier: item.productIdentifier, store: store)
    }
}

extension Price {
    /// The first number in the price's text: 0 for a free product, infinity if there is no number.
    fileprivate var amountForSorting: Double {
        guard let amount else { return 0 }
        let fromDigit = amount.drop { !($0.isASCII && $0.isNumber) }
        let number = fromDigit.prefix { $0.isASCII && $0.isNumber || $0 == "." || $0 == "," }
        return Double(number.map { $0 == "," ? "." : String($0) }.joined()) ?? .infinity
    }
}
