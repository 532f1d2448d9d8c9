/// An error whose message and hint are finished text, as it is stored in the history and sent to clients as JSON.
public struct ErrorReport: CodedError, Codable, Hashable {
    public let code: ErrorCode
    public let message: String
    public let hint: String?
    public let permissions: [Permission]

    /// Creates an error report from its code and its finished texts.
    ///
    /// Code that detects a failure throws a ``StoreError`` instead.
    public init(code: ErrorCode, message: String, hint: String? = nil, permissions: [Permission] = []) {
        self.code = code
        self.message = message
        self.hint = hint
        self.permissions = permissions
    }

    /// Creates the report of any Swift error; an error that has no code becomes `internal.unexpected`.
    public init(_ error: any Error) {
        switch error {
        case let report as ErrorReport: self = report
        case let coded as any CodedError:
            self.init(code: coded.code, message: coded.message, hint: coded.hint, permissions: coded.permissions)
        case is CancellationError: self.init(StoreError(.operationCancelled))
        default: self.init(StoreError(.unexpectedError, ["error": "\(error)"]))
        }
    }

    private enum Key: String, CodingKey { case code, message, hint, exitCode, permissions }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let exitCode = try values.decodeIfPresent(Int32.self, forKey: .exitCode).flatMap(ExitCode.init)
        code = ErrorCode(try values.decode(String.self, forKey: .code), exitCode ?? .failed)
        message = try values.decode(String.self, forKey: .message)
        hint = try values.decodeIfPresent(String.self, forKey: .hint)
        permissions = try values.decodeIfPresent([Permission].self, forKey: .permissions) ?? []
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(code.rawValue, forKey: .code)
        try values.encode(message, forKey: .message)
        try values.encodeIfPresent(hint, forKey: .hint)
        try values.encode(code.exitCode.rawValue, forKey: .exitCode)
        if !permissions.isEmpty { try values.encode(permissions, forKey: .permissions) }
    }
}
