import FoundationEssentials

/// Any JSON value, for members that are preserved without being interpreted, and for validation.
public enum JSONValue: Sendable, Hashable, Codable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // The most frequent types first, because a failed attempt costs a thrown error.
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if (try? decoder.container(keyedBy: NoMember.self)) != nil {
            self = .object(try container.decode([String: JSONValue].self))
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([JSONValue].self))
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            // Foundation's error does not say where.
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a number that is too large")
        }
    }

    /// The members of an object of which none is read, to find out whether a value is an object.
    private enum NoMember: CodingKey {}

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .integer(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    /// The value as JSON text, for error messages.
    public var asWritten: String {
        (try? JSON.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "\(self)"
    }
}
