/// The limits of a store's catalogue, which is untrusted input and is held in memory.
public struct CatalogueLimits: Sendable, Hashable {
    /// The maximum size of one document of a store's catalogue, in bytes.
    public var documentSize: Int
    /// The maximum size of all shards (the documents of format 2 that list products) of a catalogue together, in bytes.
    public var totalSize: Int
    /// The maximum number of products of a store's catalogue.
    public var products: Int
    /// The maximum number of shards of a store's catalogue: documents of format 2 that list some of the products.
    public var shards: Int
    /// The maximum number of JSON values in a document of a store's catalogue.
    ///
    /// Parsing takes about 25 bytes of memory for each value, however short the value is.
    public var values: Int
    /// The maximum nesting depth of JSON arrays and objects in a document of a store's catalogue.
    public var nesting: Int

    /// Creates limits of a store's catalogue, by default those of ``standard``.
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

    /// The default limits of a store's catalogue.
    public static let standard = CatalogueLimits()
}
