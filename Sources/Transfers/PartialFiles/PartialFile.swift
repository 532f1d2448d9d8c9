import Dispatch
public import FoundationEssentials
public import StoreModel
public import StoreSystem
import Synchronization

/// A file that is being downloaded, with the ranges that are there and the hash of its bytes so far.
///
/// A partial file outlives the attempts of a download: each attempt requests only what is missing. Bytes that arrive in
/// order are hashed from memory; bytes that arrive early, before others in front of them, are read from the file later.
/// Writing and hashing run on dispatch queues of their own, so that the engine's thread waits for neither. A piece that is
/// the only one, as with a small file, is written and hashed on the same queue. Only one download at a time may use a
/// partial file.
///
/// What the bytes alone do not tell is recorded in a second file, a ``PartialFileRecord``. Without one, it is lost with
/// the process.
public final class PartialFile: Sendable {
    /// The file on the disk that the downloaded bytes are written to.
    public let file: OpenFile

    private struct State {
        /// The ranges of the file that have been received, including those that wait for the disk.
        var present = ByteRanges()
        /// Whether some of the file's received bytes were left by an earlier process.
        var isInherited = false
        /// Whether the file may have bytes after those that were received: of an earlier process, or of a write that failed.
        var mayHaveTail = true
        /// The file's bytes in memory that wait to be written and hashed.
        var pieces = PieceQueue()
        var failure: StoreError?
        /// The origin of the bytes; `nil` where it is unknown.
        var origin: ContentOrigin?
        /// The file size in bytes for which disk space is reserved; 0 where none is.
        var reserved = 0
        /// What a response that has begun requires before its first bytes are written; `nil` where nothing is left to do.
        var preparation: Preparation?
    }

    /// What is done on the disk before the first bytes of a response are written, in one piece of work with them.
    private struct Preparation {
        /// The file size in bytes for which space is to be reserved; `nil` where none is.
        let reservation: Int?
        /// The origin to record; `nil` where the record names none.
        let origin: ContentOrigin?
    }
    private let state: Mutex<State>
    private let written: Mutex<WrittenRanges>
    private let prefix: Mutex<PrefixHasher>
    private let record: PartialFileRecord?

    /// The number that selects the dispatch queues of this file.
    ///
    /// One file always uses the same queues, which keeps its bytes in order.
    private let queueNumber = PartialFile.queueNumbers.add(1, ordering: .relaxed).oldValue

    private static let queueNumbers = Atomic(0)
    private static let diskQueues = queues("transfers.disk")
    private static let hashQueues = queues("transfers.hash")
    private static func queues(_ label: String) -> [DispatchQueue] { [0, 1].map { .init(label: "\(label).\($0)") } }
    var diskQueue: DispatchQueue { Self.diskQueues[queueNumber % Self.diskQueues.count] }
    var hashQueue: DispatchQueue { Self.hashQueues[queueNumber % Self.hashQueues.count] }

    private static let work = BlockingWork(label: "transfers.partial", concurrent: true)

    /// The number of bytes of one file that may wait for the disk before the transfers of the file pause.
    static let capacity = 1 << 20

    /// Creates a partial file (one being downloaded) without bytes; the content of `file` is ignored and overwritten.
    ///
    /// - Parameter record: where to record what the bytes alone do not tell; `nil` records nothing.
    public convenience init(_ file: OpenFile, record: PartialFileRecord? = nil) {
        self.init(file, record, WrittenRanges(record), PrefixHasher())
    }

    /// Creates a partial file (one being downloaded) from an empty file, and removes the record that an earlier process has left.
    ///
    /// - Throws: ``StoreError`` if the record can't be removed.
    public static func created(_ file: OpenFile, record: PartialFileRecord) throws(StoreError) -> PartialFile {
        try record.clear()
        let partial = PartialFile(file, record, WrittenRanges(record, recordIsAbsent: true), PrefixHasher())
        partial.state.withLock { $0.mayHaveTail = false }
        return partial
    }

    private init(_ file: OpenFile, _ record: PartialFileRecord?, _ written: WrittenRanges, _ prefix: PrefixHasher) {
        self.file = file
        self.record = record
        state = Mutex(State(present: written.ranges, origin: written.origin))
        self.written = Mutex(written)
        self.prefix = Mutex(prefix)
    }

