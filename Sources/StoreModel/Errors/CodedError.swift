/// An error with a stable code, a message and a hint; adopted by ``StoreError`` and ``ErrorReport``.
public protocol CodedError: Error, Sendable, CustomStringConvertible {
    /// The stable identifier of the error's reason, such as `archive.traversal`, which stays the same across releases.
    var code: ErrorCode { get }
    /// The error's message in one sentence for the user: what failed, on what, and why.
    var message: String { get }
    /// The second line of the error for the user: what to do next; `nil` where there is nothing to do.
    var hint: String? { get }
    /// The plugin permissions that the user has to grant before the same call can succeed; empty for all other errors.
    var permissions: [Permission] { get }
    /// The identifier of the product that requests ``permissions``; `nil` if there are none.
    ///
    /// It may be a dependency of the product that the call named.
    var requestingProduct: String? { get }
    /// The fingerprint of the root on a store's server, which the user may confirm, for `trust.root-needed`; `nil` for all
    /// other errors.
    var rootFingerprint: String? { get }
}

extension CodedError {
    public var hint: String? { nil }
    public var permissions: [Permission] { [] }
    public var requestingProduct: String? { nil }
    public var rootFingerprint: String? { nil }
    public var description: String { "\(code.rawValue): \(message)" }
}
