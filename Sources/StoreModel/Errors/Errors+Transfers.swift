extension ErrorCode {
    /// The host name is unknown, there is no route to the host, or no process listens there.
    public static let transferUnreachable = ErrorCode("transfer.unreachable", .network)
    /// A time limit of the transfer passed.
    public static let transferTimeout = ErrorCode("transfer.timeout", .network)
    /// The connection broke before the end of the body.
    public static let transferInterrupted = ErrorCode("transfer.interrupted", .network)
    /// The body of the response is longer than the limit.
    public static let transferTooLong = ErrorCode("transfer.too-long", .network)
    /// The body of the response is longer than the limit that the user set for it.
    public static let transferLimit = ErrorCode("transfer.limit", .space)
    /// The body of the response ended early, and the response had not declared its length.
    public static let transferTooShort = ErrorCode("transfer.too-short", .network)
    /// No secure connection could be made, or the server's certificate is not valid for the host.
    public static let transferTLS = ErrorCode("transfer.tls", .network)
    /// The server responded with a status other than success.
    public static let transferHTTPStatus = ErrorCode("transfer.http-status", .network)
    /// The server redirects too often, or to an address that must not be followed.
    public static let transferRedirects = ErrorCode("transfer.redirects", .network)
    /// A public store refers or redirects to a host whose address is not public.
    public static let transferLocalAddress = ErrorCode("transfer.local-address", .refused)
    /// The server sent other bytes of the file than requested.
    public static let transferRangeMismatch = ErrorCode("transfer.range-mismatch", .network)
    /// The response is not valid HTTP, or lacks what the request needs.
    public static let transferBadAnswer = ErrorCode("transfer.bad-answer", .network)
    /// The request is invalid and can't be sent.
    public static let transferBadRequest = ErrorCode("transfer.bad-request", .usage)
    /// The transfer engine stopped before the transfer ended, or could not be started.
    public static let transferStopped = ErrorCode("transfer.stopped", .failed)
    /// Another process is downloading the same file.
    public static let partialFileBusy = ErrorCode("transfer.part-busy", .conflict)
    /// Another program changed the partial file during its download.
    public static let partialFileChanged = ErrorCode("transfer.part-changed", .conflict)
    /// The transferred content does not have the expected hash.
    public static let contentHashMismatch = ErrorCode("content.hash-mismatch", .refused)
    /// The transferred content does not have the expected size.
    public static let contentSizeMismatch = ErrorCode("content.size-mismatch", .refused)
}

extension ErrorTemplate {
    public static let transferRequestInvalid = ErrorTemplate(
        .transferBadRequest, "could not request '{url}': {reason}")

    // Statuses

    public static let transferNotFound = ErrorTemplate(
        .transferHTTPStatus, variant: "not-found", "'{url}' does not exist (HTTP {status})",
        hint: "check the URL, or report it to the store's publisher")
    /// A `file:` URL names no file; its error has the code and the status of an HTTP 404 response.
    public static let transferFileMissing = ErrorTemplate(
        .transferHTTPStatus, variant: "file-missing", "'{url}' does not exist",
        hint: "check the URL, or report it to the store's publisher")
    public static let transferAccessRefused = ErrorTemplate(
        .transferHTTPStatus, variant: "access-refused", "the server refused access to '{url}' (HTTP {status})",
        hint: "set a token with 'storectl store add NAME URL --token-file FILE'")
    public static let transferServerOverloaded = ErrorTemplate(
        .transferHTTPStatus, variant: "overloaded", "the server of '{url}' is overloaded (HTTP {status})",
        hint: "try again later")
    public static let transferServerFailed = ErrorTemplate(
        .transferHTTPStatus, variant: "server-failed", "the server of '{url}' failed (HTTP {status})",
        hint: "try again later")
    public static let transferStatusUnexpected = ErrorTemplate(
        .transferHTTPStatus, variant: "unexpected", "the server answered the request for '{url}' with HTTP {status}",
        hint: "check the URL, or report it to the store's publisher")
    public static let transferHostLimited = ErrorTemplate(
        .transferHTTPStatus, variant: "host-limited",
        "the server of '{url}' is overloaded, so no further connection to it is opened now", hint: "try again later")

    // Connections