    /// Creates a partial file (one being downloaded) from a file that an earlier process left incomplete.
    ///
    /// It hashes the file's bytes up to the first gap.
    ///
    /// - Parameter record: the record that the earlier process wrote; `nil` if it wrote none; the bytes in the file are
    ///   then taken as contiguous from offset 0.
    /// - Throws: ``StoreError``, or `CancellationError` when the task is cancelled.
    public static func resuming(_ file: OpenFile, record: PartialFileRecord? = nil) async throws -> PartialFile {
        try await work.runCancellable { try resuming(file, record: record, cancellation: $0) }
    }

    /// Creates a partial file (one being downloaded) from one that an earlier process left, as part of blocking work.
    ///
    /// Blocks while it hashes the bytes of the file up to the first gap.
    ///
    /// - Parameters:
    ///   - record: as for ``resuming(_:record:)``.
    ///   - cancellation: checked for each mebibyte.
    /// - Throws: ``StoreError``, `CancellationError`.
    public static func resuming(
        _ file: OpenFile, record: PartialFileRecord? = nil, cancellation: CancellationFlag
    ) throws -> PartialFile {
        var written = try WrittenRanges(reading: record, of: file)
        let end = written.ranges.end(ofRunAt: 0)
        let prefix =
            try written.origin == nil
            ? hash(of: end, in: file, cancellation) : intactPrefix(written.digests, of: file, cancellation)
        // Where less of the file is intact than recorded, as after a power cut, only that counts.
        if prefix.end < end { written.truncate(to: prefix.end) }
        let partial = PartialFile(file, record, written, prefix.with(written.ranges))
        partial.state.withLock { $0.isInherited = !$0.present.ranges.isEmpty }
        return partial
    }

    /// Returns how many bytes of a partial file an earlier process has left, without verifying them.
    ///
    /// - Parameter record: as for ``resuming(_:record:)``.
    /// - Throws: ``StoreError`` where the file or its record can't be read.
    public static func bytesPresent(in file: OpenFile, record: PartialFileRecord?) throws(StoreError) -> Int {
        try WrittenRanges(reading: record, of: file).ranges.count
    }

    /// The number of bytes of the file that have been received, including those that wait for the disk.
    public var size: Int { present.count }

    /// The ranges of the file that have been received, including those that wait for the disk.
    var present: ByteRanges { state.withLock { $0.present } }

    /// Returns the strong entity tag of the file that the bytes belong to; `nil` where it is unknown, or where the bytes
    /// came from another URL.
    ///
    /// It is the value for ``TransferRequest/ifRange`` where no hash will verify the file.
    public func entityTag(for url: URL) -> String? {
        state.withLock { $0.origin }.flatMap { $0.isFrom(url) ? $0.tag : nil }
    }

    /// Whether some of the file's bytes were left by an earlier process, so that they may be wrong.
    ///
    /// After a power cut a file may have its length without its content.
    var isInherited: Bool { state.withLock { $0.isInherited } }

    /// The SHA-256 of the file's received bytes.
    ///
    /// Valid after ``flush()``, and only if the received bytes have no gap.
    var sha256: SHA256Digest { prefix.withLock { $0.hasher.finalize() } }

    /// Hashes the first `end` bytes of a file, or all bytes of a shorter one.
    ///
    /// - Throws: ``StoreError``, `CancellationError`.
    private static func hash(
        of end: Int, in file: OpenFile, _ cancellation: CancellationFlag
    ) throws -> PrefixHasher {
        var prefix = PrefixHasher()
        let chunks = FileHasher(chunkSize: PrefixHasher.chunkSize)
        repeat { try cancellation.check() } while try prefix.readChunk(upTo: end, of: file, with: chunks)
        return prefix
    }

    /// Hashes a file up to the end of the longest recorded prefix that has its recorded hash.
    ///
    /// - Throws: ``StoreError``, `CancellationError`.
    private static func intactPrefix(
        _ digests: PrefixDigests, of file: OpenFile, _ cancellation: CancellationFlag
    ) throws -> PrefixHasher {
        var (hasher, intact) = (PrefixHasher(), PrefixHasher())
        let chunks = FileHasher(chunkSize: PrefixHasher.chunkSize)
        for prefix in digests.prefixes {
            repeat { try cancellation.check() } while try hasher.readChunk(upTo: prefix.size, of: file, with: chunks)
            guard hasher.end == prefix.size, hasher.hasher.finalize() == prefix.sha256 else { break }
            intact = hasher
        }
        return intact
    }

