/// The exit codes of the command line, which are also the kinds of failure that a caller can tell apart.
public enum ExitCode: Int32, Sendable, Codable, CaseIterable {
    case done = 0
    /// Something failed that has no code of its own.
    case failed = 1
    case usage = 2
    /// No such product, pack or store.
    case notFound = 3
    /// The network or the server failed, after all retries.
    case network = 4
    /// A hash, a signature, an archive or a document is not as it must be.
    case refused = 5
    /// No space, or over a set limit.
    case space = 6
    /// In use, needed by another, already running otherwise.
    case conflict = 7
    /// The daemon can't be reached or started.
    case daemon = 8
    /// It must be bought first.
    case notEntitled = 9
    /// Of several named in one call, some failed.
    case partial = 10
    /// `update --check`: there are updates.
    case updatesAvailable = 11
    case interrupted = 130
}

/// A stable word for one reason of failure, such as `archive.traversal`, and the exit code that goes with it.
///
/// A struct, so that a module can add words without breaking those who switch over them. Each module
/// declares its own in an extension; two codes are the same when their words are.
public struct ErrorCode: Sendable, Hashable, CustomStringConvertible {
    public let word: String
    public let exitCode: ExitCode

    public init(_ word: String, _ exitCode: ExitCode) {
        self.word = word
        self.exitCode = exitCode
    }

    public static func == (a: ErrorCode, b: ErrorCode) -> Bool { a.word == b.word }
    public func hash(into hasher: inout Hasher) { hasher.combine(word) }
    public var description: String { word }
}

extension ErrorCode {
    /// Something failed in a way that nobody foresaw: a defect of the program, or of the machine.
    public static let unexpected = ErrorCode("internal.unexpected", .failed)
    /// It was stopped by order from outside.
    public static let cancelled = ErrorCode("operation.cancelled", .failed)
}

/// An error that people can act on: a stable code, and one or two lines that say what failed, on what, why, and
/// what to do next. Every module's public error type conforms.
public protocol CodedError: Error, Sendable, CustomStringConvertible {
    var code: ErrorCode { get }
    var message: String { get }
    /// What has to be consented to before the same call can succeed; empty for all other errors.
    var permissions: [Permission] { get }
}

extension CodedError {
    public var permissions: [Permission] { [] }
    public var description: String { "\(code.word): \(message)" }
}

/// An error as it is kept in the history and sent over the wire.
public struct ErrorReport: CodedError, Codable, Hashable {
    public let code: ErrorCode
    public let message: String
    public let permissions: [Permission]

    public init(code: ErrorCode, message: String, permissions: [Permission] = []) {
        self.code = code
        self.message = message
        self.permissions = permissions
    }

    /// Any error as a report; one that carries no code becomes `internal.unexpected`.
    public init(_ error: any Error) {
        switch error {
        case let report as ErrorReport: self = report
        case let coded as any CodedError:
            self.init(code: coded.code, message: coded.message, permissions: coded.permissions)
        case is CancellationError: self.init(code: .cancelled, message: "It was cancelled.")
        default: self.init(code: .unexpected, message: "Something unforeseen failed: \(error)")
        }
    }

    private enum Key: String, CodingKey { case code, message, exitCode, permissions }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let exitCode = try values.decodeIfPresent(Int32.self, forKey: .exitCode).flatMap(ExitCode.init)
        code = ErrorCode(try values.decode(String.self, forKey: .code), exitCode ?? .failed)
        message = try values.decode(String.self, forKey: .message)
        permissions = try values.decodeIfPresent([Permission].self, forKey: .permissions) ?? []
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(code.word, forKey: .code)
        try values.encode(message, forKey: .message)
        try values.encode(code.exitCode.rawValue, forKey: .exitCode)
        if !permissions.isEmpty { try values.encode(permissions, forKey: .permissions) }
    }
}
