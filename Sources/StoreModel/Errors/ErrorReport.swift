/// An error whose message and hint are finished text, as it is stored in the history and sent to clients as JSON.
public struct ErrorReport: CodedError, Codable, Hashable {
    public let code: ErrorCode
    public let message: String
    public let hint: String?
    public let permissions: [Permission]
    public let requestingProduct: String?
    public let rootFingerprint: String?

    /// Creates an error report from its code and its finished texts.
    ///
    /// Code that detects a failure throws a ``StoreError`` instead.
    public init(
        code: ErrorCode, message: String, hint: String? = nil, permissions: [Permission] = [],
        requestingProduct: String? = nil, rootFingerprint: String? = nil
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        self.permissions = permissions
        self.requestingProduct = requestingProduct
        self.rootFingerprint = rootFingerprint
    }

    /// Creates the report of any Swift error; an error that has no code becomes `internal.unexpected`.
    ///
    /// - Parameter formatter: writes the texts of a ``StoreError``; other errors have finished texts.
    public init(_ error: any Error, formatter: ErrorFormatter = .english) {
        switch error {
        case let report as ErrorReport: self = report
        case let error as StoreError:
            self.init(
                code: error.code, message: formatter.message(of: error), hint: formatter.hint(of: error),
                permissions: error.permissions, requestingProduct: error.requestingProduct,
                rootFingerprint: error.rootFingerprint)
        case let coded as any CodedError:
            self.init(
                code: coded.code, message: coded.message, hint: coded.hint, permissions: coded.permissions,
                requestingProduct: coded.requestingProduct, rootFingerprint: coded.rootFingerprint)
        case is CancellationError: self.init(StoreError(.operationCancelled))
        default: self.init(StoreError(.unexpectedError, ["error": "\(error)"]))
        }
    }

    private enum Key: String, CodingKey {
        case code, message, hint, exitCode, permissions, requestingProduct, rootFingerprint
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let exitCode = try values.decodeIfPresent(Int32.self, forKey: .exitCode).flatMap(ExitCode.init)
        code = ErrorCode(try values.decode(String.self, forKey: .code), exitCode ?? .failed)
        message = try values.decode(String.self, forKey: .message)
        hint = try values.decodeIfPresent(String.self, forKey: .hint)
        permissions = try values.decodeIfPresent([Permission].self, forKey: .permissions) ?? []
        requestingProduct = try values.decodeIfPresent(String.self, forKey: .requestingProduct)
        rootFingerprint = try values.decodeIfPresent(String.self, forKey: .rootFingerprint)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(code.rawValue, forKey: .code)
        try values.encode(message, forKey: .message)
        try values.encodeIfPresent(hint, forKey: .hint)
        try values.encode(code.exitCode.rawValue, forKey: .exitCode)
        if !permissions.isEmpty { try values.encode(permissions, forKey: .permissions) }
        try values.encodeIfPresent(requestingProduct, forKey: .requestingProduct)
        try values.encodeIfPresent(rootFingerprint, forKey: .rootFingerprint)
    }
}
