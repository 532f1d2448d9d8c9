/// The exit status of a command, which is also the broad class of a failure.
public enum ExitCode: Int32, Sendable, Codable, CaseIterable {
    /// The command succeeded.
    case done = 0
    /// The command failed for a reason that no other status describes.
    case failed = 1
    /// The command line, a request or a setting is invalid.
    case usage = 2
    /// A requested product, pack, store or other item does not exist.
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
    /// The product has a price and has to be purchased first.
    case notEntitled = 9
    /// Some of several items named in one call failed.
    case partial = 10
    /// `update --check` found updates.
    case updatesAvailable = 11
    /// The command was ended by SIGINT: 128 plus the signal's number 2.
    case interrupted = 130
}
