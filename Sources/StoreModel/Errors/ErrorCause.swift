/// The cause of an error: a ``StoreError``, an ``ErrorReport`` received from another process, or a failed system call.
public indirect enum ErrorCause: Sendable, Hashable {
    case error(StoreError)
    case report(ErrorReport)
    case system(SystemCallError)

    /// Creates the cause of an error from any Swift error; an error without a code becomes `internal.unexpected`.
    public init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = .error(error)
        case let error as SystemCallError: self = .system(error)
        default: self = .report(ErrorReport(error))
        }
    }

    /// The error code of the cause; `nil` for a failed system call, which has only an error number (`errno`).
    var code: ErrorCode? {
        switch self {
        case .error(let error): error.code
        case .report(let report): report.code
        case .system: nil
        }
    }

    var permissions: [Permission] {
        switch self {
        case .error(let error): error.permissions
        case .report(let report): report.permissions
        case .system: []
        }
    }

    var requestingProduct: String? {
        switch self {
        case .error(let error): error.requestingProduct
        case .report(let report): report.requestingProduct
        case .system: nil
        }
    }
}

/// A system call that failed: its name, the error number, and the system's text for the number.
public struct SystemCallError: Error, Sendable, Hashable {
    /// The error number of the failed system call: the value of `errno` after the call.
    public let number: Int32
    /// The name of the system call that failed, such as `openat`.
    public let function: String
    /// The system's text for the failed call's error number, as `strerror` returns it.
    public let reason: String

    /// Creates the error of a failed system call from error number (`errno`), function name and the system's text.
    public init(number: Int32, function: String, reason: String) {
        self.number = number
        self.function = function
        self.reason = reason
    }
}
