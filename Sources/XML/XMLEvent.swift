/// A part of an XML document, as ``XMLReader`` reports it.
///
/// Events come in document order.
public enum XMLEvent: Sendable {
    /// An event for the start tag of an XML element, or an empty-element tag; ``end`` follows in both cases.
    case start(XMLElement)
    /// An event for the end of the innermost XML element that is still open.
    case end
    /// An event for the whole text between two tags or processing instructions of an XML document.
    ///
    /// `line` is where the text begins, counted from 1.
    ///
    /// CDATA sections are part of the text, and comments do not divide it. There is no event if there is no text.
    case text(String, line: Int)
    /// An event for a processing instruction of an XML document, such as `xml-stylesheet`, without its content.
    ///
    /// `line` is where the instruction ends, counted from 1.
    case instruction(target: String, line: Int)
}

/// The start tag of an XML element: its name, namespace and attributes.
public struct XMLElement: Sendable, Hashable {
    /// The local name of the XML element, without its prefix.
    public let name: String
    /// The URI of the XML element's namespace; empty if it has none.
    public let namespace: String
    /// The attributes of the XML element in document order; namespace declarations (`xmlns`) are not among them.
    public let attributes: [XMLAttribute]
    /// The line of the XML document on which the element's start tag ends, counted from 1.
    public let line: Int

    /// The value of the element's attribute with the local name `name` and no namespace; `nil` if there is none.
    public subscript(name: String) -> String? {
        attributes.first { $0.name == name && $0.namespace.isEmpty }?.value
    }

    init(_ tag: borrowing XMLTag) {
        name = tag.text(of: tag.name)
        namespace = tag.text(of: tag.namespace)
        line = tag.line
        var attributes: [XMLAttribute] = []
        attributes.reserveCapacity(tag.attributeCount)
        for index in 0..<tag.attributeCount {
            attributes.append(
                XMLAttribute(
                    name: tag.text(of: tag.attributeName(at: index)),
                    namespace: tag.text(of: tag.attributeNamespace(at: index)), value: tag.value(at: index)))
        }
        self.attributes = attributes
    }
}

/// An attribute of an XML element: its name, namespace and value.
public struct XMLAttribute: Sendable, Hashable {
    /// The local name of the XML attribute, without its prefix.
    public let name: String
    /// The URI of the XML attribute's namespace; empty if the attribute has no prefix.
    public let namespace: String
    /// The XML attribute's value, with character references and the predefined entities (such as `&amp;`) resolved.
    public let value: String
}
