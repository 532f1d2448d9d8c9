public import FoundationEssentials
public import StoreModel

/// The JSON document at a store's URL: a catalogue of format 1, or the index of a catalogue of format 2.
public enum CatalogueDocument: Sendable, Hashable {
    /// A catalogue document of format 1: all products in one list, without versions or hashes.
    case products(CatalogueProducts)
    /// The index of a catalogue of format 2: references to the shards, documents that list the products.
    case index(CatalogueIndex)

    /// Parses the JSON document at a store's URL; its format is recognized by its content.
    ///
    /// - Parameters:
    ///   - data: the document.
    ///   - url: the URL that the document was found at, to which URLs in it are relative.
    ///   - limits: the limits of the catalogue.
    /// - Throws: `catalogue.malformed`, `catalogue.too-large` or `catalogue.unsupported-format`.
    public static func parse(
        _ data: Data, url: URL, limits: CatalogueLimits = .standard
    ) throws(StoreError) -> CatalogueDocument {
        try parse(data, url: url, budget: CatalogueBudget(limits))
    }

    /// Parses a document of a catalogue whose products share a budget.
    static func parse(_ data: Data, url: URL, budget: CatalogueBudget) throws(StoreError) -> CatalogueDocument {
        let document = "catalogue '\(url.withoutSecrets)'"
        let reading = ProductReading(document: document, base: url, budget: budget)
        let root = try DocumentComplexity.parse(
            Root.self, from: data, document: document, limits: budget.limits, userInfo: reading.userInfo)
        switch root {
        case .index(let entry):
            return .index(try entry.index(base: url, limits: budget.limits))
        case .products(let products): return .products(products)
        case .shard:
            throw StoreError(.catalogueIsShard, ["document": document])
        case .unknownFormat(let format):
            throw StoreError(.catalogueFormatUnknown, ["document": document, "format": .untrusted(format)])
        case .neither:
            throw StoreError(.catalogueNeither, ["document": document])
        }
    }

    /// Verifies a shard, a document that lists some of a catalogue's products, and parses it.
    ///
    /// The index of the catalogue states the shard's size and hash.
    ///
    /// - Throws: `catalogue.hash-mismatch`, and as ``parse(_:url:limits:)``.
    public static func parse(
        _ data: Data, of shard: CatalogueIndex.Shard, limits: CatalogueLimits = .standard
    ) throws(StoreError) -> CatalogueProducts {
        try parse(data, of: shard, budget: CatalogueBudget(limits))
    }

    /// Verifies and parses all shards of a catalogue, whose products together are within the limits.
    ///
    /// - Parameter content: returns the document of a shard.
    /// - Throws: as for one shard; an error of `content`.
    package static func parse(
        shardsOf index: CatalogueIndex, limits: CatalogueLimits = .standard,
        content: (CatalogueIndex.Shard) throws -> Data
    ) throws -> [CatalogueProducts] {
        let budget = CatalogueBudget(limits)
        return try index.shards.map { try parse(content($0), of: $0, budget: budget) }
    }

    /// Verifies and parses a shard of a catalogue whose products share a budget.
    static func parse(
        _ data: Data, of shard: CatalogueIndex.Shard, budget: CatalogueBudget
    ) throws(StoreError) -> CatalogueProducts {
        let document = "catalogue shard '\(shard.url.withoutSecrets)'"
        guard data.count == shard.size else {
            throw StoreError(
                .shardSizeDiffers,
                ["document": document, "found": .bytes(data.count), "expected": .bytes(shard.size)])
        }
        guard SHA256Digest(of: data) == shard.sha256 else {
            throw StoreError(.shardHashDiffers, ["document": document])
        }
        let reading = ProductReading(document: document, base: shard.url, budget: budget, shard: shard)
        let root = try DocumentComplexity.parse(
            Root.self, from: data, document: document, limits: budget.limits, userInfo: reading.userInfo)
        guard case .shard(let products) = root else {
            throw StoreError(.catalogueInvalid, ["document": document, "reason": "it is not a shard of format 2"])
        }
        return products
    }
}

/// The outermost JSON value of a catalogue document of any format.
private enum Root: Decodable {
    case products(CatalogueProducts)
    /// A shard; without its products if the document should be a catalogue.
    case shard(CatalogueProducts)
    case index(IndexEntry)
    case unknownFormat(String)
    case neither

    init(from decoder: any Decoder) throws {
        let reading = try ProductReading(of: decoder)
        guard let values = try? decoder.container(keyedBy: Member.self) else {
            self = .products(try reading.products(in: decoder.unkeyedContainer(), format: 1))
            return
        }
        switch values.text("format") {
        case nil, "1":
            guard values.contains("products") else {
                self = .neither
                return
            }
            self = .products(
                try reading.products(in: values.nestedUnkeyedContainer(forKey: "products"), format: 1))
        case "2" where values.contains("shards"):
            self = .index(try IndexEntry(from: decoder))
        case "2" where reading.shard == nil: self = .shard(CatalogueProducts())
        case "2":
            self = .shard(try reading.products(in: values.nestedUnkeyedContainer(forKey: "products"), format: 2))
        case let format?:
            self = .unknownFormat(format)
        }
    }
}

/// Reads the products of a document one by one, so that a limit ends the reading as soon as it is exceeded.
private struct ProductReading: Sendable {
    /// The description of the document for messages.
    let document: String
    /// The document's URL.
    let base: URL
    let budget: CatalogueBudget
    /// The shard that the document should be; `nil` if it should be a catalogue.
    var shard: CatalogueIndex.Shard?

    private static let key = CodingUserInfoKey(rawValue: "StoreCatalogue.ProductReading")!

    /// The reading in the form in which a decoder passes it on.
    var userInfo: [CodingUserInfoKey: any Sendable] { [Self.key: self] }

    init(document: String, base: URL, budget: CatalogueBudget, shard: CatalogueIndex.Shard? = nil) {
        self.document = document
        self.base = base
        self.budget = budget
        self.shard = shard
    }

    /// Returns the reading that was passed to a decoder.
    init(of decoder: any Decoder) throws {
        guard let reading = decoder.userInfo[Self.key] as? ProductReading else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "there are no limits"))
        }
        self = reading
    }

    func products(in elements: any UnkeyedDecodingContainer, format: Int) throws -> CatalogueProducts {
        var (elements, products, position) = (elements, CatalogueProducts(), 0)
        while !elements.isAtEnd {
            position += 1
            if let shard, position > shard.products {
                throw StoreError(.shardHasMoreProducts, ["document": document, "expected": shard.products])
            }
            let entry = try elements.decode(CatalogueEntry.self)
            let record = ProductRecord(entry.item(base: base, format: format, position: position))
            try budget.add(memory: record.memory, document: document)
            products.append(record)
        }
        products.trim()
        return products
    }
}
