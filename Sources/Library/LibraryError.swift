public import StoreModel

/// An error with a text of its own, for callers that have no template yet.
public struct LibraryError: CodedError {
    public let code: ErrorCode
    public let message: String
    public let permissions: [Permission]

    public init(_ code: ErrorCode, _ message: String, permissions: [Permission] = []) {
        self.code = code
        self.message = message
        self.permissions = permissions
    }
}
