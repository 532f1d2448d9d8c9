public import FoundationEssentials

/// Encodes and decodes JSON with sorted keys, unescaped slashes, and dates as ISO 8601 in UTC.
///
/// A date that ISO 8601 can't represent is encoded as the nearest one that it can.
///
/// Equal values have equal bytes: the hashes of published documents depend on it.
public enum JSON {
    /// Encodes a value.
    ///
    /// - Parameter pretty: whether to indent the document.
    public static func encode(_ value: some Encodable, pretty: Bool = false) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.representable.formatted(.iso8601))
        }
        return try encoder.encode(value)
    }

    /// Decodes a value from a document.
    public static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
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
