public import FoundationEssentials

/// Encodes and decodes JSON with sorted keys, unescaped slashes, and dates as ISO 8601 in UTC.
///
/// Equal values have equal bytes: the hashes of published documents depend on it. Every document has one
/// interpretation: one in which a member of an object occurs twice is refused.
public enum JSON {
    /// Encodes a value.
    ///
    /// - Parameter pretty: whether to indent the document.
    public static func encode(_ value: some Encodable, pretty: Bool = false) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(value)
    }

    /// Decodes a value from a document.
    ///
    /// - Throws: `DecodingError`, an error of the value's own, or ``JSONReader/Malformed`` where a member occurs twice.
    public static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            // Foundation's decoder uses the first of several members of the same name.
            try JSONReader.check(data)
        } catch  where error.repeatedMember == nil {
            // Foundation's error names the line and the column.
            _ = try decoder.decode(type, from: data)
            throw error
        }
        return try decoder.decode(type, from: data)
    }
}

/// An optional member that is encoded as `null` if it has no value, instead of being omitted.
@propertyWrapper
public struct OrNull<Value: Sendable>: Sendable {
    /// The value of the member.
    public var wrappedValue: Value?
    /// Creates a member with a value; `nil` is encoded as `null`.
    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }
}

extension OrNull: Equatable where Value: Equatable {}
extension OrNull: Hashable where Value: Hashable {}

extension OrNull: Encodable where Value: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension OrNull: Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }
}

extension KeyedDecodingContainer {
    /// Decodes a member that is `null` or missing as `nil`.
    public func decode<Value: Decodable>(_ type: OrNull<Value>.Type, forKey key: Key) throws -> OrNull<Value> {
        try decodeIfPresent(type, forKey: key) ?? OrNull(wrappedValue: nil)
    }
}
