/// One thing in a document, in the order in which they stand there.
public enum XMLEvent: Sendable {
    case start(XMLElement)
    /// The end of the element that began last and has not ended.
    case end
    /// All text between two tags, of character data sections and around comments too.
    case text(String, line: Int)
    /// A processing instruction, such as `xml-stylesheet`.
    case instruction(target: String, line: Int)
}

/// The start of an element.
public struct XMLElement: Sendable, Hashable {
    /// Without its prefix.
    public let name: String
    /// The address that its prefix, or the default, stands for; empty where there is none.
    public let namespace: String
    /// In their order, without those that declare namespaces.
    public let attributes: [XMLAttribute]
    /// Where its start ends, counted from 1.
    public let line: Int

    /// The value of the attribute of this name that is in no namespace.
    public subscript(name: String) -> String? {
        attributes.first { $0.name == name && $0.namespace.isEmpty }?.value
    }
}

public struct XMLAttribute: Sendable, Hashable {
    /// Without its prefix.
    public let name: String
    /// The address that its prefix stands for; empty where it has none.
    public let namespace: String
    /// With references to characters replaced.
    public let value: String
}
