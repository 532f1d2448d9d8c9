import Dispatch
import StoreModel
public import StoreSystem
import Synchronization

/// A file that comes together, with the hash of what is in it so far.
///
/// It outlives the attempts of a download: each goes on with what is missing, and no byte is hashed twice unless it came
/// before those in front of it. Writing and hashing happen on queues of their own, side by side, so that the thread that
/// moves the bytes waits for neither. It takes one download at a time.
///
/// What its bytes alone do not say is noted in a second file, a ``PartialNote``: which are there while some are missing in
/// between, and the entity tag that they came under where no hash will prove them. Without one, both are lost with the
/// process.
public final class PartialFile: Sendable {
    public let file: OpenFile

    private struct State {
        /// The bytes that are counted as here; those on their way to the disk are among them.
        var here = ByteRanges()
        /// Whether some of them are from an earlier process.
        var isInherited = false
        /// Bytes that are held in memory until they are written and hashed.
        var pending = 0
        var failure: FileError?
        /// The strong entity tag that the bytes came under.
        var etag: String?
        /// Bytes from the first on for which the disk has set space aside.
        var reserved = 0
        /// To be told when there is room again.
        var waiting: [@Sendable () -> Void] = []
    }
    private let state: Mutex<State>

    /// What is in the file, as the queue of the disk knows it.
    private struct Disk {
        var written: ByteRanges
        /// What the note says; `nil` where that is not known.
        var noted: PartialNote.Content?
        /// To be noted.
        var tag: String?
    }
    private let onDisk: Mutex<Disk>
    private let note: PartialNote?

    fileprivate struct Hashing {
        var hasher = SHA256Hasher()
        /// All before this byte are in the hash.
        var end = 0
        /// What was written behind that, and is read again when its turn comes.
        var ahead = ByteRanges()
    }
    private let hashing: Mutex<Hashing>

    /// Which of the queues below it uses, so that what belongs to one file stays in order.
    private let lane = PartialFile.lanes.add(1, ordering: .relaxed).oldValue

    private static let lanes = Atomic(0)
    private static let disk = queues("transfers.disk")
    private static let hash = queues("transfers.hash")
    private static func queues(_ label: String) -> [DispatchQueue] {
        (0..<2).map { DispatchQueue(label: "\(label).\($0)") }
    }
    private var disk: DispatchQueue { Self.disk[lane % Self.disk.count] }
    private var hash: DispatchQueue { Self.hash[lane % Self.hash.count] }

    /// How many bytes may wait for the disk before the server has to.
    static let capacity = 2 << 20

    /// What lies in the file is not looked at and will be written over.
    public convenience init(_ file: OpenFile, note: PartialNote? = nil) {
        self.init(file, note, Disk(written: ByteRanges()), Hashing())
    }

    private init(_ file: OpenFile, _ note: PartialNote?, _ disk: Disk, _ hashed: Hashing) {
        self.file = file
        self.note = note
        state = Mutex(State(here: disk.written, etag: disk.tag))
        onDisk = Mutex(disk)
        hashing = Mutex(hashed)
    }

    /// How many bytes are in the file.
    public var size: Int { here.count }

    var here: ByteRanges { state.withLock { $0.here } }

    /// The strong entity tag that the bytes came under, where it is known: what to ask for the rest with
    /// (``TransferRequest/ifRange``) where no hash will prove it.
    public var etag: String? { state.withLock { $0.etag } }

    /// The bytes from now on come under an entity tag.
    ///
    /// - Parameter isProof: whether nothing else will prove them, so that a later process has to know it.
    func came(under tag: String?, isProof: Bool) {
        state.withLock { $0.etag = tag }
        guard isProof, note != nil else { return }
        disk.async { [self] in
            let failure = onDisk.withLock { disk -> FileError? in
                disk.tag = tag
                do throws(FileError) { try noteRanges(&disk, after: ByteRanges()) } catch { return error }
                return nil
            }
            if let failure { fail(failure, 0) }
        }
    }

    /// Goes on with a file from an earlier process: what lies in it, up to the first byte that is missing, is read and
    /// hashed.
    ///
    /// - Parameter note: what was noted in before.
    /// - Throws: ``FileError``, or `CancellationError` when the task is cancelled.
    public static func resuming(_ file: OpenFile, note: PartialNote? = nil) async throws -> PartialFile {
        var disk = try await work.run {
            let noted = try note?.read() ?? .init()
            let written = try noted.ranges ?? ByteRanges(0..<file.status().size)
            return Disk(written: written, noted: noted, tag: noted.tag)
        }
        let end = disk.written.end(ofRunAt: 0)
        let hashed = try await hash(of: end, in: file)
        // Shorter than noted: what there is of it counts, and nothing else.
        if hashed.end < end { disk.written = ByteRanges(0..<hashed.end) }
        let partial = PartialFile(file, note, disk, hashed.knowing(disk.written))
        partial.state.withLock { $0.isInherited = !$0.here.ranges.isEmpty }
        return partial
    }

