/// The error for a JSON value that does not match its schema, with the first reason that was found.
public struct SchemaViolation: Error, Equatable, CustomStringConvertible {
    /// The path of the invalid member in the JSON value, such as `consent.0`; empty if the whole value is invalid.
    public let path: String
    /// The reason as the predicate of a sentence about the invalid member, such as `must be a string, not 1`.
    public let reason: String

    /// The path and the reason as a clause without a final period, such as `'consent.0' must be a string, not 1`.
    public var description: String { (path.isEmpty ? "the value" : "'\(path)'") + " " + reason }
}
