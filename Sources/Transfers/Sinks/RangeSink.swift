import Dispatch
import StoreModel
import StoreSystem
import Synchronization

/// Puts a part of a file where it belongs, and takes nothing else.
final class RangeSink: BodySink {
    private let job: TransferJob
    private let range: Range<Int>
    private let size: Int
    private let writer: RangeWriter
    private let hasRoomAgain: @Sendable () -> Void
    private let waiting: CheckedContinuation<Void, any Error>
    private var hasBegun = false
    /// Bytes of the range that came.
    private var received = 0
    private var gathered: [UInt8] = []

    /// - Parameter hasRoomAgain: called where the transfer was paused and may go on.
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
    }

    func begin(_ response: TransferResponse) throws {
        guard response.status == 200 || response.status == 206 || response.status == 416 else {
            throw TransferError.httpStatus(response)
        }
        // Not all servers know the size; those that do must mean the same file.
        guard response.status == 206, let answer = response.contentRange, let bytes = answer.bytes,
            bytes.lowerBound == range.lowerBound, bytes.upperBound == range.upperBound - 1,
            answer.total ?? size == size
        else {
            throw TransferError.partRefused(
                job.request.url, range, response.headers["content-range"] ?? "status \(response.status)")
        }
        hasBegun = true
        writer.report()
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        guard received + bytes.count <= range.count else {
            throw TransferError.partRefused(job.request.url, range, "more than that")
        }
        if let failure = writer.failure { throw failure }
        // Nobody can make the reading of a file pause; it waits instead.
        if job.request.isLocalFile {
            writer.waitForRoom()
        } else if gathered.isEmpty, !writer.hasRoom(orElse: hasRoomAgain) {
            return false
        }
        received += bytes.count
        gathered.append(contentsOf: bytes)
        if gathered.count >= PartSink.gatherSize { handOn() }
        return true
    }

    private func handOn() {
        guard !gathered.isEmpty else { return }
        writer.write(gathered)
        gathered = []
    }

    func end(_ failure: (any Error)?) {
        handOn()
        var failure = failure
        if failure == nil {
            if !hasBegun {
                failure = TransferError.badAnswer(job.request.url, "it has no headers", isTransient: true)
            } else if received != range.count {
                failure = TransferError.tooShort(job.request.url, received: received, expected: range.count)
            }
        }
        writer.finish(reporting: hasBegun) { [waiting, failure] notWritten in
            // A full disk breaks the transfer off; that it was broken off is not the reason to tell.
            if let error: any Error = notWritten ?? failure {
                waiting.resume(throwing: error)
            } else {
                waiting.resume()
            }
        }
    }
}

/// Writes the bytes of a part in their order, so that the thread that moves them does not wait for the disk.
final class RangeWriter: Sendable {
    private struct State {
        /// Bytes that came and are not written.
        var pending = 0
        /// Bytes of the part that are in the file.
        var written = 0
        var failure: FileError?
        /// To be told when there is room again.
        var waiting: [@Sendable () -> Void] = []
    }
    private let file: OpenFile
    private let start: Int
    private let reporter: ProgressReporter
    private let size: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "transfers.range")

    /// - Parameters:
    ///   - start: where the part begins in the file.
    ///   - size: of the part, in bytes.
    init(_ file: OpenFile, _ start: Int, reporter: ProgressReporter, of size: Int) {
        self.file = file
        self.start = start
        self.reporter = reporter
        self.size = size
    }

    func hasRoom(orElse tell: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.pending < PartialFile.capacity { return true }
            state.waiting.append(tell)
            return false
        }
    }

    /// Waits on this thread.
    func waitForRoom() {
        if !hasRoom(orElse: {}) { queue.sync {} }
    }

    func write(_ bytes: [UInt8]) {
        state.withLock { $0.pending += bytes.count }
        queue.async { [self] in
            let place = state.withLock { $0.failure == nil ? $0.written : nil }
            var failure: FileError?
            if let place { do throws(FileError) { try file.write(bytes, at: start + place) } catch { failure = error } }
            let waiting = state.withLock { state -> [@Sendable () -> Void] in
                state.failure = state.failure ?? failure
                if state.failure == nil { state.written += bytes.count }
                state.pending -= bytes.count
                guard state.pending <= PartialFile.capacity / 2 else { return [] }
                defer { state.waiting = [] }
                return state.waiting
            }
            report()
            for tell in waiting { tell() }
        }
    }

    /// Tells how many bytes are in the file.
    func report() {
        let written = state.withLock { $0.written }
        reporter.report(TransferProgress(received: written, expected: size, resumedFrom: 0))
    }

    /// What the disk said to bytes before.
    var failure: FileError? { state.withLock { $0.failure } }

    /// Calls `done` when all is written that can be, with the reason where not all could.
    func finish(reporting: Bool, _ done: @escaping @Sendable (FileError?) -> Void) {
        queue.async { [self] in
            if reporting { report() }
            done(state.withLock { $0.failure })
        }
    }
}
