/// The exit status of a command, from 0 to 11 or 130, which is also the broad class of an error.
public enum ExitCode: Int32, Sendable, Codable, CaseIterable {
    /// The command succeeded (exit status 0).
    case done = 0
    /// The command failed for a reason that no other exit status describes.
    case failed = 1
    /// The command failed, because the command line, a request or a setting is invalid.
    case usage = 2
    /// The command failed, because a requested product, pack, store or other item does not exist.
    case notFound = 3
    /// The command failed, because the network or the server failed, after all retries.
    case network = 4
    /// The command failed, because a hash, a signature, an archive or a document is invalid.
    case refused = 5
    /// The command failed, because the disk is full or a configured limit is exceeded.
    case space = 6
    /// The command conflicts with the current state: an item is in use, needed by another pack, or already running.
    case conflict = 7
    /// The command failed, because the daemon can't be reached or started.
    case daemon = 8
    /// The command failed, because the product has a price and has to be purchased first.
    case notEntitled = 9
    /// Some of several items named in one command failed.
    case partial = 10
    /// The command `update --check` found updates, which is not an error.
    case updatesAvailable = 11
    /// The command was ended by SIGINT (Ctrl-C): 128 plus the signal's number 2.
    case interrupted = 130

    /// The meaning of the exit status in a few words, as the table in the help of `storectl` shows it.
    public var summary: String {
        switch self {
        case .done: "success, or nothing to do"
        case .failed: "a failure without a code of its own"
        case .usage: "usage error"
        case .notFound: "no such product, pack, store or file"
        case .network: "the network or the server failed, after all retries"
        case .refused: "rejected: an invalid hash, signature, archive or document"
        case .space: "no space left, or a configured limit exceeded"
        case .conflict: "conflict: in use, required by another product, or busy"
        case .daemon: "the daemon can't be reached or started"
        case .notEntitled: "not entitled: the product must be purchased first"
        case .partial: "partial failure: some of the named items failed"
        case .updatesAvailable: "'update --check': updates are available"
        case .interrupted: "interrupted"
        }
    }
}
