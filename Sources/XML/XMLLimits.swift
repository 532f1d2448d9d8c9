/// What a document from a stranger may have at most. Time and memory that reading takes follow from these.
public struct XMLLimits: Sendable, Hashable {
    /// Of the whole document, in bytes.
    public var size = 10 << 20
    /// Elements in elements, the root counted; at most 256, where libxml2 itself ends.
    public var depth = 200
    public var elements = 500_000
    /// Of one element, namespace declarations counted. Time grows with its square.
    public var attributes = 500
    /// Namespace declarations that hold at one place.
    public var namespaces = 200
    /// Of an attribute's value and of text between two tags, in bytes; at most 10 million, where libxml2 itself ends.
    public var valueLength = 8 << 20
    /// Different ones, of elements, attributes, instructions and namespaces. libxml2 keeps each, and finds one among many
    /// slowly.
    public var names = 10_000
    /// Of a name, in bytes.
    public var nameLength = 1000

    /// Whether a document type that declares nothing of its own is taken, and ignored: many drawings begin with one
    /// that only names the public document type. What it names is never fetched in any case.
    public var takesEmptyDoctype = false

    public init() {}
}
