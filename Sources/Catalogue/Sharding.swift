import StoreModel

/// Which shard of a catalogue lists which product: told by the first bits of the SHA-256 of the product's identifier,
/// so that a product that changes, comes or goes changes one shard only.
public struct Sharding: Sendable, Hashable {
    /// The number of shards is a power of two.
    public let bits: Int

    /// - Parameter productCount: the number of shards grows with it, so that each lists about 256 or fewer.
    public init(productCount: Int) {
        var bits = 0
        while productCount > 256 << bits, bits < 16 { bits += 1 }
        self.bits = bits
    }

    public var count: Int { 1 << bits }

    /// From 0 to one less than ``count``.
    public func shard(of productIdentifier: String) -> Int {
        let bytes = SHA256Digest(of: productIdentifier.utf8).bytes
        return (Int(bytes[0]) << 8 | Int(bytes[1])) >> (16 - bits)
    }
}
