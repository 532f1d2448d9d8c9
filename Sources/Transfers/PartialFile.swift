import Dispatch
public import Files
import StoreModel
import Synchronization

/// A file that comes together, with the hash of what is in it so far.
///
/// It outlives the attempts of a download: each goes on with what is missing, and no byte is hashed twice unless it came
/// before those in front of it. Writing and hashing happen on queues of their own, side by side, so that the thread that
/// moves the bytes waits for neither. It takes one download at a time.
///
/// While bytes are missing in between, a second file notes which are there; without one, what comes out of order is lost
/// with the process.
public final class PartialFile: Sendable {
    public let file: OpenFile

    private struct State {
        /// The bytes that are counted as here; those on their way to the disk are among them.
        var here = ByteRanges()
        /// Bytes that are held in memory until they are written and hashed.
        var pending = 0
        var failure: FileError?
        /// The strong entity tag that the bytes came under.
        var etag: String?
        /// To be told when there is room again.
        var waiting: [@Sendable () -> Void] = []
    }
    private let state: Mutex<State>

    /// What is in the file, as the queue of the disk knows it.
    private struct Disk {
        var written: ByteRanges
        /// Whether the note is one, and not empty.
        var isNoted = false
    }
    private let onDisk: Mutex<Disk>
    private let note: OpenFile?

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
    ///
    /// - Parameter note: a file of its own, for what is there while bytes are missing in between.
    public convenience init(_ file: OpenFile, note: OpenFile? = nil) { self.init(file, note, ByteRanges(), Hashing()) }

    private init(_ file: OpenFile, _ note: OpenFile?, _ written: ByteRanges, _ hashed: Hashing) {
        self.file = file
        self.note = note
        state = Mutex(State(here: written))
        onDisk = Mutex(Disk(written: written, isNoted: true))
        hashing = Mutex(hashed)
    }

    /// How many bytes are in the file.
    public var size: Int { here.count }

    var here: ByteRanges { state.withLock { $0.here } }

    var etag: String? {
        get { state.withLock { $0.etag } }
        set { state.withLock { $0.etag = newValue } }
    }

    /// Goes on with a file from an earlier process: what lies in it, up to the first byte that is missing, is read and
    /// hashed.
    ///
    /// - Parameter note: the file that was noted in before; where it is empty, no byte is missing in between.
    /// - Throws: ``FileError``, or `CancellationError` when the task is cancelled.
    public static func resuming(_ file: OpenFile, note: OpenFile? = nil) async throws -> PartialFile {
        var written = try await work.run {
            let noted = try note.map { String(decoding: try $0.readAll(limit: 1 << 20), as: UTF8.self) } ?? ""
            // Half a note says that something is missing, and not what.
            return noted.isEmpty ? ByteRanges(0..<(try file.status().size)) : ByteRanges(text: noted) ?? ByteRanges()
        }
        let end = written.end(ofRunAt: 0)
        var hashed = Hashing()
        while true {
            try Task.checkCancellation()
            let before = hashed
            // In steps, so that a cancelled task does not read gigabytes to the end.
            hashed = try await work.run {
                var next = before
                try next.read(before.end..<min(end, before.end + 64 << 20), of: file)
                return next
            }
            guard hashed.end == before.end else { continue }
            // Shorter than noted: what there is of it counts, and nothing else.
            if hashed.end < end { written = ByteRanges(0..<hashed.end) }
            for range in written.ranges.dropFirst() { hashed.ahead.insert(range) }
            return PartialFile(file, note, written, hashed)
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
        onDisk.withLock { $0 = Disk(written: ByteRanges(), isNoted: true) }
        try file.truncate(to: 0)
        try note?.truncate(to: 0)
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
        if isWhole, next.ranges.isEmpty {
            if disk.isNoted { try note.truncate(to: 0) }
            disk.isNoted = false
        } else if !isWhole {
            // One write, longer than the one before or cut behind its dot, which ends what is read.
            try note.write(Array(disk.written.text.utf8), at: 0)
            disk.isNoted = true
        }
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
    fileprivate func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        let failure = bytes.withUnsafeBytes { bytes -> FileError? in
            do throws(FileError) { try write(bytes, at: offset) } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }
}

extension PartialFile.Hashing {
    /// Adds bytes that lie in the file, as far as it has them.
    fileprivate mutating func read(_ range: Range<Int>, of file: OpenFile) throws(FileError) {
        guard !range.isEmpty else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        while end < range.upperBound {
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, range.upperBound - end)])
            let got = try file.read(into: room, at: end)
            if got == 0 { break }
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
            end += got
        }
    }
}
