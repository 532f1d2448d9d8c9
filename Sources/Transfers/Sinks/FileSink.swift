/// The receiver of one transfer of a ``FileDownload``, which gathers the body into larger pieces and passes them on.
final class FileSink: BodySink {
    private let download: FileDownload
    private let id: Int
    private let job: TransferJob
    /// The received bytes that are not queued for the disk yet.
    private var gathered: PieceBuffer
    /// The offset in the downloaded file of the first byte that is not queued for the disk yet.
    private var offset = 0

    init(_ download: FileDownload, _ id: Int, _ job: TransferJob) {
        self.download = download
        self.id = id
        self.job = job
        gathered = PieceBuffer(size: job.bufferSize)
    }

    /// The error that ends a transfer which has received all requested bytes, though the server would send more.
    private struct RequestedBytesReceived: Error {}

    func begin(_ response: TransferResponse) throws {
        try download.responseDidBegin(id, job, response)
        offset = download.position(id)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        if gathered.isEmpty, !download.hasRoom(for: job) { return false }
        let count = try download.accept(id, job, bytes.count)
        gathered.append(bytes[..<count], newBuffer: download.takeBuffer)
        if gathered.isFull { try writeGathered() }
        // A server may send more than the requested range.
        if download.received(id, count) || count < bytes.count { throw RequestedBytesReceived() }
        return true
    }

    var withheldReport: ContinuousClock.Instant? { download.withheldReport }

    func reportWithheld(at now: ContinuousClock.Instant) { download.reportWithheld(at: now) }

    private func writeGathered() throws {
        guard !gathered.isEmpty else { return }
        let bytes = gathered.take()
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
