extension ErrorCode {
    /// Another daemon is running on the same data directory.
    public static let daemonRunning = ErrorCode("daemon.running", .conflict)
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
    /// The body of an HTTP request to the daemon is declared to be something other than JSON.
    public static let requestMediaType = ErrorCode("request.media-type", .usage)
    /// The resource at the path of an HTTP request to the daemon does not support the request's method.
    public static let methodUnknown = ErrorCode("request.method", .usage)
    /// No resource exists at the path of an HTTP request to the daemon.
    public static let resourceUnknown = ErrorCode("request.path", .notFound)
}

// The data directories and the socket.
extension ErrorTemplate {
    public static let homeInUse = ErrorTemplate(
        .daemonRunning, "another daemon (process {pid}) uses the home '{path}'",
        hint: "use that daemon, or stop it with 'storectl daemon stop'")
    public static let homeInUseByUnknownProcess = ErrorTemplate(
        .daemonRunning, variant: "unknown-process", "another daemon uses the home '{path}'",
        hint: "use that daemon, or stop it with 'storectl daemon stop'")
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
    public static let requestBodyNotJSON = ErrorTemplate(
        .requestMediaType, "the request's body has the media type '{type}', not JSON",
        hint: "send JSON with 'Content-Type: application/json'")
    public static let methodNotAllowed = ErrorTemplate(
        .methodUnknown, "'{path}' does not support {method}, only {allowed}")
    public static let resourceNotFound = ErrorTemplate(
        .resourceUnknown, "there is no resource '{path}'",
        hint: "see '/v1/openapi.json' for all resources")
    public static let servedFileNotFound = ErrorTemplate(
        .resourceUnknown, variant: "file", "there is no file '{path}'")
    public static let servedFileTruncated = ErrorTemplate(
        .unexpected, variant: "served-file-truncated", "'{path}' was truncated while it was sent")
}
