public import StoreModel

/// Why a download could not be begun, found or stopped, or failed on the way for a reason of its own.
public struct DownloadError: CodedError {
    public let code: ErrorCode
    public let message: String

    public init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode {
    /// No task of that product runs, and none ended since the start.
    public static let downloadMissing = ErrorCode("download.unknown", .notFound)
    /// The product is being brought in from another store.
    public static let otherStore = ErrorCode("conflict.other-store", .conflict)
    /// A pack that this one needs could not be installed.
    public static let prerequisiteFailed = ErrorCode("dependency.failed", .conflict)
    /// The library would grow over the limit that the user set.
    public static let libraryLimit = ErrorCode("space.library-limit", .space)
    /// An archive is larger than the user takes.
    public static let archiveLimit = ErrorCode("space.download-limit", .space)
    /// The daemon is ending and takes no new work.
    public static let shuttingDown = ErrorCode("daemon.ending", .daemon)
    /// What an operation was to do could not be read after a restart.
    public static let operationLost = ErrorCode("operation.lost", .failed)
}
