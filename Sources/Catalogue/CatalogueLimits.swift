/// The limits of a store's catalogue, which is untrusted input and is held in memory.
public struct CatalogueLimits: Sendable, Hashable {
    /// The maximum size of one document of a store's catalogue, in bytes.
    public var documentSize: Int
    /// The maximum size of all shards (the documents of format 2 that list products) of a catalogue together, in bytes.
    public var totalSize: Int
    /// The maximum number of products of a store's catalogue.
    public var products: Int
    /// The maximum memory that the products of a catalogue take in their compact form (``ProductRecord``), in bytes.
    public var memory: Int
    /// The maximum size of a product's details document in bytes.
    public var detailsSize: Int
    /// The maximum number of shards of a store's catalogue: documents of format 2 that list some of the products.
    public var shards: Int
    /// The maximum number of JSON values in a document of a store's catalogue.
    ///
    /// Parsing takes about 25 bytes of memory for each value, however short the value is.
    public var values: Int
    /// The maximum nesting depth of JSON arrays and objects in a document of a store's catalogue.
    public var nesting: Int

    /// Creates limits of a store's catalogue, by default those of ``standard``.
    ///
    /// - Parameter values: `nil` is one in 16 bytes of `documentSize`, but at least 1,000,000.
    public init(
        documentSize: Int = 16 << 20, totalSize: Int = 256 << 20, products: Int = 200_000, memory: Int = 64 << 20,
        detailsSize: Int = 1 << 20, shards: Int = 16_384, values: Int? = nil, nesting: Int = 32
    ) {
        self.documentSize = documentSize
        self.totalSize = totalSize
        self.products = products
        self.memory = memory
        self.detailsSize = detailsSize
        self.shards = shards
        // Ordinary documents have about one value in 20 bytes.
        self.values = values ?? max(1_000_000, documentSize / 16)
        self.nesting = nesting
    }

    /// The default limits of a store's catalogue.
    public static let standard = CatalogueLimits()

    // The limits of single members. Nobody needs to change them: no description of a product comes near.

    /// The maximum number of elements of a list in a product or a details document, such as its mirrors.
    public static let listLength = 1_000
    /// The maximum number of languages of a text.
    public static let languages = 200
    /// The maximum length of a text in a catalogue, in bytes; a longer one is treated like one of a wrong type.
    static let textLength = 16 << 10
    /// The maximum length of a version, a price, a kind and a permission, in bytes.
    public static let wordLength = 256
    /// The maximum length of the text that a search examines for each product, in bytes.
    static let searchTextLength = 4 << 10
}
