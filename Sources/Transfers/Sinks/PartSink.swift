/// Takes the body of one transfer of a file that is downloaded, and hands it on in larger pieces.
final class PartSink: BodySink {
    private let download: FileDownload
    private let id: Int
    private let job: TransferJob
    /// What came and is not on its way to the disk yet. libcurl's pieces have 16 KiB; each write, and each round of
    /// hashing, costs less for more.
    private var gathered: [UInt8] = []
    /// Where it belongs.
    private var offset = 0

    static let gatherSize = 256 << 10

    init(_ download: FileDownload, _ id: Int, _ job: TransferJob) {
        self.download = download
        self.id = id
        self.job = job
    }

    /// All that the transfer was for is here, though more would come.
    private struct HasEnough: Error {}

    func begin(_ response: TransferResponse) throws {
        try download.answered(id, job, response)
        offset = download.position(id)
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        if gathered.isEmpty {
            guard download.hasRoom(for: job) else { return false }
            gathered.reserveCapacity(min(Self.gatherSize + (16 << 10), max(bytes.count, job.bufferSize)))
        }
        let count = try download.taken(id, job, bytes.count)
        gathered.append(contentsOf: bytes[..<count])
        if gathered.count >= Self.gatherSize { try handOn() }
        if download.received(id, count) { throw HasEnough() }
        return true
    }

    private func handOn() throws {
        guard !gathered.isEmpty else { return }
        let bytes = gathered
        gathered = []
        offset += bytes.count
        try download.append(bytes, at: offset - bytes.count)
    }

    func end(_ failure: (any Error)?) {
        do {
            try handOn()
            download.ended(id, failure is HasEnough ? nil : failure)
        } catch {
            // The first reason is the one to tell.
            download.ended(id, failure is HasEnough ? error : failure ?? error)
        }
    }
}
