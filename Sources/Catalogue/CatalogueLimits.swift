/// How large a catalogue may be before it is refused: it comes from a stranger, and is held in memory.
public struct CatalogueLimits: Sendable, Hashable {
    /// Bytes of one document.
    public var documentSize: Int
    /// Bytes of all shards of one catalogue together.
    public var totalSize: Int
    /// Products of one catalogue.
    public var products: Int
    /// Shards of one catalogue.
    public var shards: Int
    /// Values in one document, of any type: parsing takes some 25 bytes for each, however short it is written.
    public var values: Int
    /// Arrays and objects inside one another.
    public var nesting: Int

    public init(
        documentSize: Int = 64 << 20, totalSize: Int = 512 << 20, products: Int = 200_000, shards: Int = 16_384,
        values: Int = 6_000_000, nesting: Int = 32
    ) {
        self.documentSize = documentSize
        self.totalSize = totalSize
        self.products = products
        self.shards = shards
        self.values = values
        self.nesting = nesting
    }

    public static let standard = CatalogueLimits()
}
