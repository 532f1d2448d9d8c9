/// A part of a document; events come in document order.
public enum XMLEvent: Sendable {
    /// The start of an element.
    case start(XMLElement)
    /// The end of the innermost open element.
    case end
    /// The whole text between two tags, including CDATA sections and text around comments.
    case text(String, line: Int)
    /// A processing instruction, such as `xml-stylesheet`.
    case instruction(target: String, line: Int)
}

/// The start of an element.
public struct XMLElement: Sendable, Hashable {
    /// The local name, without prefix.
    public let name: String
    /// The URI of the namespace; empty if there is none.
    public let namespace: String
    /// The attributes in document order, without namespace declarations.
    public let attributes: [XMLAttribute]
    /// The line of the end of the start tag, counted from 1.
    public let line: Int

    /// The value of the attribute with a name and without a namespace, or `nil`.
    public subscript(name: String) -> String? {
        attributes.first { $0.name == name && $0.namespace.isEmpty }?.value
    }
}

/// An attribute of an element.
public struct XMLAttribute: Sendable, Hashable {
    /// The local name, without prefix.
    public let name: String
    /// The URI of the namespace; empty if there is none.
    public let namespace: String
    /// The value, with character references resolved.
    public let value: String
}
