import StoreModel
import StoreSystem

/// The receiver of a transfer that passes one range of a file to a writer, and rejects a response with anything else.
final class RangeSink: BodySink {
    private let job: TransferJob
    private let range: Range<Int>
    private let size: Int
    private let writer: RangeWriter
    private let hasRoomAgain: @Sendable () -> Void
    private let waiting: CheckedContinuation<Void, any Error>
    private var hasBegun = false
    /// The number of bytes of the requested range that were received.
    private var received = 0
    private var gathered: PieceBuffer

    /// Creates the receiver of a transfer of one range of a file.
    ///
    /// - Parameters:
    ///   - range: the requested bytes of the file.
    ///   - size: the size of the complete file in bytes.
    ///   - hasRoomAgain: called when a paused transfer may continue.
    ///   - waiting: resumed when the transfer has ended and its bytes are written.
    init(
        _ job: TransferJob, _ range: Range<Int>, of size: Int, into writer: RangeWriter,
        hasRoomAgain: @escaping @Sendable () -> Void, waiting: CheckedContinuation<Void, any Error>
    ) {
        self.job = job
        self.range = range
        self.size = size
        self.writer = writer
        self.hasRoomAgain = hasRoomAgain
        self.waiting = waiting
        gathered = PieceBuffer(size: job.bufferSize)
    }

    func begin(_ response: TransferResponse) throws {
        guard response.status == 200 || response.status == 206 || response.status == 416 else {
            throw StoreError.httpStatus(response)
        }
        // A server may omit the size; where it declares one, it must be that of the expected file.
        guard response.status == 206, let answer = response.contentRange, let bytes = answer.bytes,
            bytes.lowerBound == range.lowerBound, bytes.upperBound == range.upperBound - 1,
            answer.total ?? size == size
        else {
            throw StoreError.rangeRefused(
                job.request.url, range, response.headers["content-range"] ?? "status \(response.status)")
        }
        hasBegun = true
        writer.report()
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        guard received + bytes.count <= range.count else {
            throw StoreError.rangeRefused(job.request.url, range, "more than that")
        }
        if let failure = writer.failure { throw failure }
        // Reading a local file can't be paused; it blocks instead.
        if job.request.isLocalFile {
            writer.waitForRoom()
        } else if gathered.isEmpty, !writer.hasRoom(orElse: hasRoomAgain) {
            return false
        }
        received += bytes.count
        gathered.append(bytes[...])
        if gathered.isFull { writeGathered() }
        return true
    }

    private func writeGathered() {
        guard !gathered.isEmpty else { return }
        writer.write(gathered.take())
    }

    func end(_ failure: (any Error)?) {
        writeGathered()
        var failure = failure
        if failure == nil {
            if !hasBegun {
                failure = StoreError.badResponse(job.request.url, "it has no headers", isTransient: true)
            } else if received != range.count {
                failure = StoreError.tooShort(job.request.url, received: received, expected: range.count)
            }
        }
        writer.finish(reporting: hasBegun) { [waiting, failure] writeFailure in
            // A full disk interrupts the transfer; the disk's error is the one to report.
            if let error: any Error = writeFailure ?? failure {
                waiting.resume(throwing: error)
            } else {
                waiting.resume()
            }
        }
    }
}
