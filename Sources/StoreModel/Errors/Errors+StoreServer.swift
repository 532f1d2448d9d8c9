extension ErrorCode {
    /// A directory or file of the program's data can't be created or written.
    public static let homeUnwritable = ErrorCode("home.unwritable", .daemon)
    /// A directory of the program's data belongs to another user.
    public static let homeForeign = ErrorCode("home.foreign", .daemon)
    /// Other users can write to a directory of the program's data.
    public static let homeOpen = ErrorCode("home.open", .daemon)
    /// The daemon's socket can't be created, or systemd did not pass exactly one listening unix socket.
    public static let socketFailed = ErrorCode("socket.failed", .daemon)
    /// The port of an HTTP server for the files of a store is in use or not permitted.
    public static let siteAddress = ErrorCode("site.address", .conflict)
    /// The body, path or parameter of an HTTP request to the daemon does not match the OpenAPI description.
    public static let requestMalformed = ErrorCode("request.malformed", .usage)
    /// The body of an HTTP request to the daemon is larger than the daemon accepts.
    public static let requestTooLarge = ErrorCode("request.too-large", .usage)
    /// The header fields of an HTTP request to the daemon are larger than the daemon accepts.
    public static let requestHeadersTooLarge = ErrorCode("request.headers-too-large", .usage)
    /// The method of an HTTP request to the daemon is none that HTTP servers know.
    public static let requestMethodUnknown = ErrorCode("request.unknown-method", .usage)
    /// The body of an HTTP request to the daemon is not declared as JSON.
    public static let requestMediaType = ErrorCode("request.media-type", .usage)
    /// A web page of another origin sent an HTTP request that would change something.
    public static let requestCrossOrigin = ErrorCode("request.cross-origin", .usage)
    /// The resource at the path of an HTTP request to the daemon does not support the request's method.
    public static let methodUnknown = ErrorCode("request.method", .usage)
    /// The pack, skin or directory has no file with the name in the path of an HTTP request.
    public static let servedFileMissing = ErrorCode("request.file", .notFound)
    /// The range of bytes that an HTTP request names begins at or after the end of the file.
    public static let requestRange = ErrorCode("request.range", .usage)
    /// The interface has no route for the path of an HTTP request to the daemon.
    public static let resourceUnknown = ErrorCode("request.path", .notFound)
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
    /// The page or form is for browsers that are logged in, and the request has an access token.
    public static let webSessionOnly = ErrorCode("web.session-only", .usage)
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

// The data directories and the socket.
extension ErrorTemplate {
    public static let homeDirectoryUnwritable = ErrorTemplate(
        .homeUnwritable, "could not write to '{path}': {cause}",
        hint: "correct the permissions of the home directory, or choose another with --home")
    public static let runtimeDirectoryIsLink = ErrorTemplate(
        .homeUnwritable, variant: "link", "could not create the socket in '{path}', because it is a symbolic link",
        hint: "remove the link")
    public static let homeDirectoryUnusable = ErrorTemplate(
        context: "home-directory", "could not use the home directory '{path}': {cause}")
    public static let homeDirectoryForeign = ErrorTemplate(
        .homeForeign, "'{path}' belongs to user {owner}, but the daemon runs as user {user}",
        hint: "choose a home of your own with --home")
    public static let homeDirectoryOpen = ErrorTemplate(
        .homeOpen, "other users can write to '{path}'", hint: "remove their permission with 'chmod go-w {path}'")
    public static let socketNotCreated = ErrorTemplate(
        .socketFailed, "could not create the socket '{path}': {cause}")
    public static let socketPathOccupied = ErrorTemplate(
        .socketFailed, variant: "occupied", "could not create the socket '{path}': a file of that name is not a socket",
        hint: "move the file elsewhere")
    public static let severalSocketsPassed = ErrorTemplate(
        .socketFailed, variant: "several", "systemd passed {count} sockets, but stored accepts only one",
        hint: "keep one ListenStream in the socket unit")
    public static let passedSocketInvalid = ErrorTemplate(
        .socketFailed, variant: "not-listening", "the socket that systemd passed is not a listening unix socket",
        hint: "set ListenStream=%t/storectl/stored.sock in the socket unit")
    public static let portInUse = ErrorTemplate(
        .siteAddress, variant: "in-use", "port {port} is already in use",
        hint: "choose another port; 0 selects a free one")
    public static let portUnavailable = ErrorTemplate(
        .siteAddress, "could not listen on port {port}: {cause}", hint: "choose another port; 0 selects a free one")
}

// Requests.
extension ErrorTemplate {
    public static let requestBodyInvalid = ErrorTemplate(.requestMalformed, "invalid request body: {reason}")
    public static let requestBodyUnexpected = ErrorTemplate(
        .requestMalformed, variant: "unexpected-body", "a {method} request for '{path}' must not have a body")
    public static let requestPathMalformed = ErrorTemplate(
        .requestMalformed, variant: "path", "the path '{path}' has a malformed escape sequence, or is not UTF-8")
    public static let requestQueryMalformed = ErrorTemplate(
        .requestMalformed, variant: "query", "the query '{query}' has a malformed escape sequence, or is not UTF-8")
    public static let requestParameterInvalid = ErrorTemplate(
        .requestMalformed, variant: "parameter", "parameter '{parameter}' {reason}")
    public static let requestParameterRepeated = ErrorTemplate(
        .requestMalformed, variant: "repeated-parameter", "parameter '{parameter}' is given more than once")
    public static let requestUnreadable = ErrorTemplate(
        .requestMalformed, variant: "http", "malformed request: {reason}")
    public static let requestBodyTooLarge = ErrorTemplate(
        .requestTooLarge, "the request's body is larger than {limit}")
    public static let requestHeadersTooLarge = ErrorTemplate(
        .requestHeadersTooLarge, "the request's header fields are too large")
    public static let requestMethodUnknown = ErrorTemplate(
        .requestMethodUnknown, "the request's method is unknown")
    public static let requestBodyNotJSON = ErrorTemplate(
        .requestMediaType, "the request's body has the media type '{type}', not JSON in UTF-8",
        hint: "send JSON with 'Content-Type: application/json'")
    public static let requestBodyUndeclared = ErrorTemplate(
        .requestMediaType, variant: "undeclared", "the request has a body, but no media type",
        hint: "send JSON with 'Content-Type: application/json'")
    public static let requestBodyNotForm = ErrorTemplate(
        .requestMediaType, variant: "form", "the request's body has the media type '{type}', not that of an HTML form")
    public static let requestOriginForeign = ErrorTemplate(
        .requestCrossOrigin, "the request comes from a web page of another origin ('{origin}')",
        hint:
            "allow the origin with the setting 'web.allowedOrigins'; a proxy in between must pass the header 'Host' on unchanged"
    )
    public static let requestSiteForeign = ErrorTemplate(
        .requestCrossOrigin, variant: "site", "the request comes from a web page of another origin",
        hint: "send it from a page of the same origin")
    public static let methodNotAllowed = ErrorTemplate(
        .methodUnknown, "'{path}' does not support {method}, only {allowed}")
    public static let resourceNotFound = ErrorTemplate(
        .resourceUnknown, "there is no resource '{path}'",
        hint: "see '/v1/openapi.json' for all resources")
    /// The browser front-end has no page with the address that a browser opened; argument `path`.
    public static let pageNotFound = ErrorTemplate(
        .resourceUnknown, variant: "page", "there is no page '{path}'", hint: "begin at the store, '/store'")
    public static let servedFileNotFound = ErrorTemplate(
        .servedFileMissing, "there is no file '{path}'")
    public static let servedRangeUnsatisfiable = ErrorTemplate(
        .requestRange, "the range '{range}' begins at or after the end of '{path}', which has {size}")
    public static let servedFileTruncated = ErrorTemplate(
        .unexpected, variant: "served-file-truncated", "'{path}' was truncated while it was sent")
}

// The web listener.
extension ErrorTemplate {
    public static let webLinkInvalid = ErrorTemplate(
        .webLink, "the link was used already, has expired or is incomplete",
        hint: "run 'storectl web' for a new one")
    /// A `storectl:` link to a product of a signed store that the user has not added.
    public static let storeOfLinkNotAdded = ErrorTemplate(
        .storeUnknown, variant: "link", "the link leads to '{product}' in a store that you have not added",
        hint: "links can't add stores; list those that you added with 'storectl store list'")
    public static let webLoginRequired = ErrorTemplate(
        .webLogin, "this browser is not logged in", hint: "run 'storectl web' and open the link that it prints")
    public static let webCredentialsMissing = ErrorTemplate(
        .webLogin, variant: "token", "the request has no access token",
        hint: "create one with 'storectl web tokens create NAME', and send it as 'Authorization: Bearer TOKEN'")
    public static let webTokenInvalid = ErrorTemplate(
        .webToken, "the access token is wrong or was revoked",
        hint: "create one with 'storectl web tokens create NAME'")
    public static let webScopeMissing = ErrorTemplate(
        .webScope, "the access token does not permit this: it lacks the scope '{scope}'",
        hint: "create one with 'storectl web tokens create NAME --scope {scope}'")
    public static let webSocketOnly = ErrorTemplate(
        .webSocketOnly, "'{path}' is available at the daemon's unix socket only")
    /// A page or form that only a browser with a session may use: a token must not be able to create more.
    public static let webSessionOnly = ErrorTemplate(
        .webSessionOnly, "'{path}' is for a browser that is logged in, not for an access token",
        hint: "manage access tokens in a browser that is logged in")
    public static let webHostUnknown = ErrorTemplate(
        .webHost, "the request is for the host '{host}', which is not that of the web pages",
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