    // MARK: Between attempts

    /// The smallest file size, in bytes, for which disk space is reserved.
    ///
    /// The call would be a waste for each of many small files.
    static let minimumReservation = 1 << 20

    /// Sets where the bytes come from from now on, and reserves disk space for a file of ``minimumReservation`` or more.
    ///
    /// On the disk, both are done before the first of these bytes are written; a lack of space fails the download as a
    /// failed write would.
    ///
    /// - Parameters:
    ///   - origin: the URL and its strong entity tag; `nil` where the file has none.
    ///   - isProof: whether nothing else verifies the bytes, so that the origin has to be recorded for later processes.
    ///   - size: the size of the complete file in bytes; `nil` where it is unknown.
    func responseDidBegin(from origin: ContentOrigin?, isProof: Bool, size: Int?) {
        state.withLock { state in
            var reservation = state.preparation?.reservation
            if let size, size >= Self.minimumReservation, size > state.reserved {
                (state.reserved, reservation) = (size, size)
            }
            state.origin = origin
            state.preparation = Preparation(reservation: reservation, origin: isProof ? origin : nil)
        }
    }

    private func changeRecord(
        _ body: (inout WrittenRanges) throws(StoreError) -> Void
    ) throws(StoreError) {
        let failure = written.withLock { written -> StoreError? in
            do throws(StoreError) { try body(&written) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }

    /// Truncates the file after the last byte that was received.
    func truncateUnverifiedTail() async throws {
        let (size, mayHaveTail) = state.withLock { ($0.present.end, $0.mayHaveTail) }
        // Most often there is nothing to truncate, which need not wait for other work.
        guard mayHaveTail, try file.status().size > size else { return }
        try await PartialFile.work.run { [file] in try file.truncate(to: size) }
    }

    /// Whether received bytes wait for the disk.
    var hasPendingBytes: Bool { state.withLock { $0.pieces.count > 0 } }

    /// Discards all bytes of the partial file and its record, so that the download starts over.
    ///
    /// No bytes may wait for the disk. Truncating is fast enough for the engine's thread.
    public func restart() throws(StoreError) {
        state.withLock { $0 = State(pieces: $0.pieces) }
        prefix.withLock { $0 = PrefixHasher() }
        written.withLock { $0.reset() }
        try file.truncate(to: 0)
        state.withLock { $0.mayHaveTail = false }
        try record?.clear()
    }

    /// Discards bytes of the partial file that turned out to be wrong, and hashes again what is left in front of them.
    ///
    /// No bytes may wait for the disk.
    ///
    /// - Throws: ``StoreError``, or `CancellationError` when the task is cancelled.
    func discard(_ ranges: ByteRanges) async throws {
        let left = present.subtracting(ranges)
        try await Self.work.run { [self] in
            // Before the file is truncated: the record must name only bytes that are in it.
            try written.withLock { try $0.reduce(to: left) }
            try file.truncate(to: left.end)
        }
        let hashed = try await Self.work.runCancellable { [file] in
            try Self.hash(of: left.end(ofRunAt: 0), in: file, $0)
        }
        prefix.withLock { $0 = hashed.with(left) }
        state.withLock { ($0.present, $0.reserved) = (left, 0) }
    }

    // MARK: Space

    /// Releases disk space reserved for bytes that are not received yet, when a download does not go on for now.
    ///
    /// No bytes may wait for the disk.
    public func releaseReservedSpace() throws(StoreError) {
        let hasReserved = state.withLock { state in
            defer { (state.reserved, state.preparation) = (0, nil) }
            return state.reserved > 0
        }
        if hasReserved { try file.giveBack() }
    }

    // MARK: Bytes

    /// Returns an empty array for the next received bytes, with the memory of earlier ones if there is any.
    func takeBuffer() -> [UInt8] { state.withLock { $0.pieces.takeBuffer() } }

    /// Queues received bytes to be written to the partial file and hashed.
    ///
    /// - Parameter offset: the position of the bytes in the file.
    /// - Throws: the failure of an earlier write; `bytes` are then not queued.
    func append(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
        let (failure, preparation) = state.withLock { state -> (StoreError?, Preparation?) in
            if let failure = state.failure { return (failure, nil) }
            defer { state.preparation = nil }
            state.present.insert(offset..<offset + bytes.count)
            state.pieces.add(PieceQueue.Piece(bytes: bytes, offset: offset))
            return (nil, state.preparation)
        }
        if let failure { throw failure }
        // The block does not capture the bytes: the memory of a finished piece can be reused only if nothing else refers to it.
        diskQueue.async { [self] in writeNextPiece(preparation) }
    }

    private func writeNextPiece(_ preparation: Preparation?) {
        let piece = state.withLock { $0.pieces.nextToWrite() }
        do throws(StoreError) {
            if let preparation { try prepare(preparation) }
            try changeRecord { written throws(StoreError) in
                try written.write(piece.bytes, at: piece.offset, to: file)
            }
        } catch {
            return didFinish(piece, error).call()
        }
        // If this is the only pending piece, it is hashed on this queue: nothing else waits for it. With a gap,
        // bytes beyond it may have to be read again, which can take long, so that is done on the hash queue.
        if state.withLock({ $0.pieces.count == 1 }), prefix.withLock({ $0.isContiguous }) {
            hash(piece).call()
        } else {
            state.withLock { $0.pieces.addToHash(piece) }
            hashQueue.async { [self] in hash(state.withLock { $0.pieces.nextToHash() }).call() }
        }
    }

    private func prepare(_ preparation: Preparation) throws(StoreError) {
        if let size = preparation.reservation { try file.reserve(size) }
        try changeRecord { written throws(StoreError) in try written.setOrigin(preparation.origin) }
    }

    private func hash(_ piece: PieceQueue.Piece) -> PieceQueue.Waiting {
        let (failure, hashed) = prefix.withLock { prefix -> (StoreError?, PrefixHasher) in
            do throws(StoreError) {
                try prefix.wrote(piece.bytes, at: piece.offset, to: file)
            } catch {
                return (error, prefix)
            }
            return (nil, prefix)
        }
        do throws(StoreError) {
            if let failure { throw failure }
            try changeRecord { written throws(StoreError) in
                try written.didHash(hashed.end) { hashed.hasher.finalize() }
            }
            return didFinish(piece)
        } catch {
            return didFinish(piece, error)
        }
    }

    private func didFinish(_ piece: PieceQueue.Piece, _ failure: StoreError? = nil) -> PieceQueue.Waiting {
        state.withLock { state in
            state.failure = state.failure ?? failure
            return state.pieces.didFinish(piece, capacity: Self.capacity)
        }
    }

    /// Returns whether more bytes may wait for the disk; otherwise `action` is called once as soon as they may.
    func hasRoom(orElse action: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.pieces.size < Self.capacity { return true }
            state.pieces.waiting.onRoom.append(action)
            return false
        }
    }

    /// Blocks this thread until all received bytes are in the file and in the hash.
    func waitForDisk() {
        diskQueue.sync {}
        hashQueue.sync {}
    }

    /// Returns once all received bytes are in the file and, up to the first gap, in the hash; the file is not synced.
    ///
    /// - Throws: the failure of a write or of a reservation of space; only the bytes that are hashed are still counted
    ///   as received.
    func flush() async throws(StoreError) {
        await withCheckedContinuation { continuation in
            let hasBytes = state.withLock { state in
                if state.pieces.count > 0 { state.pieces.waiting.flushing.append(continuation) }
                return state.pieces.count > 0
            }
            if !hasBytes { continuation.resume() }
        }
        let end = prefix.withLock { $0.end }
        let failure = state.withLock { state in
            defer { state.failure = nil }
            state.pieces.removeUnusedBuffer()
            // Bytes behind a failed write may or may not be in the file.
            if state.failure != nil { (state.present, state.mayHaveTail) = (ByteRanges(0..<end), true) }
            return state.failure
        }
        guard let failure else { return }
        prefix.withLock { $0.forgetAhead() }
        throw failure
    }
}
