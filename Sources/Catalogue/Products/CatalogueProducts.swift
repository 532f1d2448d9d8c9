import StoreSystem

/// The products of a catalogue document in the document's order, without duplicate product identifiers.
public struct CatalogueProducts: Sendable, Hashable {
    /// The products in the order of the catalogue document.
    public private(set) var items = ProductItems()
    /// The text that a search examines, for each product of the catalogue document.
    private(set) var searchTexts = ByteBlocks()
    private var identifiers = IdentifierTable()
    /// The identifiers that are listed more than once, the first of them as far as ``warningLimit`` allows.
    private(set) var repeated: [String] = []
    private(set) var repeatedCount = 0

    /// The maximum number of repeated products that warnings name; a catalogue may repeat any number of them.
    private static let warningLimit = 100

    /// Creates an empty list of a catalogue's products.
    public init() {}

    /// Creates an empty list of the products in a file of the cache, to which ``append(record:searchText:)`` adds them.
    ///
    /// - Parameters:
    ///   - repeated: the identifiers that the document lists more than once, or the first of them; `count` is their number.
    init(_ file: FileBytes, repeated: [String], count: Int) {
        items = ProductItems(file)
        searchTexts = ByteBlocks(file)
        (self.repeated, repeatedCount) = (repeated, count)
    }

    /// Descriptions of irregularities in a catalogue document, one line each, for the store's administrator.
    ///
    /// The products are usable nevertheless.
    public var warnings: [String] {
        let others = repeatedCount - repeated.count
        return repeated.map { "'\($0)' is listed more than once; the first entry is used" }
            + (others > 0 ? ["\(others) more entries repeat an identifier"] : [])
    }

    /// Returns the position of the product with an identifier; `nil` if the catalogue document has none.
    func position(of productIdentifier: String) -> Int? { identifiers.position(of: productIdentifier, in: items) }

    /// Appends a product of the catalogue; a second one with the same identifier is ignored with a warning.
    mutating func append(_ record: ProductRecord) {
        guard isNew(record.identifier) else { return }
        identifiers.append(record.identifier, to: items)
        items.append(record.bytes)
        searchTexts.append(record.searchText)
    }

    /// Appends a product that is known to be the only one with its identifier, by the places in the file.
    mutating func append(record: Range<Int>, searchText: Range<Int>) {
        items.append(at: record)
        searchTexts.append(at: searchText)
        identifiers.append(items.identifier(at: items.count - 1), to: items)
    }

    /// Returns whether no product has an identifier yet, and counts it as repeated otherwise.
    private mutating func isNew(_ identifier: String) -> Bool {
        if position(of: identifier) == nil { return true }
        repeatedCount += 1
        if repeated.count < Self.warningLimit { repeated.append(identifier) }
        return false
    }

    mutating func reserveCapacity(_ count: Int) {
        items.reserveCapacity(count)
        searchTexts.reserveCapacity(count)
        identifiers.reserveCapacity(count, in: items)
    }

    /// Appends the products of another document of the catalogue, whose memory is shared.
    ///
    /// - Parameter isIncluded: returns whether the product with an identifier is appended.
    mutating func append(contentsOf list: CatalogueProducts, where isIncluded: (String) -> Bool = { _ in true }) {
        repeatedCount += list.repeatedCount
        repeated += list.repeated.prefix(Self.warningLimit - repeated.count)
        let new = list.items.indices.filter {
            let identifier = list.items.identifier(at: $0)
            return isIncluded(identifier) && isNew(identifier)
        }
        items.append(list.items, at: new)
        searchTexts.append(list.searchTexts, at: new)
        for index in new { identifiers.append(list.items.identifier(at: index), to: items) }
    }

    /// Returns memory that was reserved for further products.
    mutating func trim() {
        items.trim()
        searchTexts.trim()
    }
}
