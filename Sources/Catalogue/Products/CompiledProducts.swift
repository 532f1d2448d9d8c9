import FoundationEssentials
import StoreModel
import StoreSystem

/// Identifies the input from which the products of a catalogue document were compiled.
///
/// Another document, another URL or other limits may have other products.
struct CompiledSource: Sendable, Hashable {
    /// The hash of the JSON document that lists the products.
    let document: SHA256Digest
    /// The URL of the document, to which its addresses are relative.
    let url: URL
    /// The size in bytes and the number of products that the index states for a shard; `nil` for a document of format 1.
    let stated: Stated?
    /// The limits with which the document was parsed.
    let limits: CatalogueLimits

    struct Stated: Sendable, Hashable {
        let size: Int
        let products: Int
    }

    /// The source of a catalogue of format 1.
    init(_ document: CatalogueCache.State, _ limits: CatalogueLimits) {
        (self.document, url, stated, self.limits) = (document.sha256, document.url, nil, limits)
    }

    /// The source of a shard.
    init(_ shard: CatalogueIndex.Shard, _ limits: CatalogueLimits) {
        (document, url, self.limits) = (shard.sha256, shard.url, limits)
        stated = Stated(size: shard.size, products: shard.products)
    }

    /// The version of the format of compiled products.
    ///
    /// To be increased when that format or ``ProductRecord`` changes, or when documents are parsed differently. Files of
    /// earlier releases are then recompiled.
    static let formatVersion = 3

    /// The maximum size of the file in bytes, by the memory limit: a product takes fewer bytes in the file than in memory.
    var sizeLimit: Int { limits.memory + (1 << 20) }

    /// The digest of all properties and of the format's version, with which the file begins.
    var digest: SHA256Digest {
        let stated = stated.map { "\($0.size) \($0.products)" } ?? ""
        return SHA256Digest(
            of: "\(Self.formatVersion)\n\(document)\n\(url.absoluteString)\n\(stated)\n\(limits)".utf8)
    }
}

/// The products of a catalogue document in a file of the cache, in the form in which they are held in memory.
///
/// Parsing a document of 40,000 products takes about a second, and reading its compiled form a tenth of that. The file
/// begins with ``CompiledSource/digest`` and ends with the hash of all bytes before it, so that a damaged file counts as
/// missing. Numbers have four bytes, the lowest first.
extension CatalogueProducts {
    /// The size in bytes of the source's digest at the beginning, and of the hash at the end.
    private static let digestSize = 32

    /// Returns the products as the content of a file.
    func compiled(from source: CompiledSource) -> Data {
        var parts = repeated.map { 4 + $0.utf8.count }
        for index in items.indices {
            parts.append(
                8 + items.records.withBytes(at: index, \.count) + searchTexts.withBytes(at: index, \.count))
        }
        // Exact, because a growing buffer may take twice the memory of all products.
        var file = Data(capacity: parts.reduce(12 + 2 * Self.digestSize, +))
        func append(_ number: Int) { withUnsafeBytes(of: UInt32(number).littleEndian) { file.append(contentsOf: $0) } }
        func append(_ part: some Collection<UInt8>) {
            append(part.count)
            file.append(contentsOf: part)
        }
        file.append(contentsOf: source.digest.bytes)
        append(repeatedCount)
        append(repeated.count)
        for identifier in repeated { append(identifier.utf8) }
        append(items.count)
        for index in items.indices {
            items.records.withBytes(at: index) { append($0) }
            searchTexts.withBytes(at: index) { append($0) }
        }
        file.append(contentsOf: SHA256Digest(of: file).bytes)
        return file
    }

    /// Reads products from a file, which stays mapped as long as the products are used if it is mapped.
    ///
    /// - Parameter budget: counts the products and their memory, as when a document is parsed.
    /// - Returns: `nil` if the file was made of something else, or is damaged.
    /// - Throws: `catalogue.too-large`.
    static func read(
        _ file: FileBytes, from source: CompiledSource, budget: CatalogueBudget
    ) throws -> CatalogueProducts? {
        try file.withUnsafeBytes { bytes in
            let end = bytes.count - digestSize
            guard end >= digestSize, bytes[..<digestSize].elementsEqual(source.digest.bytes),
                bytes[end...].elementsEqual(SHA256Digest(of: bytes[..<end]).bytes)
            else { return nil }
            return try CatalogueProducts(
                compiled: file, bytes, in: digestSize..<end, document: "catalogue '\(source.url.withoutSecrets)'",
                budget: budget)
        }
    }

    /// Reads products from the verified part of a file; `nil` if it is malformed.
    private init?(
        compiled file: FileBytes, _ bytes: UnsafeRawBufferPointer, in verified: Range<Int>, document: String,
        budget: CatalogueBudget
    ) throws(StoreError) {
        var rest = verified
        func number() -> Int? {
            guard rest.count >= 4 else { return nil }
            defer { rest = rest.dropFirst(4) }
            return Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: rest.lowerBound, as: UInt32.self)))
        }
        func part() -> Range<Int>? {
            guard let count = number(), count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        guard let repeatedCount = number(), let repeatedNames = number() else { return nil }
        var repeated: [String] = []
        for _ in 0..<repeatedNames {
            guard let name = part() else { return nil }
            repeated.append(String(decoding: bytes[name], as: UTF8.self))
        }
        self.init(file, repeated: repeated, count: repeatedCount)
        // Each has two lengths.
        guard let count = number(), count <= rest.count / 8 else { return nil }
        reserveCapacity(count)
        for _ in 0..<count {
            guard let record = part(), let searchText = part() else { return nil }
            try budget.add(memory: ProductRecord.memory(record.count, searchText.count), document: document)
            append(record: record, searchText: searchText)
        }
    }
}
