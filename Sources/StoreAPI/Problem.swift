public import StoreModel
public import StoreOpenAPI

/// The daemon's JSON response for an error (`application/problem+json`, RFC 9457), with an error code.
public struct ProblemDocument: Sendable, Codable {
    /// The problem type of RFC 9457, always `about:blank`: ``code`` identifies the problem.
    public var type: String
    /// The name of the HTTP status, such as `Not Found`, as RFC 9457 (4.2.1) says for the type `about:blank`.
    public var title: String
    /// The HTTP status code of the error response.
    public var status: Int
    /// The error's message as text for the user: what failed, on what, and why.
    public var detail: String
    /// The error's hint for any client: advice on what to do next; `nil` if there is nothing to do.
    public var hint: String?
    /// The error's hint for users of the command line, which may name its commands; `nil` if it is that for any client.
    public var commandLineHint: String?
    /// The stable code of the error, such as `product.unknown`.
    public var code: String
    /// The exit status of a command of the command line that fails with this error.
    public var exitCode: Int32
    /// The permissions that the user has to consent to before the same request can succeed; `nil` for other errors.
    public var permissions: [Permission]?
    /// The identifier of the product that requests these permissions; `nil` for other errors.
    ///
    /// It may be a dependency of the product that the request names.
    public var requestingProduct: String?
    /// The fingerprint of the root on a store's server, which the user may confirm; `nil` for other errors than
    /// `trust.root-needed`.
    public var rootFingerprint: String?

    /// Creates the response for an error, with the code and the name of the HTTP status to send.
    public init(_ report: ErrorReport, status: Int, title: String) {
        type = "about:blank"
        self.title = title
        self.status = status
        detail = report.message
        let hints = ProblemHints(report)
        (hint, commandLineHint) = (hints.neutral, hints.commandLine)
        code = report.code.rawValue
        exitCode = report.code.exitCode.rawValue
        permissions = report.permissions.isEmpty ? nil : report.permissions
        requestingProduct = report.requestingProduct
        rootFingerprint = report.rootFingerprint
    }

    /// The error that the response reports, as code and texts, with the hint for users of the command line.
    public var report: ErrorReport {
        ErrorReport(
            code: ErrorCode(code, ExitCode(rawValue: exitCode) ?? .failed), message: detail,
            hint: commandLineHint ?? hint,
            permissions: permissions ?? [], requestingProduct: requestingProduct, rootFingerprint: rootFingerprint)
    }
}

extension ProblemDocument: SchemaProviding {
    public static let schemaName = "Problem"
    public static let schema = Schema.document(
        "An error response (RFC 9457).",
        [
            .required("type", .nonEmptyText, "Always `about:blank`: `code` identifies the problem."),
            .required("title", .nonEmptyText, "The name of the HTTP status."),
            .required("status", .integer(in: 400...599), "The HTTP status."),
            .required("detail", .text, "What failed, on what, and why."),
            .optional("hint", .text, ErrorReport.hintDescription),
            .optional(
                "commandLineHint", .text,
                "What a user of the command line does next, where that differs from `hint`, which names requests and "
                    + "properties of the interface."),
            .required("code", .text(.errorCode), ErrorReport.codeDescription),
            .required("exitCode", ErrorReport.exitCode),
            .optional("permissions", .permissions, ErrorReport.permissionsDescription),
            .optional("requestingProduct", .nonEmptyText, ErrorReport.requestingProductDescription),
            .optional("rootFingerprint", .text(.sha256), ErrorReport.rootFingerprintDescription),
        ])
}

extension ErrorReport: SchemaProviding {
    public static let schemaName = "Error"
    public static let schema = Schema.document(
        "The reason of a failure.",
        [
            .required("code", .text(.errorCode), codeDescription),
            .required("message", .text, "What failed, on what, and why."),
            .optional("hint", .text, hintDescription),
            .required("exitCode", exitCode),
            .optional("permissions", .permissions, permissionsDescription),
            .optional("requestingProduct", .nonEmptyText, requestingProductDescription),
            .optional("rootFingerprint", .text(.sha256), rootFingerprintDescription),
        ])

    fileprivate static let hintDescription = "What to do next; absent if there is nothing to do."
    fileprivate static let codeDescription = "A stable error code. Later releases may add codes."
    fileprivate static let permissionsDescription =
        "The permissions that the user has to consent to before the same request can succeed."
    fileprivate static let requestingProductDescription =
        "The product that requests these permissions, which may be a dependency of the one in the request."
    fileprivate static let rootFingerprintDescription =
        "The fingerprint of the root on the server of a signed store, for a user who wants to confirm it."
    fileprivate static let exitCode = Schema.integer(in: 0...255).described(
        as: "The exit code of the command line for this error.")
}
