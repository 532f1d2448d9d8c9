/// The exit status of a command, which is also the broad class of a failure.
public enum ExitCode: Int32, Sendable, Codable, CaseIterable {
    /// Success.
    case done = 0
    /// A failure that no other status describes.
    case failed = 1
    /// Invalid command line, request or setting.
    case usage = 2
    /// No such product, pack or store.
    case notFound = 3
    /// The network or the server failed, after all retries.
    case network = 4
    /// A hash, a signature, an archive or a document is invalid.
    case refused = 5
    /// The disk is full, or a configured limit is exceeded.
    case space = 6
    /// The operation conflicts with the current state: in use, needed by another pack, already running.
    case conflict = 7
    /// The daemon can't be reached or started.
    case daemon = 8
    /// The product has to be bought first.
    case notEntitled = 9
    /// Some of several items named in one call failed.
    case partial = 10
    /// `update --check` found updates.
    case updatesAvailable = 11
    /// Ended by SIGINT.
    case interrupted = 130
}