    /// Whether some of its bytes are from an earlier process: after a power cut a file may have its length and not what was
    /// in it.
    var isInherited: Bool { state.withLock { $0.isInherited } }

    /// The hash of a file's first bytes, as far as there are as many.
    private static func hash(of end: Int, in file: OpenFile) async throws -> Hashing {
        try await work.runCancellable { cancellation in
            var hashed = Hashing()
            let buffer = Hashing.makeBuffer()
            defer { buffer.deallocate() }
            repeat { try cancellation.check() } while try hashed.readPiece(before: end, of: file, through: buffer)
            return hashed
        }
    }

    private static let work = BlockingWork(label: "transfers.partial", concurrent: true)

    // MARK: Between attempts

    /// The SHA-256 of the bytes, after ``flush()`` and where none is missing in between.
    var sha256: SHA256Digest { hashing.withLock { $0.hasher.finalize() } }

    /// Takes away what lies behind the bytes so far, for which nobody vouches.
    func cutTail() async throws {
        let size = here.end
        try await PartialFile.work.run { [file] in
            if try file.status().size > size { try file.truncate(to: size) }
        }
    }

    /// Lets go of all bytes. Nothing may be on its way to the disk; truncating is quick enough for the engine's thread.
    public func restart() throws(FileError) {
        state.withLock { $0 = State() }
        hashing.withLock { $0 = Hashing() }
        onDisk.withLock { $0 = Disk(written: ByteRanges(), noted: .init()) }
        try file.truncate(to: 0)
        try note?.clear()
    }

    /// Lets go of some of the bytes, which turned out to be wrong, and reads and hashes again what is left in front of
    /// them. Nothing may be on its way to the disk.
    ///
    /// - Throws: as ``resuming(_:note:)``.
    func drop(_ ranges: ByteRanges) async throws {
        let left = here.subtracting(ranges)
        // Before the file is touched: what the note promises must be in it.
        try await Self.work.run { [self] in
            try onDisk.withLock { disk in
                disk.written = left
                try noteRanges(&disk, after: ByteRanges())
            }
            try file.truncate(to: left.end)
        }
        let hashed = try await Self.hash(of: left.end(ofRunAt: 0), in: file)
        hashing.withLock { $0 = hashed.knowing(left) }
        state.withLock { ($0.here, $0.reserved) = (left, 0) }
    }

    // MARK: Space

    /// For less the disk is not asked beforehand: it costs a call for each of many small files.
    static let reservedFrom = 1 << 20

    /// Has the disk set space aside for a file of `size` bytes. Where it has none, that fails as a write would.
    func reserve(_ size: Int) {
        let isNews = state.withLock { state in
            guard size >= Self.reservedFrom, size > state.reserved else { return false }
            state.reserved = size
            return true
        }
        guard isNews else { return }
        disk.async { [self] in do throws(FileError) { try file.reserve(size) } catch { fail(error, 0) } }
    }

    /// Gives back the space that was set aside and holds no bytes: for a file that nobody goes on with for now. Nothing
    /// may be on its way to the disk.
    public func giveBack() throws(FileError) {
        let hasReserved = state.withLock { state in
            defer { state.reserved = 0 }
            return state.reserved > 0
        }
        if hasReserved { try file.giveBack() }
    }

    // MARK: Bytes

    /// Takes bytes on their way to the disk, and counts them as here.
    ///
    /// - Throws: what the disk said to bytes before them.
    func append(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        let failure = state.withLock { state in
            state.here.insert(offset..<offset + bytes.count)
            state.pending += bytes.count
            return state.failure
        }
        if let failure { throw failure }
        disk.async { [self] in
            do throws(FileError) { try write(bytes, at: offset) } catch { return fail(error, bytes.count) }
            hash.async { [self] in
                do throws(FileError) {
                    try hash(bytes, at: offset)
                    written(bytes.count)
                } catch {
                    fail(error, bytes.count)
                }
            }
        }
    }

