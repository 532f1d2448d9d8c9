extension ErrorCode {
    /// No process answers at the daemon's socket.
    public static let daemonUnreachable = ErrorCode("daemon.unreachable", .daemon)
    /// The daemon's program was not found, or exited as soon as it was started.
    public static let daemonNotStarted = ErrorCode("daemon.not-started", .daemon)
    /// Daemon and client come from releases with different interfaces.
    public static let daemonVersion = ErrorCode("daemon.version", .daemon)
    /// The response is not one that the daemon sends.
    public static let daemonBadAnswer = ErrorCode("daemon.bad-answer", .daemon)
    /// The process that listens at the socket belongs to another user.
    public static let daemonForeign = ErrorCode("daemon.foreign", .daemon)
    /// The daemon was stopped during a call.
    public static let daemonStopped = ErrorCode("daemon.stopped", .daemon)
}

extension ErrorTemplate {
    /// Arguments: `path` of the socket.
    public static let daemonNotRunning = ErrorTemplate(
        .daemonUnreachable, variant: "not-running", "the daemon is not running: no process listens at '{path}'",
        hint: "start it with 'storectl daemon start'")
    /// Arguments: `path` of the socket; the cause is the failed call.
    public static let daemonSocketUnusable = ErrorTemplate(
        .daemonUnreachable, variant: "socket", "could not connect to the daemon's socket '{path}': {cause}",
        hint: "check the owner and permissions of the socket's directory")
    /// Arguments: `path` of the socket, `reason`.
    public static let daemonNotResponding = ErrorTemplate(
        .daemonUnreachable, "the daemon at '{path}' did not respond: {reason}")
    /// Arguments: `limit`.
    public static let daemonBusy = ErrorTemplate(
        .daemonUnreachable, variant: "busy", "a daemon owns this home and did not respond within {limit}")
    /// Arguments: `limit`, `path` of the program, `log`.
    public static let daemonStartTimedOut = ErrorTemplate(
        .daemonUnreachable, variant: "start", "the daemon '{path}' was started and did not respond within {limit}",
        hint: "see its log '{log}'")
    /// Arguments: `path`.
    public static let daemonProgramMissing = ErrorTemplate(
        .daemonNotStarted, variant: "missing", "could not start the daemon: no program '{path}'")
    /// Arguments: `name`.
    public static let daemonProgramNotFound = ErrorTemplate(
        .daemonNotStarted, variant: "not-found",
        "could not start the daemon: its program '{name}' is neither beside this one nor on PATH",
        hint: "install '{name}' beside this program")
    /// Arguments: `path`, `code`.
    public static let daemonExited = ErrorTemplate(
        .daemonNotStarted, variant: "exited", "could not start the daemon: '{path}' exited with code {code}")
    /// Arguments: `reason`, as the daemon reported it.
    public static let daemonStartFailed = ErrorTemplate(.daemonNotStarted, "could not start the daemon: {reason}")
    /// Arguments: `reason` and `advice`, as the daemon reported them.
    public static let daemonStartFailedWithAdvice = ErrorTemplate(
        .daemonNotStarted, variant: "advice", "could not start the daemon: {reason}", hint: "{advice}")
    /// The cause is the failed call.
    public static let daemonStartRefused = ErrorTemplate(
        .daemonNotStarted, variant: "system", "could not start the daemon: {cause}")
    /// Arguments: the interface versions `daemon` and `client`.
    public static let daemonIncompatible = ErrorTemplate(
        .daemonVersion, "the running daemon has interface version {daemon}, this program has version {client}",
        hint: "run 'storectl daemon stop'; the next command starts the matching daemon")
    /// Arguments: `request`, `reason`.
    public static let daemonBadResponse = ErrorTemplate(
        .daemonBadAnswer, "could not use the daemon's response to {request}: {reason}",
        hint: "run 'storectl daemon stop'; the next command starts a new daemon")
    /// Arguments: `path` of the socket, `owner`.
    public static let daemonOfOtherUser = ErrorTemplate(
        .daemonForeign, "the process that listens at '{path}' belongs to {owner}",
        hint: "remove the socket, or choose another home with --home")
    public static let daemonWasStopped = ErrorTemplate(
        .daemonStopped, "the daemon was stopped", hint: "run 'storectl daemon start' to continue its work")
}
