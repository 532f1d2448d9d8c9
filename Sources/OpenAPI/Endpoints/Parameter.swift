import StoreModel

/// The description of one parameter of a request: a path segment, a query parameter or a header.
public struct Parameter: Sendable {
    /// Where a request carries the parameter; the raw value is OpenAPI's `in`.
    public enum Location: String, Sendable { case path, query, header }

    /// The name in the path pattern, the query or the header.
    public let name: String
    /// Where a request carries the parameter.
    public let location: Location
    /// The schema of the value; integers and booleans are parsed from text first.
    public let schema: Schema
    /// One sentence about the parameter.
    public let summary: String

    /// Describes a query parameter.
    public static func query(_ name: String, _ schema: Schema, _ summary: String) -> Parameter {
        Parameter(name: name, location: .query, schema: schema, summary: summary)
    }

    /// Describes a segment of the path.
    public static func path(_ name: String, _ schema: Schema, _ summary: String) -> Parameter {
        Parameter(name: name, location: .path, schema: schema, summary: summary)
    }

    /// Describes a header.
    public static func header(_ name: String, _ schema: Schema, _ summary: String) -> Parameter {
        Parameter(name: name, location: .header, schema: schema, summary: summary)
    }

    /// Checks that the text of a parameter matches its schema.
    public func validate(_ text: String) throws(ParameterViolation) {
        let value: JSONValue =
            switch schema.shape {
            case .integer: Int(text).map(JSONValue.integer) ?? .string(text)
            case .boolean: Bool(text).map(JSONValue.bool) ?? .string(text)
            default: .string(text)
            }
        do {
            try schema.validate(value)
        } catch {
            throw ParameterViolation(name: name, reason: error.reason)
        }
    }
}

/// The reason why a request's parameter is invalid.
public struct ParameterViolation: Error, Equatable, CustomStringConvertible {
    /// The name of the parameter.
    public let name: String
    /// The predicate of a sentence about the parameter, such as `must be an integer, not 'x'`.
    public let reason: String

    /// A clause without a final period, such as `parameter 'limit' must be an integer, not 'x'`.
    public var description: String { "parameter '\(name)' \(reason)" }
}
