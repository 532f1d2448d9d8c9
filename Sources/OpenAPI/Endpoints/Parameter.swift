public import StoreModel

/// The description of one parameter of a request: a path segment, a query parameter or a header.
public struct Parameter: Sendable {
    /// The part of a request that contains the parameter; the raw value is that of OpenAPI's `in`.
    public enum Location: String, Sendable { case path, query, header }

    /// The name of the request's parameter in the path pattern, the query or the header.
    public let name: String
    /// The part of a request that contains the parameter: path, query or header.
    public let location: Location
    /// The schema of the parameter's value; for a schema of integers or Booleans the text is parsed first.
    public let schema: Schema
    /// A sentence that describes the request's parameter, for the OpenAPI document.
    public let summary: String
    /// A valid value of the request's parameter, for the OpenAPI document; required parameters have one.
    public let example: JSONValue?
    /// Whether a request without the parameter is invalid; always `true` for parameters of paths.
    public let isRequired: Bool

    /// Creates the description of a query parameter that a request may omit.
    public static func query(_ name: String, _ schema: Schema, _ summary: String) -> Parameter {
        Parameter(name: name, location: .query, schema: schema, summary: summary, example: nil, isRequired: false)
    }

    /// Creates the description of a query parameter without which a request is invalid.
    ///
    /// - Parameter example: a valid value, for the OpenAPI document.
    public static func requiredQuery(
        _ name: String, _ schema: Schema, _ summary: String, example: JSONValue
    ) -> Parameter {
        Parameter(name: name, location: .query, schema: schema, summary: summary, example: example, isRequired: true)
    }

    /// Creates the description of a request's parameter that is a segment of the path.
    public static func path(
        _ name: String, _ schema: Schema, _ summary: String, example: JSONValue? = nil
    ) -> Parameter {
        Parameter(name: name, location: .path, schema: schema, summary: summary, example: example, isRequired: true)
    }

    /// Creates the description of a request's parameter that is a header.
    public static func header(_ name: String, _ schema: Schema, _ summary: String) -> Parameter {
        Parameter(name: name, location: .header, schema: schema, summary: summary, example: nil, isRequired: false)
    }

    /// Checks that the text of a request's parameter matches the parameter's schema.
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

/// The error for an invalid parameter of a request, with its name and the reason.
public struct ParameterViolation: Error, Equatable, CustomStringConvertible {
    /// The name of the request's invalid parameter.
    public let name: String
    /// The predicate of a sentence about the invalid parameter, such as `must be an integer, not 'x'`.
    public let reason: String

    /// The error as a clause without a final period, such as `parameter 'limit' must be an integer, not 'x'`.
    public var description: String { "parameter '\(name)' \(reason)" }
}
