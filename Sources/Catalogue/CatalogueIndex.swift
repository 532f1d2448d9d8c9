public import FoundationEssentials
public import StoreModel

/// The index of a catalogue in format 2: which shards it is made of, and what each of them must be.
public struct CatalogueIndex: Sendable, Hashable {
    /// Of the store, where it says.
    public var name: LocalizedText?
    /// How many products all shards list together, as the index says.
    public var products: Int
    public var shards: [Shard]

    public struct Shard: Sendable, Hashable {
        /// Absolute.
        public var url: URL
        /// In bytes.
        public var size: Int
        public var sha256: SHA256Digest
        public var products: Int
    }
}

/// The index as it is written, with addresses as they stand.
public struct IndexEntry: Sendable, Hashable, Codable {
    public var format = 2
    public var name: LocalizedText?
    public var products: Int
    public var shards: [Shard]

    public struct Shard: Sendable, Hashable, Codable {
        public var url: String
        public var size: Int
        public var sha256: SHA256Digest
        public var products: Int

        public init(url: String, size: Int, sha256: SHA256Digest, products: Int) {
            self.url = url
            self.size = size
            self.sha256 = sha256
            self.products = products
        }
    }

    public init(name: LocalizedText?, shards: [Shard]) {
        self.name = name
        self.shards = shards
        products = shards.reduce(0) { $0 + $1.products }
    }

    /// Makes the addresses absolute and holds the numbers to the limits.
    func index(base: URL, limits: CatalogueLimits) throws(CatalogueError) -> CatalogueIndex {
        let what = "The catalogue at \(base.absoluteString)"
        guard shards.count <= limits.shards else {
            throw CatalogueError(
                .catalogueTooLarge, "\(what) has \(shards.count) shards; at most \(limits.shards) are taken.")
        }
        var resolved: [CatalogueIndex.Shard] = []
        var (size, products) = (0, 0)
        for shard in shards {
            let url: URL
            switch DocumentAddress.resolve(shard.url, against: base) {
            case .url(let address): url = address
            case .refused(let reason):
                throw CatalogueError(
                    .catalogueMalformed, "\(what): a shard's address \(reason). Ask the store's publisher.")
            }
            guard shard.size >= 0, shard.products >= 0 else {
                throw CatalogueError(.catalogueMalformed, "\(what) gives a shard a negative size or count.")
            }
            guard shard.size <= limits.documentSize, shard.products <= limits.products else {
                throw CatalogueError(.catalogueTooLarge, "\(what) has a shard of \(shard.size) bytes, too many.")
            }
            size += shard.size
            products += shard.products
            resolved.append(
                CatalogueIndex.Shard(url: url, size: shard.size, sha256: shard.sha256, products: shard.products))
        }
        guard size <= limits.totalSize, products <= limits.products else {
            throw CatalogueError(
                .catalogueTooLarge,
                "\(what) has \(products) products in \(size) bytes; at most \(limits.products) in"
                    + " \(limits.totalSize) are taken.")
        }
        return CatalogueIndex(name: name, products: products, shards: resolved)
    }
}

/// A shard as it is written: some of the products of a catalogue.
public struct ShardEntry: Sendable, Hashable, Encodable {
    public var format = 2
    public var products: [CatalogueEntry]

    public init(products: [CatalogueEntry]) { self.products = products }
}
