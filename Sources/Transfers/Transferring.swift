public import FoundationEssentials
public import StoreSystem

/// Brings bytes from their addresses: ``TransferEngine`` over the network, a story's store without one.
///
/// What each function promises is written at the engine's.
public protocol Transferring: Sendable {
    func fetch(_ request: TransferRequest) async throws -> (response: TransferResponse, body: Data)

    func fetch(
        _ range: Range<Int>, of request: TransferRequest, size: Int, into file: OpenFile,
        progress: @escaping @Sendable (TransferProgress) -> Void
    ) async throws

    func download(
        from sources: inout SourceList, into partial: PartialFile, expecting expected: ExpectedContent,
        request: (URL) -> TransferRequest, progress: @escaping @Sendable (URL, TransferProgress) -> Void
    ) async throws -> Downloaded

    func asking<Value>(_ sources: inout SourceList, _ body: (URL) async throws -> Value) async throws -> Value

    func setLimits(_ limits: BandwidthLimits)

    func setRate(_ bytesPerSecond: Int?, of rate: TransferRate)

    var bytesReceived: Int { get }

    func shutdown() async
}

extension TransferEngine: Transferring {}

// For those who bring bytes in another way than the engine.

extension PartialFile {
    /// Puts bytes behind those that are here, and returns when they are in the file and in the hash.
    public func take(_ bytes: [UInt8]) async throws(FileError) {
        try append(bytes, at: size)
        try await flush()
    }

    /// What is here, as the end of a download.
    ///
    /// - Parameters:
    ///   - url: where the bytes came from.
    ///   - resumedFrom: how many were here before.
    /// - Throws: `content.hash-mismatch`, and nothing stays.
    public func finished(
        expecting expected: ExpectedContent, from url: URL, resumedFrom: Int, response: TransferResponse?
    ) throws -> Downloaded {
        if let wanted = expected.sha256, wanted != sha256 {
            let error = TransferError.hashMismatch(url, expected: wanted, found: sha256)
            try restart()
            throw error
        }
        return Downloaded(size: size, sha256: sha256, resumedFrom: resumedFrom, source: url, response: response)
    }
}

extension TransferError {
    /// Too little came for too long.
    public static func stalled(_ url: URL, _ limit: StallLimit) -> TransferError { timeout(url, .stall(limit)) }

    /// The answer did not begin in time.
    public static func unanswered(_ url: URL, within limit: Duration) -> TransferError { timeout(url, .answer(limit)) }
}
