import StoreModel
import StoreSystem
import Synchronization

/// One file on its way: asks for the parts that ``Segmentation`` says, and holds every answer to what was expected.
final class FileDownload: Sendable {
    private let engine: TransferEngine
    private let request: TransferRequest
    private let partial: PartialFile
    private let expected: ExpectedContent
    private let keepsWrong: Bool
    private let reporter: ProgressReporter
    private let throttle: ProgressThrottle
    private let number = TransferJob.nextNumber()

    private struct State {
        var segmentation: Segmentation
        var jobs: [Int: TransferJob] = [:]
        /// The first answer that brought bytes of the file, to which all others must fit.
        var first: TransferResponse?
        var last: TransferResponse?
        var failure: (any Error)?
        /// The bytes on the disk led to the failure, or are part of it: the next attempt must not build on them.
        var isWorthless = false
        var resumedFrom: Int
        /// No transfer is to begin any more.
        var isStopped = false
        var waiting: CheckedContinuation<Void, Never>?
    }
    private let state: Mutex<State>

    init(
        _ engine: TransferEngine, _ request: TransferRequest, into partial: PartialFile,
        expecting expected: ExpectedContent, keepsWrong: Bool, policy: Segmentation.Policy,
        reporter: ProgressReporter
    ) {
        self.engine = engine
        self.request = request
        self.partial = partial
        self.expected = expected
        self.keepsWrong = keepsWrong
        self.reporter = reporter
        throttle = request.progressThrottle ?? ProgressThrottle()
        let here = partial.here
        state = Mutex(
            State(
                segmentation: Segmentation(here: here, total: expected.size, policy: policy),
                resumedFrom: here.count))
    }

