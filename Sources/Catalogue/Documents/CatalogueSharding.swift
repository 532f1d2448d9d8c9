import StoreModel

/// The assignment of products to the shards of a catalogue, by the first bits of the SHA-256 of the identifier.
///
/// A product that is changed, added or removed changes one shard only.
public struct CatalogueSharding: Sendable, Hashable {
    /// The number of hash bits that select a shard.
    public let bits: Int

    /// Creates the sharding for a number of products: each shard lists about 256 products or fewer.
    public init(productCount: Int) {
        var bits = 0
        while productCount > 256 << bits, bits < 16 { bits += 1 }
        self.bits = bits
    }

    /// The number of shards, a power of two.
    public var count: Int { 1 << bits }

    /// Returns the index of the shard that lists a product, from 0 to one less than ``count``.
    public func shard(of productIdentifier: String) -> Int {
        let bytes = SHA256Digest(of: productIdentifier.utf8).bytes
        return (Int(bytes[0]) << 8 | Int(bytes[1])) >> (16 - bits)
    }
}
