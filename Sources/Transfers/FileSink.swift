import Files
import StoreModel

/// Puts the body of an answer into a partial file, and holds the answer to what was expected.
final class FileSink: BodySink {
    private let job: TransferJob
    private let partial: PartialFile
    private let expected: ExpectedContent
    private let reporter: ProgressReporter
    private let waiting: CheckedContinuation<Downloaded, any Error>

    private var response: TransferResponse?
    private var resumedFrom = 0
    /// Length of the whole file, from what was expected or what the server says.
    private var total: Int?
    /// What came and is not written yet. libcurl's pieces have 16 KiB; each write, and each round of
    /// hashing, costs less for more.
    private var gathered: [UInt8] = []
    private let gatherSize: Int
    private var nextReport = ContinuousClock.now

    static let gatherSize = 256 << 10
    private static let reportInterval = Duration.milliseconds(100)

    init(
        _ job: TransferJob, into partial: PartialFile, expecting expected: ExpectedContent, reporter: ProgressReporter,
        waiting: CheckedContinuation<Downloaded, any Error>
    ) {
        self.job = job
        self.partial = partial
        self.expected = expected
        self.reporter = reporter
        self.waiting = waiting
        gatherSize = min(FileSink.gatherSize, max(expected.size ?? FileSink.gatherSize, 1))
    }

    // MARK: The answer

    func begin(_ response: TransferResponse) throws {
        switch response.status {
        case 200: try beginWhole(response)
        case 206: try beginRange(response)
        case 416 where job.offset > 0: throw RangeNotThere()
        case let status where (200..<300).contains(status):
            throw TransferError.badAnswer(job.request.url, "status \(status) brings no file")
        default: throw TransferError.httpStatus(response)
        }
        if let size = expected.size, let total, total != size {
            throw TransferError.sizeMismatch(job.request.url, expected: size, found: "\(total)")
        }
        total = total ?? expected.size
        if let limit = job.request.sizeLimit, total ?? 0 > limit {
            throw TransferError.tooLong(job.request.url, limit: limit)
        }
        self.response = response
        gathered.reserveCapacity(min(gatherSize + (16 << 10), total ?? Int.max))
        report()
    }

    private func beginWhole(_ response: TransferResponse) throws {
        if partial.size > 0 { try partial.restart() }
        total = response.contentLength
    }

    private func beginRange(_ response: TransferResponse) throws {
        let asked = job.offset
        let header = response.headers["content-range"] ?? "no Content-Range"
        guard asked > 0, let range = response.contentRange, let bytes = range.bytes, bytes.lowerBound == asked,
            range.total.map({ bytes.upperBound == $0 - 1 }) ?? true
        else { throw try restarting(.rangeMismatch(job.request.url, asked: asked, answered: header)) }
        // A server that does not know If-Range sends the rest of whatever lies there now.
        if let tag = job.request.ifRange, let other = response.etag, other != tag {
            throw try restarting(.rangeMismatch(job.request.url, asked: asked, answered: "those of a changed file"))
        }
        resumedFrom = asked
        total = range.total
    }

    /// The bytes on disk led to this error, or are part of it, so the next attempt must not go on from them.
    private func restarting(_ error: TransferError) throws -> TransferError {
        gathered = []
        try partial.restart()
        return error
    }

    // MARK: The bytes

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        let size = partial.size + gathered.count + bytes.count
        if let limit = job.request.sizeLimit, size > limit {
            throw TransferError.tooLong(job.request.url, limit: limit)
        }
        if let total, size > total {
            throw try restarting(.sizeMismatch(job.request.url, expected: total, found: "more"))
        }
        gathered.append(contentsOf: bytes)
        if gathered.count >= gatherSize { try write() }
        if ContinuousClock.now >= nextReport { report() }
        return true
    }

    private func write() throws {
        try gathered.withUnsafeBytes { try partial.append($0) }
        gathered.removeAll(keepingCapacity: true)
    }

    private func report() {
        reporter.report(
            TransferProgress(received: partial.size + gathered.count, expected: total, resumedFrom: resumedFrom))
        nextReport = .now + FileSink.reportInterval
    }

    // MARK: The end

    func end(_ failure: (any Error)?) {
        do {
            if let failure {
                // What came is of use to the next attempt. If it can't be written, the first reason is still the one to
                // tell.
                try? write()
                throw failure
            }
            try write()
            report()
            waiting.resume(returning: try downloaded())
        } catch {
            waiting.resume(throwing: error)
        }
    }

    private func downloaded() throws -> Downloaded {
        let url = job.request.url
        guard let response else { throw TransferError.badAnswer(url, "it has no headers", isTransient: true) }
        if let total, partial.size < total {
            throw TransferError.tooShort(url, received: partial.size, expected: total)
        }
        let found = partial.sha256
        if let sha256 = expected.sha256, found != sha256 {
            throw try restarting(.hashMismatch(url, expected: sha256, found: found))
        }
        return Downloaded(size: partial.size, sha256: found, resumedFrom: resumedFrom, response: response)
    }
}

/// The server has nothing from the byte on that was asked for (status 416); told to the download and to nobody else.
struct RangeNotThere: Error {}
