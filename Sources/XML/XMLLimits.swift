/// The maximum sizes and numbers that ``XMLReader`` accepts in a document, and whether it accepts a document type.
///
/// A document that exceeds one of them is rejected with `xml.too-large`. They bound the time and memory that reading
/// takes.
public struct XMLLimits: Sendable, Hashable {
    /// The maximum size of the document in bytes.
    public var size = 10 << 20
    /// The maximum nesting depth of elements, counting the root as 1; at most 256, the limit of libxml2.
    public var depth = 200
    /// The maximum number of elements in the document.
    public var elements = 500_000
    /// The maximum number of attributes of one element, including its namespace declarations.
    ///
    /// The time that libxml2 takes for an element grows with the square of this number.
    public var attributes = 500
    /// The maximum number of namespace declarations of all elements that are open at one position.
    public var namespaces = 200
    /// The maximum length in bytes of an attribute's value, or of a text between two tags; at most 10 million, the
    /// limit of libxml2.
    public var valueLength = 8 << 20
    /// The maximum number of different names in the document: of elements, attributes and instructions, and prefixes
    /// and URIs of namespaces.
    ///
    /// libxml2 stores each name once, and becomes slow at finding one among many.
    public var names = 10_000
    /// The maximum length in bytes of a name, or of a namespace's prefix or URI.
    public var nameLength = 1000

    /// Whether a document type without declarations is ignored instead of rejected with `xml.doctype`.
    ///
    /// Many SVG images begin with a document type that only names a public one. The file that it names is never loaded.
    public var acceptsEmptyDoctype = false

    /// Creates the default limits, with which every document type is rejected.
    public init() {}
}
