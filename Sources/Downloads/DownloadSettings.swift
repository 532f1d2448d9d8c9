public import StoreArchives
public import StoreTransfers

/// The settings of downloads: how many run at once, retries, time limits, size limits and the archive cache.
public struct DownloadSettings: Sendable {
    /// The number of downloads that run at once; the others are queued.
    public var maximumAtOnce: Int
    public var retry: RetryPolicy
    public var timeouts: TransferTimeouts
    public var archives: ArchiveLimits
    /// The maximum size in bytes of all packs together; `nil` is without limit.
    public var librarySize: Int?
    /// The maximum size in bytes of one archive; `nil` is without limit.
    public var archiveSize: Int?
    /// The maximum size in bytes of the archive cache; 0 disables the cache.
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
