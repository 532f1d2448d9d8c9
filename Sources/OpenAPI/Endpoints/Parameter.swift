import StoreModel

/// The description of one parameter of a request: a path segment, a query parameter or a header.
public struct Parameter: Sendable {
    /// The part of a request that contains the parameter; the raw value is that of OpenAPI's `in`.
    public enum Location: String, Sendable { case path, query, header }

    /// The name of the parameter in the path pattern, the query or the header.
    public let name: String
    /// The part of a request that contains the parameter.
    public let location: Location
    /// The schema of the value; for a schema of integers or Booleans the text is parsed first.
    public let schema: Schema
    /// A sentence that describes the parameter.
    public let summary: String

    /// Creates the description of a query parameter.
    public static func query(_ name: String, _ schema: Schema, _ summary: String) -> Parameter {
        Parameter(name: name, location: .query, schema: schema, summary: summary)
    }

    /// Creates the description of a segment of the path.
    public static func path(_ name: String, _ schema: Schema, _ summary: String) -> Parameter {
        Parameter(name: name, location: .path, schema: schema, summary: summary)
    }

    /// Creates the description of a header.
    public static func header(_ name: String, _ schema: Schema, _ summary: String) -> Parameter {
        Parameter(name: name, location: .header, schema: schema, summary: summary)
    }

    /// Checks that the text of a parameter matches its schema.
    ///
    /// - Throws: the reason why it does not.
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
    /// The name of the invalid parameter.
    public let name: String
    /// The predicate of a sentence about the parameter, such as `must be an integer, not 'x'`.
    public let reason: String

    /// The reason as a clause without a final period, such as `parameter 'limit' must be an integer, not 'x'`.
    public var description: String { "parameter '\(name)' \(reason)" }
}
