public import FoundationEssentials
public import StoreModel

/// The index of a catalogue of format 2: the shards, which list the products, with their sizes and hashes.
public struct CatalogueIndex: Sendable, Hashable {
    /// The store's name for display; `nil` if the index of the catalogue has none.
    public var name: LocalizedText?
    /// The number of products of all shards (parts of a catalogue) together, as the index declares it.
    public var products: Int
    /// The references to the catalogue's shards, the documents that list products, in the order of the index.
    public var shards: [Shard]

    /// A reference to a shard: a document with some of the catalogue's products.
    public struct Shard: Sendable, Hashable {
        /// The absolute URL of a shard, a document with some of the catalogue's products.
        public var url: URL
        /// The size in bytes of a shard, a document with some of the catalogue's products.
        public var size: Int
        /// The SHA-256 of a shard, a document with some of the catalogue's products.
        public var sha256: SHA256Digest
        /// The number of products in a shard of the catalogue.
        public var products: Int
    }
}

/// The JSON form of the index of a catalogue of format 2, before validation; URLs may be relative.
///
/// Its validated form is ``CatalogueIndex``.
public struct IndexEntry: Sendable, Hashable, Codable {
    /// The format of the catalogue that the index belongs to, always 2.
    public var format = 2
    /// The store's name for display; `nil` if the index of the catalogue has none.
    public var name: LocalizedText?
    /// The number of products of all shards (parts of a catalogue) together.
    public var products: Int
    /// The references to the catalogue's shards, the documents that list products.
    public var shards: [Shard]

    /// The JSON form of a reference to a shard, a document with some of the catalogue's products.
    public struct Shard: Sendable, Hashable, Codable {
        /// The URL of a shard, a document with some of the products, relative to the catalogue's index or absolute.
        public var url: String
        /// The size in bytes of a shard, a document with some of the catalogue's products.
        public var size: Int
        /// The SHA-256 of a shard, a document with some of the catalogue's products.
        public var sha256: SHA256Digest
        /// The number of products in a shard of the catalogue.
        public var products: Int

        /// Creates a reference to a shard, a document with some of the catalogue's products.
        public init(url: String, size: Int, sha256: SHA256Digest, products: Int) {
            self.url = url
            self.size = size
            self.sha256 = sha256
            self.products = products
        }
    }

    /// Creates the index of a catalogue, whose number of products is the sum of the shards' numbers.
    public init(name: LocalizedText?, shards: [Shard]) {
        self.name = name
        self.shards = shards
        products = shards.reduce(0) { $0 + $1.products }
    }

    /// Returns the validated index: resolves the shards' URLs, checks the numbers, and leaves out repeated shards.
    ///
    /// - Parameter base: the URL of the index document, to which the shards' URLs are relative.
    func index(base: URL, limits: CatalogueLimits) throws(StoreError) -> CatalogueIndex {
        let document = "catalogue '\(base.withoutSecrets)'"
        guard shards.count <= limits.shards else {
            throw StoreError(
                .catalogueTooManyShards, ["document": document, "count": shards.count, "limit": limits.shards])
        }
        var resolved: [CatalogueIndex.Shard] = []
        var seen: Set<SHA256Digest> = []
        var (size, products) = (0, 0)
        for shard in shards {
            let url: URL
            switch DocumentURL.resolve(shard.url, against: base) {
            case .url(let resolved): url = resolved
            case .refused(let reason):
                throw StoreError(.catalogueInvalid, ["document": document, "reason": "a shard's URL \(reason)"])
            }
            guard shard.size >= 0, shard.products >= 0 else {
                throw StoreError(
                    .catalogueInvalid, ["document": document, "reason": "a shard has a negative size or count"])
            }
            guard shard.size <= limits.documentSize, shard.products <= limits.products else {
                throw StoreError(.catalogueShardTooLarge, ["document": document, "size": .bytes(shard.size)])
            }
            size += shard.size
            products += shard.products
            // A document that is named twice is read once: it has the same products each time.
            guard seen.insert(shard.sha256).inserted else { continue }
            resolved.append(
                CatalogueIndex.Shard(url: url, size: shard.size, sha256: shard.sha256, products: shard.products))
        }
        guard size <= limits.totalSize, products <= limits.products else {
            throw StoreError(
                .catalogueTotalTooLarge,
                [
                    "document": document, "count": products, "size": .bytes(size), "limit": limits.products,
                    "sizeLimit": .bytes(limits.totalSize),
                ])
        }
        return CatalogueIndex(name: name, products: products, shards: resolved)
    }
}

/// The JSON document of a shard, which lists some of the products of a catalogue of format 2.
public struct ShardEntry: Sendable, Hashable, Encodable {
    /// The format of the catalogue that the shard belongs to, always 2.
    public var format = 2
    /// The entries of the products that the shard, a part of a catalogue, lists.
    public var products: [CatalogueEntry]

    /// Creates the document of a shard, a part of a catalogue that lists some of the products.
    public init(products: [CatalogueEntry]) { self.products = products }
}
