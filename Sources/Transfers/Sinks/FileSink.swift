/// The receiver of one transfer of a ``FileDownload``, which gathers the body into larger pieces and passes them on.
final class FileSink: BodySink {
    private let download: FileDownload
    private let id: Int
    private let job: TransferJob
    /// The received bytes that are not queued for the disk yet.
    ///
    /// Libcurl delivers pieces of 16 KiB; writing and hashing cost less per byte in larger ones.
    private var gathered: [UInt8] = []
    /// The offset in the downloaded file of the first byte that is not queued for the disk yet.
    private var offset = 0

    static let gatherSize = 512 << 10

    init(_ download: FileDownload, _ id: Int, _ job: TransferJob) {
        self.download = download
        self.id = id
        self.job = job
    }

    /// The error that ends a transfer which has received all requested bytes, though the server would send more.
    private struct RequestedBytesReceived: Error {}

    func begin(_ response: TransferResponse) throws {
        try download.responseDidBegin(id, job, response)
        offset = download.position(id)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        if gathered.isEmpty {
            guard download.hasRoom(for: job) else { return false }
            gathered.reserveCapacity(min(Self.gatherSize + (16 << 10), max(bytes.count, job.bufferSize)))
        }
        let count = try download.accept(id, job, bytes.count)
        gathered.append(contentsOf: bytes[..<count])
        if gathered.count >= Self.gatherSize { try writeGathered() }
        // A server may send more than the requested range.
        if download.received(id, count) || count < bytes.count { throw RequestedBytesReceived() }
        return true
    }

    var withheldReport: ContinuousClock.Instant? { download.withheldReport }

    func reportWithheld(at now: ContinuousClock.Instant) { download.reportWithheld(at: now) }

    private func writeGathered() throws {
        guard !gathered.isEmpty else { return }
        let bytes = gathered
        gathered = []
        offset += bytes.count
        try download.append(bytes, at: offset - bytes.count)
    }

    func end(_ failure: (any Error)?) {
        do {
            try writeGathered()
            download.transferDidEnd(id, failure is RequestedBytesReceived ? nil : failure)
        } catch {
            // The first error is the one to report.
            let isIntended = failure is RequestedBytesReceived || failure is FileDownload.ConnectionTaken
            download.transferDidEnd(id, isIntended ? error : failure ?? error)
        }
    }
}
