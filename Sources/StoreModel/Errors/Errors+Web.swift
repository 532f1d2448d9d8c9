extension ErrorCode {
    /// The one-time link with which a browser logs in at the web listener has been used, has expired or is wrong.
    public static let webLink = ErrorCode("web.link", .usage)
    /// The request at the web listener comes from a browser that is not logged in, or from a program without a token.
    public static let webLogin = ErrorCode("web.login", .usage)
    /// The access token of a request at the web listener is wrong or was revoked.
    public static let webToken = ErrorCode("web.token-invalid", .usage)
    /// The access token of a request at the web listener does not permit the request.
    public static let webScope = ErrorCode("web.scope", .usage)
    /// The request is permitted at the daemon's unix socket only.
    public static let webSocketOnly = ErrorCode("web.socket-only", .usage)
    /// A request at the web listener names another host.
    public static let webHost = ErrorCode("web.host", .usage)
    /// Too many wrong links and access tokens were presented at the web listener recently.
    public static let webTooManyAttempts = ErrorCode("web.too-many-attempts", .usage)
    /// The port of the web listener is in use or not permitted.
    public static let webPort = ErrorCode("web.port", .conflict)
    /// There is an access token of that name.
    public static let webTokenExists = ErrorCode("web.token-exists", .conflict)
    /// There is no access token of that name.
    public static let webTokenMissing = ErrorCode("web.no-token", .notFound)
    /// The file of the access tokens is not valid.
    public static let webTokensMalformed = ErrorCode("web.malformed-tokens", .refused)
}

extension ErrorTemplate {
    public static let webLinkInvalid = ErrorTemplate(
        .webLink, "the link was used already, has expired or is incomplete",
        hint: "run 'storectl web' for a new one")
    public static let webLoginRequired = ErrorTemplate(
        .webLogin, "this browser is not logged in", hint: "run 'storectl web' and open the link that it prints")
    public static let webTokenInvalid = ErrorTemplate(
        .webToken, "the access token is wrong or was revoked",
        hint: "create one with 'storectl web tokens create NAME'")
    public static let webScopeMissing = ErrorTemplate(
        .webScope, "the access token does not permit this: it lacks the scope '{scope}'",
        hint: "create one with 'storectl web tokens create NAME --scope {scope}'")
    public static let webSocketOnly = ErrorTemplate(
        .webSocketOnly, "'{path}' is available at the daemon's unix socket only")
    public static let webHostUnknown = ErrorTemplate(
        .webHost, "the request is for the host '{host}', not for '{expected}'",
        hint: "open the link that 'storectl web' prints")
    public static let webAttemptsExceeded = ErrorTemplate(
        .webTooManyAttempts, "too many wrong links and access tokens", hint: "try again in a minute")
    public static let webPortInUse = ErrorTemplate(
        .webPort, variant: "in-use", "could not serve the web pages: port {port} is already in use",
        hint: "choose another with 'storectl config set web.port NUMBER'")
    public static let webPortUnavailable = ErrorTemplate(
        .webPort, "could not serve the web pages at port {port}: {cause}",
        hint: "choose another with 'storectl config set web.port NUMBER'")
    public static let webWithoutLoopback = ErrorTemplate(
        .webPort, variant: "no-loopback", "could not serve the web pages: this machine has no loopback interface")
    public static let webTokenNameTaken = ErrorTemplate(
        .webTokenExists, "there is an access token '{token}' already",
        hint: "revoke it with 'storectl web tokens revoke NAME', or choose another name")
    public static let webTokenUnknown = ErrorTemplate(
        .webTokenMissing, "there is no access token '{token}'", hint: "list them with 'storectl web tokens list'")
    public static let webTokensUnreadable = ErrorTemplate(
        .webTokensMalformed, "could not read the access tokens in '{path}': {cause}",
        hint: "correct the file, or remove it and create the tokens again")
}
