public import Files
import StoreModel
import Synchronization

/// A file that fills from its beginning, with the hash of what is in it so far.
///
/// It outlives the attempts of a download: each goes on where the one before stopped, and no byte is hashed twice. It
/// takes one download at a time.
public final class PartialFile: Sendable {
    public let file: OpenFile
    private let filled: Mutex<Filled>

    private struct Filled {
        var size = 0
        var hasher = SHA256Hasher()
    }

    /// What lies in the file is not looked at and will be written over.
    public convenience init(_ file: OpenFile) { self.init(file, Filled()) }

    private init(_ file: OpenFile, _ filled: Filled) {
        self.file = file
        self.filled = Mutex(filled)
    }

    /// How many bytes, from the beginning, are in the file and in the hash.
    public var size: Int { filled.withLock { $0.size } }

    /// Goes on with a file of which nothing is known but what lies in it: all of it is read and hashed.
    ///
    /// - Throws: ``FileError``, or `CancellationError` when the task is cancelled.
    public static func resuming(_ file: OpenFile) async throws -> PartialFile {
        var filled = Filled()
        while true {
            try Task.checkCancellation()
            let before = filled
            // In steps, so that a cancelled task does not read gigabytes to the end.
            filled = try await work.run { try hash(64 << 20, of: file, after: before) }
            if filled.size == before.size { return PartialFile(file, filled) }
        }
    }

    private static let work = BlockingWork(label: "transfers.partial", concurrent: true)

    private static func hash(_ count: Int, of file: OpenFile, after before: Filled) throws -> Filled {
        var filled = before
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        while filled.size < before.size + count {
            let got = try file.read(into: buffer, at: filled.size)
            if got == 0 { break }
            filled.hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
            filled.size += got
        }
        return filled
    }

    /// The SHA-256 of the bytes so far.
    var sha256: SHA256Digest { filled.withLock { $0.hasher.finalize() } }

    /// Takes away what lies behind the bytes so far, for which nobody vouches.
    func cutTail() async throws {
        let size = size
        try await PartialFile.work.run { [file] in
            if try file.status().size > size { try file.truncate(to: size) }
        }
    }

    /// Lets go of all bytes. Truncating is quick enough to be done on the engine's thread.
    func restart() throws(FileError) {
        let error = filled.withLock { filled -> FileError? in
            filled = Filled()
            do throws(FileError) { try file.truncate(to: 0) } catch { return error }
            return nil
        }
        if let error { throw error }
    }

    /// Writes behind the bytes so far, then counts them as there.
    func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        let error = filled.withLock { filled -> FileError? in
            do throws(FileError) { try file.write(bytes, at: filled.size) } catch { return error }
            filled.hasher.update(bytes)
            filled.size += bytes.count
            return nil
        }
        if let error { throw error }
    }
}
