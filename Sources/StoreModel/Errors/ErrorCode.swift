/// A stable identifier of one reason of failure, such as `archive.traversal`, with the exit status for commands.
///
/// A struct and not an enum, so that a new code does not break exhaustive switches of clients. The codes of each module
/// are declared in `Errors/Errors+MODULE.swift`. Two codes are equal if their identifiers are.
public struct ErrorCode: Sendable, Hashable, CustomStringConvertible {
    /// The identifier of the error code, such as `archive.traversal`, as it appears in JSON and in the documentation.
    public let rawValue: String
    /// The exit status of a command that fails with this error code.
    public let exitCode: ExitCode

    /// Creates an error code from its identifier and the exit status of commands that fail with it.
    ///
    /// Declare codes as static constants; nothing else in the program creates them, except from JSON.
    public init(_ rawValue: String, _ exitCode: ExitCode) {
        self.rawValue = rawValue
        self.exitCode = exitCode
    }

    public static func == (a: ErrorCode, b: ErrorCode) -> Bool { a.rawValue == b.rawValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    public var description: String { rawValue }
}
