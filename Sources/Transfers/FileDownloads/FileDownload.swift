import StoreModel
import StoreSystem
import Synchronization

/// One attempt to download a file from one URL, over one or several connections.
///
/// It requests the ranges that ``Segmentation`` decides on, and checks every response against the expected content.
final class FileDownload: Sendable {
    private let engine: TransferEngine
    private let request: TransferRequest
    private let partial: PartialFile
    private let expected: ExpectedContent
    /// Whether all bytes are kept when their hash is wrong, so that the caller can discard some of them.
    private let keepsWrongBytes: Bool
    private let reporter: ProgressReporter
    private let throttle: ProgressThrottle
    private let number = TransferJob.nextNumber()

    /// The error of one of a file's transfers that was ended to free its connection for another file or document.
    struct ConnectionTaken: Error {}

    private struct State {
        var segmentation: Segmentation
        var jobs: [Int: TransferJob] = [:]
        /// The first response with bytes of the file, with which all later responses must be consistent.
        var first: TransferResponse?
        var last: TransferResponse?
        var failure: (any Error)?
        /// Whether the next attempt must not use the bytes on the disk, because they may be part of the failure.
        var areBytesInvalid = false
        var resumedFrom: Int
        /// Whether no further transfer of the file's download may begin.
        var isStopped = false
        var continuation: CheckedContinuation<Void, Never>?
    }
    private let state: Mutex<State>

    /// Creates an attempt.
    ///
    /// - Parameters:
    ///   - keepsWrongBytes: whether all bytes are kept when their hash is wrong.
    ///   - startsOver: whether the complete file is requested. The bytes in `partial`, which may be of another file,
    ///     are discarded when its response begins.
    init(
        _ engine: TransferEngine, _ request: TransferRequest, into partial: PartialFile,
        expecting expected: ExpectedContent, keepsWrongBytes: Bool, startsOver: Bool, policy: Segmentation.Policy,
        reporter: ProgressReporter
    ) {
        self.engine = engine
        self.request = request
        self.partial = partial
        self.expected = expected
        self.keepsWrongBytes = keepsWrongBytes
        self.reporter = reporter
        throttle = request.progressThrottle ?? ProgressThrottle()
        let present = startsOver ? ByteRanges() : partial.present
        state = Mutex(
            State(
                segmentation: Segmentation(present: present, total: expected.size, policy: policy),
                resumedFrom: present.count))
    }

