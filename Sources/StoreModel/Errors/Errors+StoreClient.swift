extension ErrorCode {
    /// No process responds at the unix socket of the daemon `stored`.
    public static let daemonUnreachable = ErrorCode("daemon.unreachable", .daemon)
    /// The executable of the daemon `stored` was not found, or exited as soon as it was started.
    public static let daemonNotStarted = ErrorCode("daemon.not-started", .daemon)
    /// The running daemon and the client come from releases with different versions of the interface.
    public static let daemonVersion = ErrorCode("daemon.version", .daemon)
    /// The daemon's response does not fit the client's request.
    public static let daemonBadAnswer = ErrorCode("daemon.bad-answer", .daemon)
    /// The process that listens at the daemon's unix socket belongs to another user.
    public static let daemonForeign = ErrorCode("daemon.foreign", .daemon)
    /// The daemon was stopped while the client waited for a response.
    public static let daemonStopped = ErrorCode("daemon.stopped", .daemon)
}

extension ErrorTemplate {
    /// No process listens at the daemon's socket; argument `path` of the socket.
    public static let daemonNotRunning = ErrorTemplate(
        .daemonUnreachable, variant: "not-running", "the daemon is not running: no process listens at '{path}'",
        hint: "start it with 'storectl daemon start'")
    /// Connecting to the daemon's socket failed; argument `path` of the socket, and a cause.
    public static let daemonSocketUnusable = ErrorTemplate(
        .daemonUnreachable, variant: "socket", "could not connect to the daemon's socket '{path}': {cause}",
        hint: "check the owner and permissions of the socket's directory")
    /// A daemon listens but did not respond; arguments `path` of the socket, `reason`.
    public static let daemonNotResponding = ErrorTemplate(
        .daemonUnreachable, "the daemon at '{path}' did not respond: {reason}")
    /// A running daemon did not respond in time; argument `limit`, a duration.
    public static let daemonBusy = ErrorTemplate(
        .daemonUnreachable, variant: "busy", "the daemon is running, but did not respond within {limit}",
        hint: "try again; if it persists, run 'storectl daemon restart'")
    /// A daemon was started and did not respond in time; arguments `limit`, `path` of the program, `log`.
    public static let daemonStartTimedOut = ErrorTemplate(
        .daemonUnreachable, variant: "start", "the daemon '{path}' was started and did not respond within {limit}",
        hint: "see its log '{log}'")
    /// The daemon's program does not exist at the expected path; argument `path`.
    public static let daemonProgramMissing = ErrorTemplate(
        .daemonNotStarted, variant: "missing", "could not start the daemon: there is no program '{path}'",
        hint: "correct the path, or install the daemon there")
    /// The daemon's program was found neither beside the running program nor on `PATH`; argument `name`.
    public static let daemonProgramNotFound = ErrorTemplate(
        .daemonNotStarted, variant: "not-found",
        "could not start the daemon: its program '{name}' is neither beside this one nor on PATH",
        hint: "install '{name}' beside this program")
    /// The daemon exited while it was starting; arguments `path` of the program, exit `code`.
    public static let daemonExited = ErrorTemplate(
        .daemonNotStarted, variant: "exited", "could not start the daemon: '{path}' exited with code {code}",
        hint: "run '{path}' in a terminal to see why")
    /// The daemon could not start; argument `reason`, as the daemon reported it.
    public static let daemonStartFailed = ErrorTemplate(
        .daemonNotStarted, "could not start the daemon: {reason}",
        hint: "see what the daemon has logged before with 'storectl daemon logs'")
    /// The daemon could not start and advised what to do; arguments `reason` and `advice`, as the daemon reported them.
    public static let daemonStartFailedWithAdvice = ErrorTemplate(
        .daemonNotStarted, variant: "advice", "could not start the daemon: {reason}", hint: "{advice}")
    /// A system call to start the daemon's program failed; the call is the cause.
    public static let daemonStartRefused = ErrorTemplate(
        .daemonNotStarted, variant: "system", "could not start the daemon: {cause}",
        hint: "try again; if it persists, run 'stored' in a terminal to see why")
    /// Daemon and client have different interface versions; arguments `daemon` and `client`.
    public static let daemonIncompatible = ErrorTemplate(
        .daemonVersion, "the running daemon has interface version {daemon}, this program has version {client}",
        hint: "run 'storectl daemon stop'; the next command starts the matching daemon")
    /// A request names its resource with an empty text, as that of a script's unset variable is.
    public static let nameArgumentEmpty = ErrorTemplate(
        .usage, variant: "empty-name", "a name or an identifier must not be empty")
    /// The daemon's response is invalid; arguments `request`, `reason`.
    public static let daemonBadResponse = ErrorTemplate(
        .daemonBadAnswer, "could not use the daemon's response to {request}: {reason}",
        hint: "run 'storectl daemon stop'; the next command starts a new daemon")
    /// Another user's process listens at the daemon's socket; arguments `path` of the socket, `owner`.
    public static let daemonOfOtherUser = ErrorTemplate(
        .daemonForeign, "the daemon that listens at '{path}' belongs to {owner}",
        hint: "run the command as that user, or choose another home with --home; if the home is yours, "
            + "remove the socket")
    /// The directory of the daemon's socket is another user's and closed; arguments `path` of the directory, `owner`.
    public static let daemonHomeOfOtherUser = ErrorTemplate(
        .daemonForeign, variant: "home",
        "could not look for the daemon: '{path}' belongs to {owner}, and is closed to you",
        hint: "run the command as that user, or choose another home with --home")
    public static let daemonWasStopped = ErrorTemplate(
        .daemonStopped, "the daemon was stopped", hint: "run 'storectl daemon start' to continue its work")
}
