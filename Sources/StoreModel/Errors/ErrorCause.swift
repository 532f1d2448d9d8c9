/// What led to an error: another error of the store, an error that came over the wire, or a failed system call.
public indirect enum ErrorCause: Sendable, Hashable {
    case error(StoreError)
    case report(ErrorReport)
    case system(SystemCallError)

    /// Any error as a cause; one without a code becomes `internal.unexpected`.
    public init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = .error(error)
        case let error as SystemCallError: self = .system(error)
        default: self = .report(ErrorReport(error))
        }
    }

    /// The code of the cause; `nil` for a system call, whose caller chooses the code.
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
}

/// A system call that failed: its name, the error number, and the system's text for the number.
public struct SystemCallError: Error, Sendable, Hashable {
    /// The value of `errno`.
    public let number: Int32
    /// The name of the function, such as `openat`.
    public let function: String
    /// What `strerror` says about the number.
    public let reason: String

    /// Creates the record of a failed call.
    public init(number: Int32, function: String, reason: String) {
        self.number = number
        self.function = function
        self.reason = reason
    }
}