    /// Downloads the file; returns or throws once no transfer is running and all received bytes are written.
    ///
    /// - Throws: the error of the disk, or else that of the download; `CancellationError`. Bytes that must not be used
    ///   are discarded before.
    func run() async throws -> DownloadedFile {
        engine.downloads.add(1, ordering: .relaxed)
        defer { engine.downloads.subtract(1, ordering: .relaxed) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let first = state.withLock { state -> Segmentation.Action? in
                    state.continuation = continuation
                    return state.isStopped ? nil : state.segmentation.begin(at: .now)
                }
                if let first { perform([first]) } else { finishIfIdle() }
            }
        } onCancel: {
            stop(CancellationError())
        }
        var failure = state.withLock { $0.failure }
        // A full disk interrupts transfers; the disk's error is the one to report.
        do { try await partial.flush() } catch { failure = error }
        if failure == nil, !state.withLock({ $0.areBytesInvalid }) {
            do { return try downloaded() } catch { failure = error }
        }
        // A report, even of no bytes, tells the caller that the server was reached.
        if withheldReport != nil { report() }
        if state.withLock({ $0.areBytesInvalid }) { try partial.restart() }
        throw failure ?? StoreError.badResponse(request.url, "it has no end", isTransient: true)
    }

    private func downloaded() throws -> DownloadedFile {
        let (segmentation, last, resumedFrom) = state.withLock { ($0.segmentation, $0.last, $0.resumedFrom) }
        guard let last else { throw StoreError.badResponse(request.url, "it has no headers", isTransient: true) }
        if let total = segmentation.total, partial.size < total {
            throw StoreError.tooShort(request.url, received: partial.size, expected: total)
        }
        let found = partial.sha256
        if let sha256 = expected.sha256, found != sha256 {
            let error = StoreError.hashMismatch(request.url, expected: sha256, found: found)
            throw keepsWrongBytes ? error : invalidatingBytes(error)
        }
        report(isLast: true)
        return DownloadedFile(
            size: partial.size, sha256: found, resumedFrom: resumedFrom, source: request.url, response: last)
    }

    /// Records that the downloaded bytes on the disk must not be used, and returns `error`.
    private func invalidatingBytes(_ error: StoreError) -> StoreError {
        state.withLock { $0.areBytesInvalid = true }
        return error
    }

    // MARK: Transfers

    private func perform(_ actions: [Segmentation.Action]) {
        for action in actions {
            guard case .request(let id, let from, let to) = action else { continue }
            let job = state.withLock { state -> TransferJob? in
                guard !state.isStopped else { return nil }
                // A larger buffer halves the time of a large file, but costs memory in each of many transfers.
                let remaining = (to ?? state.segmentation.total).map { $0 - from } ?? Int.max
                let isOneOfMany = !state.jobs.isEmpty || engine.downloads.load(ordering: .relaxed) > 8
                let maximum = isOneOfMany ? 128 << 10 : 512 << 10
                let job = TransferJob(
                    request, offset: from, end: to, ifRange: request.strongTag ?? state.first?.strongTag,
                    bufferSize: min(max(remaining, 32 << 10), maximum), number: number,
                    isAdditionalConnection: !state.jobs.isEmpty)
                state.jobs[id] = job
                return job
            }
            if let job {
                engine.start(job) { FileSink(self, id, job) }
            } else {
                transferDidEnd(id, CancellationError())
            }
        }
    }

    private func stop(_ error: any Error) {
        let jobs = state.withLock { state in
            state.isStopped = true
            state.failure = state.failure ?? error
            return Array(state.jobs.values)
        }
        for job in jobs { engine.cancel(job) }
        finishIfIdle()
    }

    private func finishIfIdle() {
        let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.jobs.isEmpty else { return nil }
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }

    // MARK: Calls of the sinks

    /// Checks the headers of a response before any of its bytes are used, and records what they say of the file.
    ///
    /// - Parameters:
    ///   - id: the transfer, as ``Segmentation`` numbers it.
    ///   - job: the request of the transfer.
    /// - Throws: the reason why the response can't be used, which ends the transfer.
    func responseDidBegin(_ id: Int, _ job: TransferJob, _ response: TransferResponse) throws {
        let total: Int?
        switch response.status {
        case 200:
            total = response.contentLength
            // Before received bytes are discarded in favour of this response.
            try checkSize(total)
            try acceptCompleteFile(id, job)
        case 206:
            total = try checkRange(of: response, to: job)
            try checkSize(total)
        case 416 where job.offset > 0 && state.withLock({ $0.resumedFrom > 0 }): throw RangeNotSatisfiable()
        // The server contradicts its own response to the first request.
        case 416 where job.offset > 0: throw mismatch(job, "status 416")
        case let status where (200..<300).contains(status):
            throw StoreError.badResponse(request.url, "status \(status) has no file")
        default: throw StoreError.httpStatus(response)
        }
        state.withLock { state in
            state.first = state.first ?? response
            state.last = response
            // Ranges are assembled only where a hash verifies the file, or a tag proves that all are of the same file.
            let isVerifiable = expected.sha256 != nil || (request.strongTag ?? response.strongTag) != nil
            let supportsRanges = response.status == 206 || response.headers["accept-ranges"]?.lowercased() == "bytes"
            state.segmentation.responseDidBegin(
                id, total: total, isSplittable: isVerifiable && supportsRanges && !request.isLocalFile, at: .now)
        }
        partial.responseDidBegin(
            from: ContentOrigin(request.url, tag: response.strongTag), isProof: expected.sha256 == nil,
            size: total ?? expected.size)
        // The event loop, which makes a withheld report later, does not read local files.
        if request.isLocalFile { report() } else { throttle.withholdReport() }
    }

    private func checkSize(_ total: Int?) throws(StoreError) {
        if let size = expected.size, let total, total != size {
            throw StoreError.sizeMismatch(request.url, expected: size, found: "\(total)")
        }
        if let limit = request.sizeLimit, total ?? expected.size ?? 0 > limit {
            throw StoreError.tooLong(request.url, limit: limit)
        }
    }

    private func acceptCompleteFile(_ id: Int, _ job: TransferJob) throws {
        let isAlone = state.withLock { $0.jobs.count == 1 }
        guard isAlone || !job.requestsRange else {
            throw StoreError.badResponse(request.url, "it has the complete file instead of the requested range")
        }
        // Bytes of transfers that have ended would still be written into the new file: the next attempt starts over.
        if partial.hasPendingBytes {
            throw invalidatingBytes(.badResponse(request.url, "the file has changed", isTransient: true))
        }
        if partial.size > 0 { try partial.restart() }
        state.withLock { state in
            state.segmentation.didRestart(id, total: expected.size)
            state.resumedFrom = 0
            // What was known is of another file.
            state.first = nil
        }
    }

    /// Checks that a response with status 206 (Partial Content) has the requested range of the same file.
    ///
    /// - Returns: the size of the complete file in bytes; `nil` where the server does not declare it.
    /// - Throws: `transfer.range-mismatch`.
    private func checkRange(of response: TransferResponse, to job: TransferJob) throws -> Int? {
        let header = response.headers["content-range"] ?? "no Content-Range"
        guard job.requestsRange, let range = response.contentRange, let bytes = range.bytes,
            bytes.lowerBound == job.offset,
            job.end.map({ bytes.upperBound == $0 - 1 })
                // Without a total, the end of the response need not be that of the file.
                ?? range.total.map({ bytes.upperBound == $0 - 1 }) ?? (expected.size != nil)
        else { throw mismatch(job, "\(header)") }
        // A server that ignores If-Range sends a range of the file that it has now.
        let tag = job.ifRange ?? state.withLock { $0.first?.etag }
        if let tag, let other = response.etag, other != tag { throw mismatch(job, "those of a changed file") }
        return range.total
    }

    /// Returns the error of an unexpected range.
    ///
    /// All bytes of the download are invalidated if only one transfer is running.
    ///
    /// One of several transfers does not invalidate the bytes of the others, which the hash verifies in the end.
    private func mismatch(_ job: TransferJob, _ received: String) -> StoreError {
        let error = StoreError.rangeMismatch(request.url, offset: job.offset, received: received)
        return state.withLock({ $0.jobs.count == 1 }) ? invalidatingBytes(error) : error
    }

    /// Returns how many of the `count` bytes that a transfer received belong to its range; the others are ignored.
    ///
    /// - Throws: `transfer.too-long` beyond the request's size limit; `content.size-mismatch` for bytes beyond the end
    ///   of the file.
    func accept(_ id: Int, _ job: TransferJob, _ count: Int) throws -> Int {
        let (room, present, isToTheEnd) = state.withLock { state in
            (state.segmentation.room(id), state.segmentation.present.count, job.end == nil)
        }
        if let limit = request.sizeLimit, present + min(count, room ?? count) > limit {
            throw StoreError.tooLong(request.url, limit: limit)
        }
        guard let room, count > room else { return count }
        let (end, total) = state.withLock { state in
            (state.segmentation.position(id) + room, state.segmentation.total)
        }
        if isToTheEnd, let total, end == total {
            throw invalidatingBytes(.sizeMismatch(request.url, expected: total, found: "more"))
        }
        return room
    }

    /// Returns the offset in the file of the next byte that a transfer delivers.
    func position(_ id: Int) -> Int { state.withLock { $0.segmentation.position(id) } }

    /// Records that a transfer received `count` bytes; returns whether it has its complete range and is to be ended.
    func received(_ id: Int, _ count: Int) -> Bool {
        let now = ContinuousClock.now
        let actions = state.withLock { $0.segmentation.received(id, count, at: now) }
        if throttle.permitsReport(at: now) { report() }
        if actions == [.stop(id)] { return true }
        if !actions.isEmpty { perform(actions) }
        return false
    }

    /// The time from which withheld progress may be reported; `nil` if there is none.
    ///
    /// See ``ProgressThrottle/withheldReport``.
    var withheldReport: ContinuousClock.Instant? { throttle.withheldReport }

    /// Reports progress that was withheld because the last report was too recent, if enough time has passed since.
    func reportWithheld(at now: ContinuousClock.Instant) {
        if let time = withheldReport, now >= time { report() }
    }

    func transferDidEnd(_ id: Int, _ failure: (any Error)?) {
        let actions = state.withLock { state -> [Segmentation.Action] in
            state.jobs[id] = nil
            if failure is ConnectionTaken { return state.segmentation.connectionWasTaken(id, at: .now) }
            var failure = failure
            if failure == nil, let room = state.segmentation.room(id), room > 0 {
                failure = StoreError.tooShort(
                    request.url, received: state.segmentation.present.count, expected: state.segmentation.total ?? 0)
            }
            let actions = state.segmentation.transferDidEnd(id, failed: failure != nil, at: .now)
            // One of several transfers may fail: its range is requested again when another has ended. Where all bytes
            // are received and a hash verifies them, it does not matter how the last transfer ended.
            let isDone = state.segmentation.isComplete && expected.sha256 != nil
            if let failure, state.areBytesInvalid || (state.jobs.isEmpty && !isDone) {
                state.failure = state.failure ?? failure
                state.isStopped = true
            }
            return actions
        }
        perform(actions)
        finishIfIdle()
    }

    func takeBuffer() -> [UInt8] { partial.takeBuffer() }

    func append(_ bytes: [UInt8], at offset: Int) throws { try partial.append(bytes, at: offset) }

    func hasRoom(for job: TransferJob) -> Bool {
        // Reading a local file can't be paused; it blocks instead.
        guard request.isLocalFile else { return partial.hasRoom { [engine] in engine.resume(job) } }
        if !partial.hasRoom(orElse: {}) { partial.waitForDisk() }
        return true
    }

    private func report(isLast: Bool = false) {
        throttle.countReport()
        let progress = state.withLock { state in
            TransferProgress(
                received: state.segmentation.present.count, expected: state.segmentation.total,
                resumedFrom: state.resumedFrom)
        }
        reporter.report(progress, isLast: isLast)
    }
}

extension TransferResponse {
    /// The strong entity tag of the response; `nil` where it has none or a weak one.
    ///
    /// A weak tag does not prove that bytes are equal.
    var strongTag: String? { etag.flatMap { $0.hasPrefix("W/") ? nil : $0 } }
}

/// The error that the server has no bytes from the requested offset on (status 416).
///
/// The download handles it by starting over. Thrown only by an attempt that resumed from bytes of an earlier attempt.
struct RangeNotSatisfiable: Error {}
