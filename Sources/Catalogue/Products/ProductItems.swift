public import StoreModel
import StoreSystem

/// The products of a catalogue in a compact form; each access to an element decodes the product.
///
/// A catalogue of 100,000 products takes about 50 MB in this form.
public struct ProductItems: Sendable, Hashable, RandomAccessCollection {
    /// The bytes of a ``ProductRecord`` for each product.
    private(set) var records = ByteBlocks()
    /// The number of products that the store has withdrawn.
    public private(set) var withdrawn = 0

    /// Creates an empty list of a catalogue's products.
    init() {}

    /// Creates an empty list, to which ``append(at:)`` adds parts of a file.
    init(_ file: FileBytes) { records = ByteBlocks(file) }

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
        records.withBytes(at: index) { record in
            var reader = ProductRecordReader(record)
            return reader.product(part)
        }
    }

    func isWithdrawn(at index: Int) -> Bool { records.withBytes(at: index, ProductRecordReader.isWithdrawn) }

    func price(at index: Int, of version: Version) -> Price? {
        records.withBytes(at: index) { ProductRecordReader.price(of: version, $0) }
    }

    func identifier(at index: Int) -> String { records.withBytes(at: index, ProductRecordReader.identifier) }

    mutating func reserveCapacity(_ count: Int) { records.reserveCapacity(count) }

    /// Appends the bytes of a ``ProductRecord``.
    mutating func append(_ record: some Collection<UInt8>) {
        records.append(record)
        countLast()
    }

    /// Appends the bytes of a ``ProductRecord`` that are a part of the file that the list was created with.
    mutating func append(at range: Range<Int>) {
        records.append(at: range)
        countLast()
    }

    private mutating func countLast() { if isWithdrawn(at: records.count - 1) { withdrawn += 1 } }

    mutating func append(_ other: ProductItems, at indices: [Int]) {
        records.append(other.records, at: indices)
        withdrawn += indices.count { other.isWithdrawn(at: $0) }
    }
    mutating func trim() { records.trim() }
}