    /// Returns when no transfer runs any more and all that came is on the disk.
    func run() async throws -> Downloaded {
        engine.downloads.add(1, ordering: .relaxed)
        defer { engine.downloads.subtract(1, ordering: .relaxed) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                let first = state.withLock { state -> Segmentation.Action? in
                    state.waiting = waiting
                    return state.isStopped ? nil : state.segmentation.begin(at: .now)
                }
                if let first { perform([first]) } else { finishIfIdle() }
            }
        } onCancel: {
            stop(CancellationError())
        }
        var failure = state.withLock { $0.failure }
        // A full disk breaks transfers off; that they were broken off is not the reason to tell.
        do { try await partial.flush() } catch { failure = error }
        if failure == nil, !state.withLock({ $0.isWorthless }) {
            do { return try downloaded() } catch { failure = error }
        }
        if state.withLock({ $0.isWorthless }) { try partial.restart() }
        throw failure ?? TransferError.badAnswer(request.url, "it has no end", isTransient: true)
    }

    private func downloaded() throws -> Downloaded {
        let (segmentation, last, resumedFrom) = state.withLock { ($0.segmentation, $0.last, $0.resumedFrom) }
        guard let last else { throw TransferError.badAnswer(request.url, "it has no headers", isTransient: true) }
        if let total = segmentation.total, partial.size < total {
            throw TransferError.tooShort(request.url, received: partial.size, expected: total)
        }
        let found = partial.sha256
        if let sha256 = expected.sha256, found != sha256 {
            let error = TransferError.hashMismatch(request.url, expected: sha256, found: found)
            throw keepsWrong ? error : worthless(error)
        }
        report()
        return Downloaded(
            size: partial.size, sha256: found, resumedFrom: resumedFrom, source: request.url, response: last)
    }

    private func worthless(_ error: TransferError) -> TransferError {
        state.withLock { $0.isWorthless = true }
        return error
    }

    // MARK: Transfers

    private func perform(_ actions: [Segmentation.Action]) {
        for action in actions {
            guard case .request(let id, let from, let to) = action else { continue }
            let job = state.withLock { state -> TransferJob? in
                guard !state.isStopped else { return nil }
                // A larger buffer halves the time of a large file, and would be a waste for each of many.
                let rest = (to ?? state.segmentation.total).map { $0 - from } ?? Int.max
                let most = engine.downloads.load(ordering: .relaxed) > 8 ? 128 << 10 : 512 << 10
                let job = TransferJob(
                    request, offset: from, end: to, ifRange: request.strongTag ?? state.first?.strongTag,
                    bufferSize: min(max(rest, 64 << 10), most), number: number, isExtra: !state.jobs.isEmpty)
                state.jobs[id] = job
                return job
            }
            if let job { engine.start(job) { PartSink(self, id, job) } } else { ended(id, CancellationError()) }
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
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.jobs.isEmpty else { return nil }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    // MARK: What the sinks tell

    func answered(_ id: Int, _ job: TransferJob, _ response: TransferResponse) throws {
        let total: Int?
        switch response.status {
        case 200:
            total = response.contentLength
            // Before the bytes that are here are let go of for its sake.
            try checkSize(total)
            try beginWhole(id, job)
        case 206:
            total = try checkRange(of: response, to: job)
            try checkSize(total)
        case 416 where job.offset > 0: throw RangeNotThere()
        case let status where (200..<300).contains(status):
            throw TransferError.badAnswer(request.url, "status \(status) brings no file")
        default: throw TransferError.httpStatus(response)
        }
        state.withLock { state in
            state.first = state.first ?? response
            state.last = response
            // Parts are only put together where the whole can be proved, or none can be of another file.
            let isProvable = expected.sha256 != nil || (request.strongTag ?? response.strongTag) != nil
            let knowsParts = response.status == 206 || response.headers["accept-ranges"]?.lowercased() == "bytes"
            state.segmentation.answered(
                id, total: total, isSplittable: isProvable && knowsParts && !request.isLocalFile, at: .now)
        }
        if let size = total ?? expected.size { partial.reserve(size) }
        partial.came(under: response.strongTag, isProof: expected.sha256 == nil)
        report()
    }

    private func checkSize(_ total: Int?) throws(TransferError) {
        if let size = expected.size, let total, total != size {
            throw .sizeMismatch(request.url, expected: size, found: "\(total)")
        }
        if let limit = request.sizeLimit, total ?? expected.size ?? 0 > limit {
            throw .tooLong(request.url, limit: limit)
        }
    }

    private func beginWhole(_ id: Int, _ job: TransferJob) throws {
        let isAlone = state.withLock { $0.jobs.count == 1 }
        guard isAlone || !job.asksForPart else {
            throw TransferError.badAnswer(request.url, "it brings the whole file where a part was asked for")
        }
        if partial.size > 0 { try partial.restart() }
        state.withLock { state in
            state.segmentation.restarted(id)
            state.resumedFrom = 0
        }
    }

    /// - Returns: the length of the whole file, where the server knows it.
    private func checkRange(of response: TransferResponse, to job: TransferJob) throws -> Int? {
        let header = response.headers["content-range"] ?? "no Content-Range"
        guard job.asksForPart, let range = response.contentRange, let bytes = range.bytes,
            bytes.lowerBound == job.offset,
            job.end.map({ bytes.upperBound == $0 - 1 })
                ?? range.total.map({ bytes.upperBound == $0 - 1 }) ?? true
        else { throw mismatch(job, "\(header)") }
        // A server that does not know If-Range sends a part of whatever lies there now.
        let tag = job.ifRange ?? state.withLock { $0.first?.etag }
        if let tag, let other = response.etag, other != tag { throw mismatch(job, "those of a changed file") }
        return range.total
    }

    /// Where it is one of several transfers, the others may go on: in the end the hash decides.
    private func mismatch(_ job: TransferJob, _ answered: String) -> TransferError {
        let error = TransferError.rangeMismatch(request.url, asked: job.offset, answered: answered)
        return state.withLock({ $0.jobs.count == 1 }) ? worthless(error) : error
    }

    /// How many of the bytes that came are taken; fewer than came where more have come than the transfer is for.
    func taken(_ id: Int, _ job: TransferJob, _ count: Int) throws -> Int {
        let (room, here, isToTheEnd) = state.withLock { state in
            (state.segmentation.room(id), state.segmentation.here.count, job.end == nil)
        }
        if let limit = request.sizeLimit, here + min(count, room ?? count) > limit {
            throw TransferError.tooLong(request.url, limit: limit)
        }
        guard let room, count > room else { return count }
        let (end, total) = state.withLock { state in
            (state.segmentation.position(id) + room, state.segmentation.total)
        }
        if isToTheEnd, let total, end == total {
            throw worthless(.sizeMismatch(request.url, expected: total, found: "more"))
        }
        return room
    }

    /// Where the next byte of a transfer belongs.
    func position(_ id: Int) -> Int { state.withLock { $0.segmentation.position(id) } }

    /// - Returns: whether the transfer has brought all that it was for.
    func received(_ id: Int, _ count: Int) -> Bool {
        let now = ContinuousClock.now
        let actions = state.withLock { $0.segmentation.received(id, count, at: now) }
        if throttle.permitsReport(at: now) { report() }
        if actions == [.stop(id)] { return true }
        if !actions.isEmpty { perform(actions) }
        return false
    }

    func ended(_ id: Int, _ failure: (any Error)?) {
        let actions = state.withLock { state -> [Segmentation.Action] in
            state.jobs[id] = nil
            var failure = failure
            if failure == nil, let room = state.segmentation.room(id), room > 0 {
                failure = TransferError.tooShort(
                    request.url, received: state.segmentation.here.count, expected: state.segmentation.total ?? 0)
            }
            let actions = state.segmentation.ended(id, failed: failure != nil, at: .now)
            // One of several may fail: what it was for is asked for again when another is done. Where all bytes are
            // here and can be proved, it does not matter how the last transfer ended.
            let isDone = state.segmentation.isComplete && expected.sha256 != nil
            if let failure, state.isWorthless || (state.jobs.isEmpty && !isDone) {
                state.failure = state.failure ?? failure
                state.isStopped = true
            }
            return actions
        }
        perform(actions)
        finishIfIdle()
    }

    func append(_ bytes: [UInt8], at offset: Int) throws { try partial.append(bytes, at: offset) }

    func hasRoom(for job: TransferJob) -> Bool {
        // Nobody can make the reading of a file pause; it waits instead.
        guard request.isLocalFile else { return partial.hasRoom { [engine] in engine.resume(job) } }
        if !partial.hasRoom(orElse: {}) { partial.waitForDisk() }
        return true
    }

    private func report() {
        throttle.countReport()
        let progress = state.withLock { state in
            TransferProgress(
                received: state.segmentation.here.count, expected: state.segmentation.total,
                resumedFrom: state.resumedFrom)
        }
        reporter.report(progress)
    }
}

extension TransferResponse {
    /// A weak tag proves nothing about bytes.
    var strongTag: String? { etag.flatMap { $0.hasPrefix("W/") ? nil : $0 } }
}

/// The server has nothing from the byte on that was asked for (status 416); told to the download and to nobody else.
struct RangeNotThere: Error {}
