import FoundationEssentials
import StoreCatalogue
import StoreModel

/// A catalogue of format 2, encoded from products.
struct FormatTwo {
    var index: Data
    /// The shards by their path relative to the store.
    var shards: [String: Data] = [:]

    init(_ products: [CatalogueEntry], name: LocalizedText? = nil) throws {
        let sharding = CatalogueSharding(productCount: products.count)
        var lists = [[CatalogueEntry]](repeating: [], count: sharding.count)
        for product in products { lists[sharding.shard(of: product.productIdentifier!)].append(product) }
        var shards: [IndexEntry.Shard] = []
        for list in lists where !list.isEmpty {
            let data = try JSON.encode(ShardEntry(products: list))
            let digest = SHA256Digest(of: data)
            self.shards["/catalogue/\(digest.hex).json"] = data
            shards.append(
                IndexEntry.Shard(
                    url: "catalogue/\(digest.hex).json", size: data.count, sha256: digest, products: list.count))
        }
        index = try JSON.encode(IndexEntry(name: name, shards: shards))
    }

    /// Serves all documents from a server, the index last.
    func put(on server: DocumentServer, etag: String? = nil) {
        for (path, data) in shards { server.put(data, at: path) }
        server.put(index, at: "/catalogue.json", etag: etag)
    }

    static func product(_ identifier: String, version: String = "1.0.0") -> CatalogueEntry {
        var entry = CatalogueEntry()
        entry.productIdentifier = identifier
        entry.productName = LocalizedText(identifier)
        entry.productType = "sticker"
        entry.version = version
        entry.resource = file("archives/\(identifier)-\(version).zip")
        return entry
    }

    static func file(_ path: String) -> FileEntry {
        FileEntry(url: "../" + path, size: path.utf8.count, sha256: SHA256Digest(of: path.utf8).hex)
    }
}
