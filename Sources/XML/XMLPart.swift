/// A part of an XML document whose values are still bytes of the parser, as ``XMLReader/readParts(_:_:)`` reports it.
///
/// Parts come in document order and mean the same as the cases of ``XMLEvent``. A part and what belongs to it are not
/// copyable, and the bytes that they lend must not be kept beyond the call of the function that receives the part.
public enum XMLPart: ~Copyable {
    /// The start tag of an XML element, or an empty-element tag; ``end`` follows in both cases.
    case start(XMLTag)
    /// The end of the innermost XML element that is still open.
    case end
    /// The whole text between two tags or processing instructions.
    case text(XMLText)
    /// A processing instruction without its content; `line` is where it ends, counted from 1.
    case instruction(target: String, line: Int)
}

/// The name of an XML element or attribute, or the URI of a namespace, as a number.
///
/// Within one document, equal names have equal numbers, which are small and are assigned without gaps.
public struct XMLName: Sendable, Hashable {
    /// The name's number, counted from 0, which is the empty name.
    public let number: Int

    /// The empty name, which stands for a missing namespace.
    public static let empty = XMLName(number: 0)
}

/// The start tag of an XML element, whose attributes are still bytes of the parser.
public struct XMLTag: ~Copyable {
    /// The local name of the XML element, without its prefix.
    public let name: XMLName
    /// The URI of the XML element's namespace; empty if it has none.
    public let namespace: XMLName
    /// The line of the XML document on which the tag ends, counted from 1.
    public let line: Int
    @usableFromInline let attributes: UnsafeBufferPointer<Attribute>
    /// The texts of all names of the document so far, by their numbers.
    @usableFromInline let names: UnsafeBufferPointer<String>

    /// An attribute of an XML tag: its local name, the URI of its namespace, and the bytes of its value.
    @usableFromInline struct Attribute {
        @usableFromInline let name: XMLName
        @usableFromInline let namespace: XMLName
        @usableFromInline let value: UnsafeBufferPointer<UInt8>
    }

    // Inlinable, as they are called for each attribute of thousands of tags.

    /// Returns the text of a name of the XML tag or one of its attributes.
    @inlinable public func text(of name: XMLName) -> String { names[name.number] }

    /// The number of the tag's attributes, which are in document order, without namespace declarations (`xmlns`).
    @inlinable public var attributeCount: Int { attributes.count }

    /// Returns the local name of the attribute at an index, without its prefix.
    @inlinable public func attributeName(at index: Int) -> XMLName { attributes[index].name }

    /// Returns the URI of the namespace of the attribute at an index; empty if the attribute has no prefix.
    @inlinable public func attributeNamespace(at index: Int) -> XMLName { attributes[index].namespace }

    /// Returns the value of the attribute at an index, with references resolved.
    public func value(at index: Int) -> String { String(decoding: attributes[index].value, as: UTF8.self) }

    /// Calls a function with the UTF-8 bytes of the value of the attribute at an index.
    @inlinable public func withValue<Result>(at index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(attributes[index].value)
    }
}

/// The text between two tags of an XML document, still as UTF-8 bytes of the parser.
public struct XMLText: ~Copyable {
    let bytes: UnsafeBufferPointer<UInt8>
    /// The line of the XML document on which the text begins, counted from 1.
    public let line: Int

    /// The text as a string.
    public var string: String { String(decoding: bytes, as: UTF8.self) }
}
