/// The limits of a catalogue, which is untrusted input and is held in memory.
public struct CatalogueLimits: Sendable, Hashable {
    /// The maximum size of one document in bytes.
    public var documentSize: Int
    /// The maximum size of all shards (the documents of format 2 that list products) of a catalogue together, in bytes.
    public var totalSize: Int
    /// The maximum number of products of a catalogue.
    public var products: Int
    /// The maximum number of shards of a catalogue.
    public var shards: Int
    /// The maximum number of JSON values in a document.
    ///
    /// Parsing takes about 25 bytes of memory for each value, however short the value is.
    public var values: Int
    /// The maximum nesting depth of arrays and objects.
    public var nesting: Int

    /// Creates limits of a catalogue.
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

    /// The default limits of a catalogue.
    public static let standard = CatalogueLimits()
}
