/// The first reason why a value does not match its schema.
public struct SchemaViolation: Error, Equatable, CustomStringConvertible {
    /// The path of the invalid member, such as `consent.0`; empty if the whole value is invalid.
    public let path: String
    /// The reason as the predicate of a sentence about the member, such as `must be a string, not 1`.
    public let reason: String

    /// Path and reason as a clause without a final period, such as `'consent.0' must be a string, not 1`.
    public var description: String { (path.isEmpty ? "the value" : "'\(path)'") + " " + reason }
}
