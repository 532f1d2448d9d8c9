public import FoundationEssentials
import StoreModel

/// What lies at a store's address, told by its content.
public enum CatalogueDocument: Sendable, Hashable {
    /// Format 1: all products in one list, without versions or hashes.
    case products(ProductList)
    /// Format 2: where the products are.
    case index(CatalogueIndex)

    /// Reads a catalogue's document.
    ///
    /// - Parameters:
    ///   - url: where it was found, which its relative addresses belong to.
    /// - Throws: `catalogue.malformed`, `catalogue.too-large` or `catalogue.unsupported-format`.
    public static func parse(
        _ data: Data, url: URL, limits: CatalogueLimits = .standard
    ) throws(CatalogueError) -> CatalogueDocument {
        let what = "The catalogue at \(url.absoluteString)"
        let root = try DocumentShape.parse(Root.self, from: data, what: what, limits: limits)
        switch root.content {
        case .index(let entry):
            return .index(try entry.index(base: url, limits: limits))
        case .products(let entries):
            return .products(try list(entries, base: url, format: 1, what: what, limits: limits))
        case .shard:
            throw CatalogueError(
                .catalogueMalformed, "\(what) is only a shard of one. Use the address of its catalogue.json.")
        case .unknownFormat(let format):
            throw CatalogueError(
                .catalogueUnsupportedFormat,
                "\(what) is of format \(format); this program reads 1 and 2. Look for a newer version of it.")
        case .neither:
            throw CatalogueError(
                .catalogueMalformed, "\(what) is JSON, but has neither 'products' nor 'format'. Check the address.")
        }
    }

    /// Reads a shard, after it was found to be what the index says.
    ///
    /// - Throws: `catalogue.hash-mismatch`, and as ``parse(_:url:limits:)``.
    public static func parse(
        _ data: Data, of shard: CatalogueIndex.Shard, limits: CatalogueLimits = .standard
    ) throws(CatalogueError) -> ProductList {
        let what = "The catalogue's shard \(shard.url.absoluteString)"
        guard data.count == shard.size else {
            throw CatalogueError(
                .catalogueHashMismatch,
                "\(what) has \(data.count) bytes where the index says \(shard.size). Try again later; if it stays so,"
                    + " ask the store's publisher.")
        }
        guard SHA256Digest(of: data) == shard.sha256 else {
            throw CatalogueError(
                .catalogueHashMismatch,
                "\(what) has not the SHA-256 that the index gives. Try again later; if it stays so, ask the store's"
                    + " publisher.")
        }
        let root = try DocumentShape.parse(Root.self, from: data, what: what, limits: limits)
        guard case .shard(let entries) = root.content else {
            throw CatalogueError(.catalogueMalformed, "\(what) is no shard of format 2. Ask the store's publisher.")
        }
        return try list(entries, base: shard.url, format: 2, what: what, limits: limits)
    }

    private static func list(
        _ entries: [CatalogueEntry], base: URL, format: Int, what: String, limits: CatalogueLimits
    ) throws(CatalogueError) -> ProductList {
        guard entries.count <= limits.products else {
            throw CatalogueError(
                .catalogueTooLarge, "\(what) lists \(entries.count) products; at most \(limits.products) are taken.")
        }
        var list = ProductList()
        for (place, entry) in entries.enumerated() {
            list.append(entry.item(base: base, format: format, position: place + 1))
        }
        return list
    }
}

/// The outermost value of a document, of whichever sort it is.
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
