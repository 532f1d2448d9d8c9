/// An error with a code, a message and a hint: ``StoreError`` and ``ErrorReport``.
public protocol CodedError: Error, Sendable, CustomStringConvertible {
    /// The stable reason.
    var code: ErrorCode { get }
    /// What failed, on what and why.
    var message: String { get }
    /// What to do next, or `nil` where there is nothing to do.
    var hint: String? { get }
    /// The permissions that have to be granted before the same call can succeed; empty for all other errors.
    var permissions: [Permission] { get }
}

extension CodedError {
    public var hint: String? { nil }
    public var permissions: [Permission] { [] }
    public var description: String { "\(code.rawValue): \(message)" }
}
