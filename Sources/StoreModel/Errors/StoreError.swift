/// The error type of all modules: a template with a stable code, arguments for the template, and a cause.
///
/// Message and hint are written on demand. Creating an error writes no text, so that an error that the caller expects,
/// such as a file that does not exist, is cheap.
///
/// ```swift
/// throw StoreError(.unexpectedError, ["error": "no such state"])
/// ```
public struct StoreError: CodedError, Hashable {
    /// The template from which the error's message and hint are written.
    public let template: ErrorTemplate
    /// The values of the error template's placeholders, and further values that code examines.
    public var arguments: ErrorArguments
    /// The error that led to this error; `nil` if there was none.
    public let cause: ErrorCause?

    /// Creates an error from a template and the values of its placeholders.
    public init(_ template: ErrorTemplate, _ arguments: ErrorArguments = [:], cause: ErrorCause? = nil) {
        self.template = template
        self.arguments = arguments
        self.cause = cause
    }

    /// Creates an error from a template, with any other Swift error as its cause.
    public init(_ template: ErrorTemplate, _ arguments: ErrorArguments = [:], cause: any Error) {
        self.init(template, arguments, cause: ErrorCause(cause))
    }

    /// The error's code: that of its template, or the code of the cause if the template is a context.
    public var code: ErrorCode { template.code ?? cause?.code ?? .unexpected }

    /// The error's message in English: what failed, on what, and why.
    public var message: String { ErrorFormatter.english.message(of: self) }

    /// The error's hint in English, which says what to do next; `nil` where there is nothing to do.
    public var hint: String? { ErrorFormatter.english.hint(of: self) }

    /// The plugin permissions that the user has to grant before the same call can succeed; empty for all other errors.
    public var permissions: [Permission] {
        if case .permissions(let permissions) = self["permissions"] { return permissions }
        return cause?.permissions ?? []
    }

    /// The identifier of the product that requests the missing permissions; `nil` if there are none.
    public var requestingProduct: String? {
        guard arguments["permissions"] != nil else { return cause?.requestingProduct }
        guard case .text(let product)? = arguments["product"] else { return nil }
        return product
    }

    /// The fingerprint of the root on a store's server for `trust.root-needed`; `nil` for all other errors.
    public var rootFingerprint: String? {
        guard code == .trustRootNeeded, case .text(let fingerprint)? = self["fingerprint"] else { return nil }
        return fingerprint
    }

    /// The argument with this name of this error, or of the nearest cause that has one; `nil` if there is none.
    public subscript(argument: String) -> ErrorArgument? {
        if let value = arguments[argument] { return value }
        guard case .error(let error) = cause else { return nil }
        return error[argument]
    }

    /// Returns a numeric argument of this error or of the nearest cause that has it; `nil` if there is none.
    public func number(_ argument: String) -> Int? {
        switch self[argument] {
        case .count(let number), .bytes(let number), .size(let number): number
        default: nil
        }
    }

    /// The system's error number (`errno`) of this error's cause, or `nil` if no system call failed.
    public var systemErrorNumber: Int32? {
        switch cause {
        case .system(let error): error.number
        case .error(let error): error.systemErrorNumber
        case .report, nil: nil
        }
    }

    /// Returns a copy of the error with another value for an argument, in the error itself or in the cause that has it.
    public func replacing(_ argument: String, with value: some ErrorArgumentConvertible) -> StoreError {
        var copy = self
        if arguments[argument] == nil, case .error(let error) = cause {
            return StoreError(template, arguments, cause: .error(error.replacing(argument, with: value)))
        }
        copy.arguments[argument] = value.errorArgument
        return copy
    }
}
