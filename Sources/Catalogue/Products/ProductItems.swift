public import StoreModel

/// The products of a catalogue in a compact form; each access to an element decodes the product.
///
/// A catalogue of 100,000 products takes about 50 MB in this form.
public struct ProductItems: Sendable, Hashable, RandomAccessCollection {
    private var records = ByteBlocks()
    /// The number of products that the store has withdrawn.
    public private(set) var withdrawn = 0

    /// Creates an empty list of a catalogue's products.
    init() {}

    /// The index of the first product of the list: 0.
    public var startIndex: Int { 0 }
    /// The number of products of the list.
    public var endIndex: Int { records.count }

    /// Decodes the product at an index of the list.
    public subscript(index: Int) -> ProductItem { product(at: index, .product) }

    /// Decodes what a list shows of the product at an index: identifier, kind, names, price, date and popularity,
    /// categories, version, archive, image, publisher and defect.
    public func summary(at index: Int) -> ProductItem { product(at: index, .list) }

    /// Decodes a part of the product at an index.
    func product(at index: Int, _ part: ProductRecord.Part) -> ProductItem {
        var reader = ProductRecordReader(records[index])
        return reader.product(part)
    }

    func isWithdrawn(at index: Int) -> Bool { ProductRecordReader.isWithdrawn(records[index]) }

    func price(at index: Int, of version: Version) -> Price? { ProductRecordReader.price(of: version, records[index]) }

    func identifier(at index: Int) -> String { ProductRecordReader.identifier(records[index]) }

    /// Returns the bytes of a ``ProductRecord``.
    func record(at index: Int) -> ArraySlice<UInt8> { records[index] }

    mutating func reserveCapacity(_ count: Int) { records.reserveCapacity(count) }

    /// Appends the bytes of a ``ProductRecord``.
    mutating func append(_ record: some Collection<UInt8>) {
        records.append(record)
        if ProductRecordReader.isWithdrawn(records[records.count - 1]) { withdrawn += 1 }
    }
    mutating func append(_ other: ProductItems, at indices: [Int]) {
        records.append(other.records, at: indices)
        withdrawn += indices.count { ProductRecordReader.isWithdrawn(other.records[$0]) }
    }
    mutating func trim() { records.trim() }
}
