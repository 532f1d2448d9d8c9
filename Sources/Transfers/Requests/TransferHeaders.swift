/// The HTTP header fields of a request or a response, in their order.
///
/// Names are compared without regard to case (RFC 9110, 5.1); a field may occur several times.
public struct TransferHeaders: Sendable, Hashable, Sequence, ExpressibleByDictionaryLiteral {
    /// An HTTP header field: a name and one value.
    public struct Field: Sendable, Hashable {
        /// The name of the HTTP header field as it was written.
        public let name: String
        /// The value of the HTTP header field.
        public let value: String
    }

    private var fields: [Field] = []

    /// Creates an empty list of HTTP header fields.
    public init() {}

    /// Creates a list of HTTP header fields, in the order of the literal.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// Appends an HTTP header field, also where one of the same name exists.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// The value of the first HTTP header field with this name; `nil` where there is none.
    ///
    /// Setting removes all fields of the name and appends the new one; setting `nil` only removes.
    public subscript(name: String) -> String? {
        get { fields.first { TransferHeaders.same($0.name, name) }?.value }
        set {
            fields.removeAll { TransferHeaders.same($0.name, name) }
            if let newValue { add(name, newValue) }
        }
    }

    /// Returns an iterator over the HTTP header fields in their order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

    private static func same(_ a: String, _ b: String) -> Bool {
        a.utf8.elementsEqual(b.utf8) { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 32 : byte }

    /// Returns whether a text is valid as an HTTP field name or method (RFC 9110, 5.6.2).
    static func isToken(_ text: String) -> Bool {
        let marks = Set("!#$%&'*+-.^_`|~".utf8)
        return !text.isEmpty
            && text.utf8.allSatisfy {
                (48...57).contains($0) || (97...122).contains(lower($0)) || marks.contains($0)
            }
    }

    /// Returns whether a text is valid as the value of an HTTP header field: it has no control characters except tabs.
    static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { ($0 >= 32 && $0 != 127) || $0 == 9 }
    }
}
