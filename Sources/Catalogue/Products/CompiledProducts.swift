import FoundationEssentials
import StoreModel

/// What the products of a compiled catalogue document were made of.
///
/// The products of other documents, at other URLs or with other limits, may be others.
struct CompiledSource: Sendable, Hashable {
    /// The hash of the JSON document that listed the products.
    let document: SHA256Digest
    /// The URL of the document, to which its addresses are relative.
    let url: URL
    /// The limits with which the document was parsed.
    let limits: CatalogueLimits

    /// The number of the form in which products are compiled.
    ///
    /// It is to be raised when the form changes, when a ``ProductRecord`` does, or when a document is understood in another
    /// way: files of earlier releases are then made anew.
    static let form = 1

    /// A digest of all of it, with which the file begins.
    var digest: SHA256Digest { SHA256Digest(of: "\(Self.form)\n\(document)\n\(url.absoluteString)\n\(limits)".utf8) }
}

/// The products of a catalogue document in a file of the cache, in the form in which they are held in memory.
///
/// To parse a document of 100,000 products takes seconds; to read its compiled form is to copy it. The file begins with
/// ``CompiledSource/digest`` and ends with the hash of what is before, so that a damaged file counts as missing. The numbers
/// have four bytes, the lowest first.
extension CatalogueProducts {
    /// The bytes of the source's digest at the beginning, and of the hash at the end.
    private static let digestSize = 32

    /// Returns the products as the content of a file.
    func compiled(from source: CompiledSource) -> Data {
        var bytes = source.digest.bytes
        func append(_ number: Int) { withUnsafeBytes(of: UInt32(number).littleEndian) { bytes += $0 } }
        func append(_ part: some Collection<UInt8>) {
            append(part.count)
            bytes += part
        }
        append(repeatedCount)
        append(repeated.count)
        for identifier in repeated { append(identifier.utf8) }
        append(items.count)
        for index in items.indices {
            append(items.record(at: index))
            append(searchTexts[index])
        }
        bytes += SHA256Digest(of: bytes).bytes
        return Data(bytes)
    }

    /// Reads products from the content of a file.
    ///
    /// - Parameter budget: counts the products and their memory, as when a document is parsed.
    /// - Returns: `nil` if the file was made of something else, or is damaged.
    /// - Throws: `catalogue.too-large`.
    static func read(
        _ file: Data, from source: CompiledSource, budget: CatalogueBudget
    ) throws(StoreError) -> CatalogueProducts? {
        let bytes = [UInt8](file)
        let end = bytes.count - digestSize
        guard end >= digestSize, bytes[..<digestSize].elementsEqual(source.digest.bytes),
            bytes[end...].elementsEqual(SHA256Digest(of: bytes[..<end]).bytes)
        else { return nil }
        var position = digestSize
        func number() -> Int {
            defer { position += 4 }
            return (0..<4).reduce(0) { $0 | Int(bytes[position + $1]) << ($1 * 8) }
        }
        func part() -> ArraySlice<UInt8> {
            let count = number()
            defer { position += count }
            return bytes[position..<position + count]
        }
        let repeatedCount = number()
        let repeated = (0..<number()).map { _ in String(decoding: part(), as: UTF8.self) }
        var products = CatalogueProducts(repeated: repeated, count: repeatedCount)
        let count = number()
        products.reserveCapacity(count)
        for _ in 0..<count {
            let (record, searchText) = (part(), part())
            try budget.add(
                memory: ProductRecord.memory(record.count, searchText.count),
                document: "catalogue '\(source.url.withoutSecrets)'")
            products.append(record: record, searchText: searchText)
        }
        products.trim()
        return products
    }
}