    private func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        let failure = onDisk.withLock { disk -> FileError? in
            do throws(FileError) {
                // Before bytes come behind a hole it is noted where it is, and after them that they are there: at no
                // moment does the note promise what is not in the file.
                try noteRanges(&disk, after: ByteRanges(offset..<offset + bytes.count))
                try file.write(bytes, at: offset)
                disk.written.insert(offset..<offset + bytes.count)
                try noteRanges(&disk, after: ByteRanges())
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    private func noteRanges(_ disk: inout Disk, after next: ByteRanges) throws(FileError) {
        guard let note else { return }
        var ranges = disk.written
        for range in next.ranges { ranges.insert(range) }
        let isWhole = ranges.ranges.count == (ranges.end == 0 ? 0 : 1) && ranges.ranges.first?.lowerBound ?? 0 == 0
        // What comes right behind the rest tells by the file's length that it is there.
        if isWhole, !next.ranges.isEmpty { return }
        let content = PartialNote.Content(ranges: isWhole ? nil : disk.written, tag: disk.tag)
        guard content != disk.noted else { return }
        if content == .init() { try note.clear() } else { try note.write(content) }
        disk.noted = content
    }

    private func hash(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        let failure = hashing.withLock { hashing -> FileError? in
            guard offset == hashing.end else {
                hashing.ahead.insert(offset..<offset + bytes.count)
                return nil
            }
            hashing.hasher.update(bytes)
            hashing.end += bytes.count
            let end = hashing.ahead.end(ofRunAt: hashing.end)
            do throws(FileError) { try hashing.read(hashing.end..<end, of: file) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }

    private func written(_ count: Int) {
        let waiting = state.withLock { state -> [@Sendable () -> Void] in
            state.pending -= count
            guard state.pending <= Self.capacity / 2 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for tell in waiting { tell() }
    }

    private func fail(_ error: FileError, _ count: Int) {
        state.withLock { $0.failure = $0.failure ?? error }
        written(count)
    }

    /// Whether there is room for more; where there is none, `tell` is called when there is.
    func hasRoom(orElse tell: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.pending < Self.capacity { return true }
            state.waiting.append(tell)
            return false
        }
    }

    /// Waits on this thread until all that came is on the disk.
    func waitForDisk() {
        disk.sync {}
        hash.sync {}
    }

    /// Returns when all that came is in the file and, as far as nothing is missing before it, in the hash.
    ///
    /// - Throws: what the disk said; the bytes that it did not take are not counted any more.
    func flush() async throws(FileError) {
        await withCheckedContinuation { continuation in
            disk.async { [hash] in hash.async { continuation.resume() } }
        }
        let end = hashing.withLock { $0.end }
        let failure = state.withLock { state in
            defer { state.failure = nil }
            // What lies behind a failed write may be there or not.
            if state.failure != nil { state.here = ByteRanges(0..<end) }
            return state.failure
        }
        guard let failure else { return }
        hashing.withLock { $0.ahead = ByteRanges() }
        throw failure
    }
}

extension OpenFile {
    func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        let failure = bytes.withUnsafeBytes { bytes -> FileError? in
            do throws(FileError) { try write(bytes, at: offset) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }
}

extension PartialFile.Hashing {
    /// The same, with what of a file's bytes lies behind a hole.
    fileprivate func knowing(_ here: ByteRanges) -> Self {
        var hashing = self
        for range in here.ranges where range.lowerBound > end { hashing.ahead.insert(range) }
        return hashing
    }

    /// Adds bytes that lie in the file, as far as it has them.
    fileprivate mutating func read(_ range: Range<Int>, of file: OpenFile) throws(FileError) {
        guard !range.isEmpty else { return }
        let buffer = Self.makeBuffer()
        defer { buffer.deallocate() }
        while try readPiece(before: range.upperBound, of: file, through: buffer) {}
    }

    /// Room for one mebibyte, which the caller deallocates.
    fileprivate static func makeBuffer() -> UnsafeMutableRawBufferPointer {
        .allocate(byteCount: 1 << 20, alignment: 16)
    }

    /// Adds the next bytes of a file, as many as fit into the buffer.
    ///
    /// - Returns: `false` where the hash has all bytes before `limit`, or the file has no more.
    fileprivate mutating func readPiece(
        before limit: Int, of file: OpenFile, through buffer: UnsafeMutableRawBufferPointer
    ) throws(FileError) -> Bool {
        guard end < limit else { return false }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, limit - end)])
        let got = try file.read(into: room, at: end)
        hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
        end += got
        return got > 0
    }
}
