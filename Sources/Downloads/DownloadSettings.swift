public import StoreArchives
public import StoreTransfers

/// The settings of downloads: how many run at once, retries, time limits, size limits and the archive cache.
public struct DownloadSettings: Sendable {
    /// The maximum number of downloads that run at once; the others are queued.
    public var maximumAtOnce: Int
    /// The policy of retries: how often fetching an archive is tried without progress, and with what delays.
    public var retry: RetryPolicy
    /// The policy for servers that can't be reached: for how long they are tried again, and with what delays.
    public var outages: OutagePolicy
    /// The limits of the partial files that failed downloads leave, so that they can be resumed.
    public var partials: PartialFileLimits
    /// The time limits of each transfer of bytes from a URL.
    public var timeouts: TransferTimeouts
    /// The limits of sizes and names of a ZIP archive, checked when a downloaded archive is unpacked.
    public var archives: ArchiveLimits
    /// The maximum size in bytes of all installed packs together; `nil` is unlimited.
    public var librarySize: Int?
    /// The maximum size in bytes of one downloaded archive; `nil` is unlimited.
    public var archiveSize: Int?
    /// The maximum size in bytes of the cache of archives of installed packs; 0 disables the cache.
    public var keptArchives: Int

    public init(
        maximumAtOnce: Int = 192, retry: RetryPolicy = RetryPolicy(), outages: OutagePolicy = OutagePolicy(),
        partials: PartialFileLimits = PartialFileLimits(), timeouts: TransferTimeouts = TransferTimeouts(),
        archives: ArchiveLimits = ArchiveLimits(), librarySize: Int? = nil, archiveSize: Int? = nil,
        keptArchives: Int = 0
    ) {
        self.maximumAtOnce = maximumAtOnce
        self.retry = retry
        self.outages = outages
        self.partials = partials
        self.timeouts = timeouts
        self.archives = archives
        self.librarySize = librarySize
        self.archiveSize = archiveSize
        self.keptArchives = keptArchives
    }
}
