/// The limits beyond which a document is rejected; they bound the time and memory that reading takes.
public struct XMLLimits: Sendable, Hashable {
    /// The size of the document in bytes.
    public var size = 10 << 20
    /// The nesting depth of elements, including the root; at most 256, the limit of libxml2.
    public var depth = 200
    /// The number of elements.
    public var elements = 500_000
    /// The number of attributes of an element, including namespace declarations.
    ///
    /// Time grows with its square.
    public var attributes = 500
    /// The number of namespace declarations in scope at one position.
    public var namespaces = 200
    /// The length of an attribute's value or of a text, in bytes; at most 10 million, the limit of libxml2.
    public var valueLength = 8 << 20
    /// The number of different names of elements, attributes, instructions and namespaces.
    ///
    /// libxml2 stores each name, and searches many names slowly.
    public var names = 10_000
    /// The length of a name, or of a namespace's prefix or URI, in bytes.
    public var nameLength = 1000

    /// Whether a document type without declarations is accepted and ignored.
    ///
    /// Many SVG images begin with one that only names the public document type, which is never loaded.
    public var acceptsEmptyDoctype = false

    /// Creates the default limits.
    public init() {}
}
