public import FoundationEssentials

/// Functions that encode and decode JSON with sorted keys, unescaped slashes, and dates as ISO 8601 in UTC.
///
/// A date that ISO 8601 can't represent is encoded as the nearest one that it can.
///
/// Equal values have equal bytes: the hashes of published documents depend on it. Every document has one
/// interpretation: one in which a member of an object occurs twice is refused.
public enum JSON {
    /// Encodes a value as a JSON document with sorted keys.
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

    /// Decodes a value from a JSON document whose dates are ISO 8601, of the years 1601 to 9999.
    ///
    /// - Parameter userInfo: values for the initializers of the types that are decoded.
    /// - Throws: `DecodingError`, an error of the value's own, or ``JSONReader/Malformed`` if a member occurs twice.
    public static func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from data: Data, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = ISO8601.date(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "not a date in ISO 8601, of the years 1601 to 9999")
            }
            return date
        }
        decoder.userInfo = userInfo
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

/// A property wrapper for an optional member that is encoded in JSON as `null`, not omitted, if it has no value.
@propertyWrapper
public struct OrNull<Value: Sendable>: Sendable {
    /// The value of the wrapped optional member; `nil` is encoded as `null` in JSON.
    public var wrappedValue: Value?
    /// Creates the wrapper of an optional member with its value; `nil` is encoded as `null` in JSON.
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
    /// Decodes the value of an ``OrNull`` member; a member that is `null` or missing in the JSON object becomes `nil`.
    public func decode<Value: Decodable>(_ type: OrNull<Value>.Type, forKey key: Key) throws -> OrNull<Value> {
        try decodeIfPresent(type, forKey: key) ?? OrNull(wrappedValue: nil)
    }
}
