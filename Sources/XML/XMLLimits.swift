/// The limits of what an XML reader accepts in a document: sizes, numbers, and whether it may have a document type.
///
/// A document that exceeds one of them is rejected with `xml.too-large`. They bound the time and memory that reading
/// takes.
public struct XMLLimits: Sendable, Hashable {
    /// The maximum size of an XML document in bytes.
    public var size = 10 << 20
    /// The maximum nesting depth of XML elements, counting the root as 1; at most 256, the limit of libxml2.
    public var depth = 200
    /// The maximum number of elements in an XML document.
    public var elements = 500_000
    /// The maximum number of attributes of one XML element, including its namespace declarations.
    ///
    /// The time that libxml2 takes for an element grows with the square of this number.
    public var attributes = 500
    /// The maximum number of namespace declarations in force at one position of an XML document.
    ///
    /// They are those of all elements that are open there.
    public var namespaces = 200
    /// The maximum length in bytes of an XML attribute's value, or of a text between two tags.
    ///
    /// At most 10 million, the limit of libxml2.
    public var valueLength = 8 << 20
    /// The maximum number of different names in an XML document.
    ///
    /// Names are those of elements, attributes and instructions, and the prefixes and URIs of namespaces.
    ///
    /// libxml2 stores each name once, and becomes slow at finding one among many.
    public var names = 10_000
    /// The maximum length in bytes of a name in an XML document, or of a namespace's prefix or URI.
    public var nameLength = 1000

    /// Whether an XML document type without declarations is ignored instead of rejected with `xml.doctype`.
    ///
    /// Many SVG images begin with a document type that only names a public one. The file that it names is never loaded.
    public var acceptsEmptyDoctype = false

    /// Creates the default limits of what an XML reader accepts; with them every document type is rejected.
    public init() {}
}
