/// A part of an XML document, as ``XMLReader`` reports it.
///
/// Events come in document order.
public enum XMLEvent: Sendable {
    /// The start tag of an element, or an empty-element tag; ``end`` follows in both cases.
    case start(XMLElement)
    /// The end of the innermost element that is still open.
    case end
    /// The whole text between two tags or processing instructions, and the line on which it begins, counted from 1.
    ///
    /// CDATA sections are part of the text, and comments do not divide it. There is no event if there is no text.
    case text(String, line: Int)
    /// A processing instruction, such as `xml-stylesheet`, without its content.
    ///
    /// `line` is where the instruction ends, counted from 1.
    case instruction(target: String, line: Int)
}

/// The start tag of an element: its name, namespace and attributes.
public struct XMLElement: Sendable, Hashable {
    /// The local name of the element, without its prefix.
    public let name: String
    /// The URI of the element's namespace; empty if it has none.
    public let namespace: String
    /// The attributes in document order; namespace declarations (`xmlns`) are not among them.
    public let attributes: [XMLAttribute]
    /// The line on which the start tag ends, counted from 1.
    public let line: Int

    /// Returns the value of the attribute with the local name `name` and no namespace; `nil` if there is none.
    public subscript(name: String) -> String? {
        attributes.first { $0.name == name && $0.namespace.isEmpty }?.value
    }
}

/// An attribute of an XML element.
public struct XMLAttribute: Sendable, Hashable {
    /// The local name of the attribute, without its prefix.
    public let name: String
    /// The URI of the attribute's namespace; empty if it has no prefix.
    public let namespace: String
    /// The value, with character references and XML's five predefined entities (such as `&amp;`) resolved.
    public let value: String
}
