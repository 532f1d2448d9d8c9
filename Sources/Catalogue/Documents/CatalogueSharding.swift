import StoreModel

/// The assignment of a catalogue's products to shards, the documents that list some of the products each.
///
/// The first bits of the SHA-256 of the product identifier select the shard, so that a product that is changed, added
/// or removed changes one shard only.
public struct CatalogueSharding: Sendable, Hashable {
    /// The number of bits of the product identifier's hash that select the product's shard, from 0 to 16.
    public let bits: Int

    /// Chooses the number of shards for a catalogue: each lists about 256 products or fewer.
    ///
    /// There are at most 65,536 shards.
    public init(productCount: Int) {
        var bits = 0
        while productCount > 256 << bits, bits < 16 { bits += 1 }
        self.bits = bits
    }

    /// The number of shards (documents that list some of the catalogue's products), a power of two.
    public var count: Int { 1 << bits }

    /// Returns the index of the shard that lists a product, from 0 to one less than ``count``.
    public func shard(of productIdentifier: String) -> Int {
        let bytes = SHA256Digest(of: productIdentifier.utf8).bytes
        return (Int(bytes[0]) << 8 | Int(bytes[1])) >> (16 - bits)
    }
}
