public import FoundationEssentials
public import StoreModel

/// The index of a catalogue in format 2: its shards, which list the products, with their sizes and hashes.
public struct CatalogueIndex: Sendable, Hashable {
    /// The store's name for display; `nil` where the index has none.
    public var name: LocalizedText?
    /// The number of products of all shards together, as the index declares it.
    public var products: Int
    /// The shards in the order of the index.
    public var shards: [Shard]

    /// A reference to a shard: a document with some of the catalogue's products.
    public struct Shard: Sendable, Hashable {
        /// The absolute URL of the shard.
        public var url: URL
        /// The size of the shard in bytes.
        public var size: Int
        /// The hash of the shard.
        public var sha256: SHA256Digest
        /// The number of products in the shard.
        public var products: Int
    }
}

/// The JSON form of ``CatalogueIndex``, before validation; URLs may be relative.
public struct IndexEntry: Sendable, Hashable, Codable {
    /// The format of the catalogue, always 2.
    public var format = 2
    /// The store's name for display; `nil` where there is none.
    public var name: LocalizedText?
    /// The number of products of all shards together.
    public var products: Int
    /// The references to the shards.
    public var shards: [Shard]

    /// The JSON form of a reference to a shard.
    public struct Shard: Sendable, Hashable, Codable {
        /// The shard's URL, relative to the index or absolute.
        public var url: String
        /// The size of the shard in bytes.
        public var size: Int
        /// The hash of the shard.
        public var sha256: SHA256Digest
        /// The number of products in the shard.
        public var products: Int

        /// Creates a reference to a shard.
        public init(url: String, size: Int, sha256: SHA256Digest, products: Int) {
            self.url = url
            self.size = size
            self.sha256 = sha256
            self.products = products
        }
    }

    /// Creates an index whose number of products is the sum of the shards' numbers.
    public init(name: LocalizedText?, shards: [Shard]) {
        self.name = name
        self.shards = shards
        products = shards.reduce(0) { $0 + $1.products }
    }

    /// Resolves the URLs and checks the numbers against the limits.
    ///
    /// - Parameter base: the URL of the document, to which URLs are relative.
    func index(base: URL, limits: CatalogueLimits) throws(StoreError) -> CatalogueIndex {
        let document = "catalogue '\(base.withoutSecrets)'"
        guard shards.count <= limits.shards else {
            throw StoreError(
                .catalogueTooManyShards, ["document": document, "count": shards.count, "limit": limits.shards])
        }
        var resolved: [CatalogueIndex.Shard] = []
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

/// The JSON form of a shard: some of the products of a catalogue.
public struct ShardEntry: Sendable, Hashable, Encodable {
    /// The format of the catalogue, always 2.
    public var format = 2
    /// The products that the shard lists.
    public var products: [CatalogueEntry]

    /// Creates a shard that lists products.
    public init(products: [CatalogueEntry]) { self.products = products }
}
