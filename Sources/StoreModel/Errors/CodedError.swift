/// An error with a stable code, a message and a hint; adopted by ``StoreError`` and ``ErrorReport``.
public protocol CodedError: Error, Sendable, CustomStringConvertible {
    /// The code of the reason, which stays the same across releases.
    var code: ErrorCode { get }
    /// The error's message: what failed, on what, and why.
    var message: String { get }
    /// Advice on what to do next, or `nil` where there is nothing to do.
    var hint: String? { get }
    /// The permissions that have to be granted before the same call can succeed; empty for all other errors.
    var permissions: [Permission] { get }
}

extension CodedError {
    public var hint: String? { nil }
    public var permissions: [Permission] { [] }
    public var description: String { "\(code.rawValue): \(message)" }
}
