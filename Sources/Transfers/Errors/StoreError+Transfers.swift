public import FoundationEssentials
public import StoreModel
import StoreSystem

// What callers decide by is an argument of the error, beside those that its message mentions.

extension StoreError {
    /// The names of a transfer error's arguments that no message mentions, and by which callers decide.
    private enum Fact {
        static let isTransient = "isTransient"
        static let lacksNetwork = "lacksNetwork"
        static let retryAfter = "retryAfter"
        static let status = "status"
    }

    /// Whether the error is that of a network transfer that failed because of the request, server, network or content.
    ///
    /// Errors of the local disk do not count.
    public var isTransferFailure: Bool { self[Fact.isTransient] != nil }

    /// Whether the same transfer may succeed later, as after a timeout, a broken connection or an overloaded server.
    ///
    /// `false` for an error that is no ``isTransferFailure``.
    public var isTransient: Bool { self[Fact.isTransient] == .flag(true) }

    /// Whether the machine had no network path to the host, so that a retry is useless before its network has changed.
    ///
    /// A host that refuses the connection or does not respond does not count.
    public var lacksNetwork: Bool { self[Fact.lacksNetwork] == .flag(true) }

    /// The time for which the server asked not to be contacted (`Retry-After`), from its response on.
    ///
    /// `nil` where it did not ask.
    public var retryAfter: Duration? {
        if case .duration(let duration) = self[Fact.retryAfter] { duration } else { nil }
    }

    /// The HTTP status code of the response, where it is the reason of the transfer's failure; otherwise `nil`.
    public var httpStatus: Int? {
        if case .count(let status) = self[Fact.status] { status } else { nil }
    }

    /// Creates the error of a failed transfer, for which ``isTransferFailure`` is `true`.
    ///
    /// The engine uses it, and so do other implementations of ``Transferring``.
    ///
    /// - Parameters:
    ///   - template: the template of the message.
    ///   - url: the URL that was requested.
    ///   - arguments: the values of the template's placeholders other than `url`.
    ///   - isTransient: whether the same transfer may succeed later.
    ///   - lacksNetwork: whether the machine has no network path to the host.
    ///   - retryAfter: the server's `Retry-After`; `nil` where there is none.
    public static func transfer(
        _ template: ErrorTemplate, _ url: URL, _ arguments: ErrorArguments = [:], isTransient: Bool = false,
        lacksNetwork: Bool = false, retryAfter: Duration? = nil
    ) -> StoreError {
        var arguments = arguments
        arguments["url"] = .url(url)
        arguments[Fact.isTransient] = .flag(isTransient)
        if lacksNetwork { arguments[Fact.lacksNetwork] = .flag(true) }
        if let retryAfter { arguments[Fact.retryAfter] = .duration(retryAfter) }
        return StoreError(template, arguments)
    }
}

extension StoreError {
    static func badRequest(_ url: URL, _ reason: String) -> StoreError {
        transfer(.transferRequestInvalid, url, ["reason": reason])
    }

    static func httpStatus(_ response: TransferResponse) -> StoreError {
        let status = response.status
        let template: ErrorTemplate =
            switch status {
            case 404 where response.effectiveURL.isFileURL: .transferFileMissing
            case 404, 410: .transferNotFound
            case 401, 403, 407: .transferAccessRefused
            case 429, 503: .transferServerOverloaded
            case 500...: .transferServerFailed
            default: .transferStatusUnexpected
            }
        // The statuses for which a retry is worth it: RFC 9110 15.5.9, 15.6, RFC 6585 4, RFC 8470 5.2.
        let isTransient =
            [408, 425, 429].contains(status) || (500...).contains(status) && ![501, 505].contains(status)
        return transfer(
            template, response.effectiveURL, ["status": status], isTransient: isTransient,
            retryAfter: response.retryAfter)
    }

    static func hostBusy(_ url: URL) -> StoreError { transfer(.transferHostLimited, url, isTransient: true) }

    static func timeout(_ url: URL, _ expiry: TransferDeadlines.Expiry) -> StoreError {
        switch expiry {
        case .connection(let limit): transfer(.transferNotConnected, url, ["limit": limit], isTransient: true)
        case .answer(let limit): transfer(.transferNoResponse, url, ["limit": limit], isTransient: true)
        case .redirect(let limit): transfer(.transferRedirectNotComplete, url, ["limit": limit], isTransient: true)
        case .stall(let limit):
            transfer(
                .transferStalled, url, ["bytes": .bytes(limit.bytes), "limit": limit.window], isTransient: true)
        case .whole(let limit): transfer(.transferNotComplete, url, ["limit": limit], isTransient: true)
        }
    }

    static func tooLong(_ url: URL, limit: Int) -> StoreError {
        transfer(.transferBodyTooLong, url, ["limit": .bytes(limit)])
    }

    static func tooShort(_ url: URL, received: Int, expected: Int) -> StoreError {
        transfer(
            .transferBodyTooShort, url, ["received": received, "expected": .bytes(expected)], isTransient: true)
    }

    /// A later attempt may find a thread, memory or a file descriptor.
    static func engineNotStarted(_ url: URL) -> StoreError {
        transfer(.transferEngineNotStarted, url, isTransient: true)
    }

    static func sizeMismatch(_ url: URL, expected: Int, found: String) -> StoreError {
        transfer(.contentSizeDiffers, url, ["expected": .bytes(expected), "found": found])
    }

    static func hashMismatch(_ url: URL, expected: SHA256Digest, found: SHA256Digest) -> StoreError {
        transfer(.contentHashDiffers, url, ["expected": expected.hex, "found": found.hex])
    }

    static func rangeMismatch(_ url: URL, offset: Int, received: String) -> StoreError {
        transfer(
            .transferRangeUnexpected, url, ["requested": "from byte \(offset)", "received": .untrusted(received)],
            isTransient: true)
    }

    static func rangeRefused(_ url: URL, _ range: Range<Int>, _ received: String) -> StoreError {
        transfer(
            .transferRangeUnexpected, url,
            [
                "requested": "\(range.lowerBound) to \(range.upperBound - 1)",
                "received": .untrusted(received),
            ])
    }

    static func badResponse(_ url: URL, _ reason: String, isTransient: Bool = false) -> StoreError {
        transfer(.transferResponseInvalid, url, ["reason": reason], isTransient: isTransient)
    }

    /// Returns the error of a transfer that its address policy forbids.
    ///
    /// - Parameter address: the address that is not public; `nil` where the URL itself shows that.
    static func localAddress(_ url: URL, _ address: InternetAddress? = nil) -> StoreError {
        transfer(.transferAddressRefused, url, ["address": address?.description ?? url.host() ?? ""])
    }

    /// Returns the error of a transfer that ended because the transfer engine was shut down.
    static func engineStopped(_ url: URL) -> StoreError { transfer(.transferEngineStopped, url) }

    /// Returns the error of a transfer that received fewer bytes than its stall limit (the lowest rate) requires.
    public static func stalled(_ url: URL, _ limit: StallLimit) -> StoreError { timeout(url, .stall(limit)) }

    /// Returns the error of a transfer whose response did not begin within the time `limit`.
    public static func unanswered(_ url: URL, within limit: Duration) -> StoreError { timeout(url, .answer(limit)) }
}
