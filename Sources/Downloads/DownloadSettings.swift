public import StoreArchives
public import StoreTransfers

/// What limits downloads.
public struct DownloadSettings: Sendable {
    /// Tasks that run at once; the others wait for their turn.
    public var maximumAtOnce: Int
    public var retry: RetryPolicy
    public var timeouts: TransferTimeouts
    public var archives: ArchiveLimits
    /// Bytes that all packs together may have; `nil` for no limit.
    public var librarySize: Int?
    /// Bytes that one archive may have; `nil` for no limit.
    public var archiveSize: Int?
    /// Bytes of archives that are kept, so that they need not come again; 0 keeps none.
    public var keptArchives: Int

    public init(
        maximumAtOnce: Int = 128, retry: RetryPolicy = RetryPolicy(), timeouts: TransferTimeouts = TransferTimeouts(),
        archives: ArchiveLimits = ArchiveLimits(), librarySize: Int? = nil, archiveSize: Int? = nil,
        keptArchives: Int = 0
    ) {
        self.maximumAtOnce = maximumAtOnce
        self.retry = retry
        self.timeouts = timeouts
        self.archives = archives
        self.librarySize = librarySize
        self.archiveSize = archiveSize
        self.keptArchives = keptArchives
    }
}
