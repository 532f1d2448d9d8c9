/// The types of the values that a download's steps produce and pass on, as associated types; tests use simple ones.
protocol DownloadContent: Sendable {
    /// The type of the state of fetching an archive: the bytes that attempts have brought so far.
    associatedtype Partial: PartialContent
    /// The type of a fetched and verified archive, which one step of a download passes to the next.
    associatedtype Archive: Sendable
    /// The type of an unpacked pack that is not committed yet, which one step of a download passes to the next.
    associatedtype Staged: Sendable
    /// The type of a committed (installed) pack, the result of a download.
    associatedtype Pack: Sendable
}

/// The state of fetching an archive that each attempt passes to the next: the bytes brought so far.
protocol PartialContent: Sendable {
    /// The state of fetching an archive before the first attempt.
    static var none: Self { get }
    /// The number of bytes of the archive on disk; `nil` before an attempt has decided what to fetch.
    var bytesReceived: Int? { get }
    /// Whether an earlier process has received bytes of the archive in the same download.
    var isContinued: Bool { get }
}
