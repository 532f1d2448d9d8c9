public import FoundationEssentials
public import StoreModel
public import StoreSystem

/// A source of bytes from URLs: the network (``TransferEngine``), or a scripted scenario in its place.
///
/// ``TransferEngine`` documents what each method promises.
public protocol Transferring: Sendable {
    /// Fetches a small document from a URL into memory, whatever the response's status.
    func fetch(_ request: TransferRequest) async throws -> (response: TransferResponse, body: Data)

    /// Fetches a range of a remote file and writes it to the same position of `file`.
    func fetch(
        _ range: Range<Int>, of request: TransferRequest, size: Int, into file: OpenFile,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws

    /// Downloads a file, or the bytes of it that are missing, from the first of several mirrors that delivers it.
    func download(
        from mirrors: inout MirrorList, into partial: PartialFile, expecting expected: ExpectedContent,
        request: (URL) -> TransferRequest, progress: @escaping @Sendable (URL, TransferProgress) -> Void
    ) async throws -> DownloadedFile

    /// Calls a function with the URL of one mirror after another until it succeeds, and returns its result.
    func withFailover<Value>(_ mirrors: inout MirrorList, _ body: (URL) async throws -> Value) async throws -> Value

    /// Sets the bandwidth limits of all transfers, also of running ones.
    func setLimits(_ limits: BandwidthLimits)

    /// Sets the rate limit of a download in bytes per second, also for its running transfers; `nil` is unlimited.
    func setRate(_ bytesPerSecond: Int?, of rate: TransferRate)

    /// The number of body bytes received from the network since the start, including those of failed transfers.
    var bytesReceived: Int { get }

    /// Prepares the first transfer in the background, so that it begins sooner.
    func prepare()

    /// Ends all transfers over the network, and returns once they have ended.
    func shutdown() async
}

extension TransferEngine: Transferring {}

// For other implementations of the protocol.

extension PartialFile {
    /// Appends bytes to the partial file after those that were received.
    ///
    /// Returns once they are in the file and in the hash.
    ///
    /// - Throws: the failure of a write.
    public func append(_ bytes: [UInt8]) async throws(StoreError) {
        try append(bytes, at: size)
        try await flush()
    }

    /// Verifies the hash of the downloaded file and returns the result of its download.
    ///
    /// The size is not verified, nor the hash where `expected` has none.
    ///
    /// - Parameters:
    ///   - url: the URL that delivered the bytes.
    ///   - resumedFrom: the number of bytes that were there before.
    /// - Throws: `content.hash-mismatch`; then all bytes are discarded.
    public func finished(
        expecting expected: ExpectedContent, from url: URL, resumedFrom: Int, response: TransferResponse?
    ) throws -> DownloadedFile {
        if let wanted = expected.sha256, wanted != sha256 {
            let error = StoreError.hashMismatch(url, expected: wanted, found: sha256)
            try restart()
            throw error
        }
        return DownloadedFile(size: size, sha256: sha256, resumedFrom: resumedFrom, source: url, response: response)
    }
}
