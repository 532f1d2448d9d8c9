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
    ///   - limits: the limits of the document.
    /// - Throws: `catalogue.malformed`, `catalogue.too-large` or `catalogue.unsupported-format`.
    public static func parse(
        _ data: Data, url: URL, limits: CatalogueLimits = .standard
    ) throws(StoreError) -> CatalogueDocument {
        let document = "catalogue '\(url.withoutSecrets)'"
        let root = try DocumentComplexity.parse(Root.self, from: data, document: document, limits: limits)
        switch root.content {
        case .index(let entry):
            return .index(try entry.index(base: url, limits: limits))
        case .products(let entries):
            return .products(try list(entries, base: url, format: 1, document: document, limits: limits))
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
        let document = "catalogue shard '\(shard.url.withoutSecrets)'"
        guard data.count == shard.size else {
            throw StoreError(
                .shardSizeDiffers,
                ["document": document, "found": .bytes(data.count), "expected": .bytes(shard.size)])
        }
        guard SHA256Digest(of: data) == shard.sha256 else {
            throw StoreError(.shardHashDiffers, ["document": document])
        }
        let root = try DocumentComplexity.parse(Root.self, from: data, document: document, limits: limits)
        guard case .shard(let entries) = root.content else {
            throw StoreError(.catalogueInvalid, ["document": document, "reason": "it is not a shard of format 2"])
        }
        return try list(entries, base: shard.url, format: 2, document: document, limits: limits)
    }

    private static func list(
        _ entries: [CatalogueEntry], base: URL, format: Int, document: String, limits: CatalogueLimits
    ) throws(StoreError) -> CatalogueProducts {
        guard entries.count <= limits.products else {
            throw StoreError(.catalogueTooManyProducts, ["document": document, "limit": limits.products])
        }
        var list = CatalogueProducts()
        for (index, entry) in entries.enumerated() {
            list.append(entry.item(base: base, format: format, position: index + 1))
        }
        return list
    }
}

/// The outermost JSON value of a catalogue document of any format.
private struct Root: Decodable {
    enum Content {
        case products([CatalogueEntry])
        case shard([CatalogueEntry])
        case index(IndexEntry)
        case unknownFormat(String)
        case neither
    }
    let content: Content

    init(from decoder: any Decoder) throws {
        guard let values = try? decoder.container(keyedBy: Member.self) else {
            content = .products(try decoder.singleValueContainer().decode([CatalogueEntry].self))
            return
        }
        switch values.text("format") {
        case nil, "1":
            guard values.contains("products") else {
                content = .neither
                return
            }
            content = .products(try values.decode([CatalogueEntry].self, forKey: "products"))
        case "2" where values.contains("shards"):
            content = .index(try IndexEntry(from: decoder))
        case "2":
            content = .shard(try values.decode([CatalogueEntry].self, forKey: "products"))
        case let format?:
            content = .unknownFormat(format)
        }
    }
}
