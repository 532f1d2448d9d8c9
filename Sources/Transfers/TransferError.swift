public import FoundationEssentials
public import StoreModel

/// Why a transfer did not end well. Messages never hold what may be secret: of a URL, neither user, password nor query.
public struct TransferError: CodedError {
    public let code: ErrorCode
    public let message: String
    /// Whether the same request may succeed later: a timeout, a broken connection, a server that is busy.
    public let isTransient: Bool
    /// The status of the answer, where that was the reason.
    public let status: Int?
    /// How long the server asks to be left alone before the next attempt.
    public let retryAfter: Duration?
    /// Whether the machine has no way to the host, so that trying again is of no use before its network has changed. A
    /// host that refuses, or does not answer, is something else.
    public let lacksNetwork: Bool

    /// For whoever brings bytes in another way than the engine, and fails as it does.
    public init(
        _ code: ErrorCode, _ message: String, isTransient: Bool = false, status: Int? = nil,
        retryAfter: Duration? = nil, lacksNetwork: Bool = false
    ) {
        self.code = code
        self.message = message
        self.isTransient = isTransient
        self.status = status
        self.retryAfter = retryAfter
        self.lacksNetwork = lacksNetwork
    }
}

extension ErrorCode {
    /// No name, no route, nobody listening.
    public static let transferUnreachable = ErrorCode("transfer.unreachable", .network)
    /// A limit of ``TransferTimeouts`` was passed.
    public static let transferTimeout = ErrorCode("transfer.timeout", .network)
    /// The connection broke before the end of the body.
    public static let transferInterrupted = ErrorCode("transfer.interrupted", .network)
    /// More came than is taken.
    public static let transferTooLong = ErrorCode("transfer.too-long", .network)
    /// The body ended early, and nothing in the answer had told its length.
    public static let transferTooShort = ErrorCode("transfer.too-short", .network)
    /// No secure connection, or not with whom it should be.
    public static let transferTLS = ErrorCode("transfer.tls", .network)
    /// The server answered with a status that is not success.
    public static let transferHTTPStatus = ErrorCode("transfer.http-status", .network)
    /// Too many redirects, or one that must not be followed.
    public static let transferRedirects = ErrorCode("transfer.redirects", .network)
    /// The server sent other bytes of the file than were asked for.
    public static let transferRangeMismatch = ErrorCode("transfer.range-mismatch", .network)
    /// The answer is not one of HTTP.
    public static let transferBadAnswer = ErrorCode("transfer.bad-answer", .network)
    /// The request can't be sent as it is.
    public static let transferBadRequest = ErrorCode("transfer.bad-request", .usage)
    /// The engine ended before the transfer did, or could not be started.
    public static let transferStopped = ErrorCode("transfer.stopped", .failed)
    /// The content is not what it should be, by its hash.
    public static let contentHashMismatch = ErrorCode("content.hash-mismatch", .refused)
    /// The content is not what it should be, by its size.
    public static let contentSizeMismatch = ErrorCode("content.size-mismatch", .refused)
}

extension TransferError {
    static func badRequest(_ url: URL, _ reason: String) -> TransferError {
        TransferError(.transferBadRequest, "'\(url.forMessages)' can't be asked for: \(reason).")
    }

    static func httpStatus(_ response: TransferResponse) -> TransferError {
        let status = response.status
        let address = "'\(response.effectiveURL.forMessages)'"
        let message =
            switch status {
            case 404, 410: "\(address) is not there: the server answered \(status)."
            case 401, 403, 407: "\(address) is not given to us: the server answered \(status). Check its credentials."
            case 429, 503: "\(address): the server is busy (\(status)). Try again later."
            case 500...: "\(address): the server failed (\(status)). Try again later."
            default: "\(address): the server answered \(status), which is of no use here."
            }
        // Those for which a later attempt is worth it: RFC 9110 15.5.9, 15.6, RFC 6585 4, RFC 8470 5.2.
        let isTransient =
            [408, 425, 429].contains(status) || (500...).contains(status) && ![501, 505].contains(status)
        return TransferError(
            .transferHTTPStatus, message, isTransient: isTransient, status: status, retryAfter: response.retryAfter)
    }

    static func serverBusy(_ url: URL) -> TransferError {
        TransferError(
            .transferHTTPStatus, "'\(url.forMessages)': the server is busy, and is asked by fewer. Try again later.",
            isTransient: true)
    }

    static func timeout(_ url: URL, _ expiry: Deadlines.Expiry) -> TransferError {
        let what =
            switch expiry {
            case .answer(let limit): "no answer within \(limit.inSeconds)"
            case .stall(let limit): "fewer than \(limit.bytes) bytes in \(limit.window.inSeconds)"
            case .whole(let limit): "not done within \(limit.inSeconds)"
            }
        return TransferError(.transferTimeout, "'\(url.forMessages)': \(what). Try again later.", isTransient: true)
    }

    static func tooLong(_ url: URL, limit: Int) -> TransferError {
        TransferError(.transferTooLong, "'\(url.forMessages)' is longer than the \(limit) bytes that are taken.")
    }

    static func tooShort(_ url: URL, received: Int, expected: Int) -> TransferError {
        TransferError(
            .transferTooShort, "'\(url.forMessages)' ended after \(received) of \(expected) bytes. Try again.",
            isTransient: true)
    }

    static func sizeMismatch(_ url: URL, expected: Int, found: String) -> TransferError {
        TransferError(
            .contentSizeMismatch,
            "'\(url.forMessages)' should have \(expected) bytes and has \(found). "
                + "It was not used; tell the store's owner."
        )
    }

    static func hashMismatch(_ url: URL, expected: SHA256Digest, found: SHA256Digest) -> TransferError {
        TransferError(
            .contentHashMismatch,
            "'\(url.forMessages)' is not what the store promised: its SHA-256 is \(found.hex), not \(expected.hex). "
                + "It was not used.")
    }

    static func rangeMismatch(_ url: URL, asked: Int, answered: String) -> TransferError {
        TransferError(
            .transferRangeMismatch,
            "'\(url.forMessages)': asked for the bytes from \(asked) on, the server sent \(answered). Try again.",
            isTransient: true)
    }

    static func partRefused(_ url: URL, _ range: Range<Int>, _ answered: String) -> TransferError {
        TransferError(
            .transferRangeMismatch,
            "'\(url.forMessages)': asked for the bytes \(range.lowerBound) to \(range.upperBound - 1), "
                + "the server sent \(answered).")
    }

    static func badAnswer(_ url: URL, _ reason: String, isTransient: Bool = false) -> TransferError {
        TransferError(
            .transferBadAnswer, "'\(url.forMessages)': the server's answer can't be used: \(reason).",
            isTransient: isTransient)
    }

    static let stopped = TransferError(
        .transferStopped, "Transfers are being shut down. Try again after the next start.")
}

extension URL {
    /// The address without what may be secret: user, password, query, fragment.
    public var forMessages: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return scheme ?? "?" }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        return parts.string ?? scheme ?? "?"
    }
}

extension Duration {
    /// For messages, such as `30 s` or `0.25 s`.
    var inSeconds: String {
        let (seconds, rest) = components
        guard rest != 0 else { return "\(seconds) s" }
        return "\(Double(seconds) + Double(rest / 1_000_000_000_000_000) / 1000) s"
    }
}