    public static let transferHostUnknown = ErrorTemplate(
        .transferUnreachable, variant: "host-unknown", "could not connect to '{url}': the host name is unknown",
        hint: "check the URL and the network")
    public static let transferProxyUnknown = ErrorTemplate(
        .transferUnreachable, variant: "proxy-unknown", "could not connect to '{url}': the proxy's name is unknown",
        hint: "check the proxy settings and the network")
    public static let transferProxyFailed = ErrorTemplate(
        .transferUnreachable, variant: "proxy", "could not connect to '{url}' through the proxy '{proxy}': {reason}",
        hint: "check the proxy, which {origin} names")
    public static let transferConnectFailed = ErrorTemplate(
        .transferUnreachable, variant: "connect", "could not connect to '{url}': {reason}",
        hint: "check the URL and the network")
    public static let transferFileUnreadable = ErrorTemplate(
        .transferUnreachable, variant: "file", "could not read '{url}': {reason}")
    public static let transferFileDenied = ErrorTemplate(
        .transferUnreachable, variant: "file-denied", "could not read '{url}': {reason}",
        hint: "check its owner and permissions")
    public static let transferConnectionBroke = ErrorTemplate(
        .transferInterrupted, "the connection to '{url}' broke: {reason}", hint: "try again")
    public static let transferFileShrank = ErrorTemplate(
        .transferInterrupted, variant: "file", "'{url}' became shorter while it was read", hint: "try again")
    public static let transferFailed = ErrorTemplate(
        .transferInterrupted, variant: "other", "the transfer of '{url}' failed: {reason}",
        hint: "try again later")
    public static let transferTLSFailed = ErrorTemplate(
        .transferTLS, variant: "handshake", "could not establish a secure connection to '{url}': {reason}",
        hint: "check the URL and the network")
    public static let transferCertificateInvalid = ErrorTemplate(
        .transferTLS, "could not verify the server of '{url}': {reason}",
        hint: "check the URL, the clock and the machine's certificates")

    // Time limits

    public static let transferTimedOut = ErrorTemplate(
        .transferTimeout, "the transfer of '{url}' timed out: {reason}", hint: "try again later")
    public static let transferNotConnected = ErrorTemplate(
        .transferTimeout, variant: "connection", "the transfer of '{url}' got no connection within {limit}",
        hint: "try again later")
    public static let transferNoResponse = ErrorTemplate(
        .transferTimeout, variant: "response", "the server of '{url}' did not respond within {limit}",
        hint: "try again later")
    public static let transferRedirectNotComplete = ErrorTemplate(
        .transferTimeout, variant: "redirect", "the server of '{url}' did not complete a redirect within {limit}",
        hint: "try again later")
    public static let transferStalled = ErrorTemplate(
        .transferTimeout, variant: "stall", "the transfer of '{url}' stalled: less than {bytes} in {limit}",
        hint: "try again later")
    public static let transferNotComplete = ErrorTemplate(
        .transferTimeout, variant: "whole", "the transfer of '{url}' was not complete within {limit}",
        hint: "try again later")

    // Responses

    public static let transferBodyTooLong = ErrorTemplate(
        .transferTooLong, "'{url}' is longer than the allowed {limit}")
    public static let transferOverMaximumSize = ErrorTemplate(
        .transferLimit, "'{url}' is longer than the allowed {limit}",
        hint: "allow a larger file with '--maximum-size'")
    public static let transferBodyTooShort = ErrorTemplate(
        .transferTooShort, "'{url}' ended after {received} of {expected}", hint: "try again")
    public static let transferTooManyRedirects = ErrorTemplate(
        .transferRedirects, "'{url}' redirects more than {limit} times",
        hint: "check the URL, or report it to the store's publisher")
    public static let transferRedirectRefused = ErrorTemplate(
        .transferRedirects, variant: "refused",
        "'{url}' redirects to a URL that is less secure or uses another protocol",
        hint: "check the URL, or report it to the store's publisher")
    public static let transferAddressRefused = ErrorTemplate(
        .transferLocalAddress, "'{url}' was not requested: its address ({address}) is not public, unlike the store's",
        hint: "if you trust the store, run 'storectl config set network.allowLocalAddresses true'")
    public static let transferRangeUnexpected = ErrorTemplate(
        .transferRangeMismatch, "the server of '{url}' sent the bytes {received} instead of the requested {requested}")
    public static let transferResponseInvalid = ErrorTemplate(
        .transferBadAnswer, "the server's response for '{url}' is not usable: {reason}",
        hint: "check the URL, or report it to the store's publisher")

    // The engine

    public static let transferEngineStopped = ErrorTemplate(
        .transferStopped, "the transfer of '{url}' was stopped: the program is shutting down",
        hint: "run the command again")
    public static let transferEngineNotStarted = ErrorTemplate(
        .transferStopped, variant: "start",
        "could not start transfers: libcurl, a thread, memory or a file descriptor is not available",
        hint: "check that libcurl 4 is installed (on Debian: libcurl4), then run the command again")

    // Partial files

    public static let partialFileBusy = ErrorTemplate(
        .partialFileBusy, "another process is downloading '{path}'",
        hint: "wait until it ends, or choose another file with --output")
    public static let partialFileChanged = ErrorTemplate(
        .partialFileChanged, "another program changed '{path}' while it was downloaded; it was not used",
        hint: "run the command again")

    // Contents

    public static let contentSizeDiffers = ErrorTemplate(
        .contentSizeMismatch, "'{url}' has {found} instead of {expected}; it was not used",
        hint: "report it to the store's publisher")
    public static let contentHashDiffers = ErrorTemplate(
        .contentHashMismatch, "'{url}' has the SHA-256 {found} instead of {expected}; it was not used",
        hint: "report it to the store's publisher")
}
