public import FoundationEssentials
import Glibc
import StoreCLinux
public import StoreModel
import Synchronization

/// A handle of an open file, which is unlocked and closed when the object is released.
public final class OpenFile: Sendable {
    public let descriptor: Int32
    /// The path with which the file was opened, for messages; it may have been renamed since then.
    public let path: String
    /// Whether this object has locked the file.
    let isLocked = Atomic(false)

    /// Creates a handle from an open file descriptor, which the new object closes when it is released.
    public init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        // A process that is just being started has a copy of each descriptor, with which the lock would outlive this object.
        if isLocked.load(ordering: .relaxed) { unlock() }
        close(descriptor)
    }

    /// Opens an existing file for reading by its path; symbolic links in the path are followed.
    ///
    /// Where the path is a pipe, the call does not wait for a writer.
    public static func open(_ path: String) throws(StoreError) -> OpenFile {
        let descriptor = try systemCall("open", on: path) {
            clinux_open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0)
        }
        return OpenFile(descriptor: descriptor, path: path)
    }

    /// Opens an existing file for reading that an argument or an option of a command line names.
    ///
    /// - Throws: `file.unusable` if there is no such file; `file.…`.
    public static func open(argument path: String) throws(StoreError) -> OpenFile {
        do {
            return try open(path)
        } catch  where error.code == .fileMissing {
            throw StoreError(.optionFileMissing, ["path": .path(path)])
        }
    }

    /// Reads the whole file that an argument or an option of a command line names.
    ///
    /// Where the path is a pipe, such as that of a shell's `<(command)`, the call waits for all that is written to it.
    ///
    /// - Throws: `file.unusable` if there is no such file; `file.failed` where it has more than `limit` bytes; `file.…`.
    public static func read(argument path: String, limit: Int) throws(StoreError) -> Data {
        let file = try open(argument: path)
        return try file.status().kind == .other ? file.readStream(limit: limit) : file.readAll(limit: limit)
    }

    /// Reads from a pipe or a terminal to its end, and waits where there is nothing to read yet.
    private func readStream(limit: Int) throws(StoreError) -> Data {
        var content = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            // The descriptor does not block. A named pipe is at its end only after a writer has closed it (poll(2)).
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            try systemCall("poll", on: path) { poll(&waiting, 1, -1) }
            let count = try systemCall("read", on: path) { Glibc.read(descriptor, &buffer, buffer.count) }
            if count == 0 { return content }
            content.append(contentsOf: buffer[..<count])
            guard content.count <= limit else {
                throw StoreError(
                    .fileExceedsLimit,
                    ["path": ErrorArgument.path(path), "size": .bytes(content.count), "limit": .bytes(limit)])
            }
        }
    }

    /// Opens the same file once more, for reading only: a process that gets this descriptor can't change the file.
    public func reopenedForReading() throws(StoreError) -> OpenFile {
        let descriptor = try systemCall("open", on: path) {
            clinux_open("/proc/self/fd/\(self.descriptor)", O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0)
        }
        return OpenFile(descriptor: descriptor, path: path)
    }

    /// Returns a further handle of the same open file, with the same position and another path for messages.
    public func duplicate(path: String) throws(StoreError) -> OpenFile {
        let copy = try systemCall("fcntl", on: path) { clinux_duplicate_close_on_exec(descriptor) }
        return OpenFile(descriptor: copy, path: path)
    }

    /// Creates a file in memory, which has no name and which no program inherits.
    public static func inMemory() throws(StoreError) -> OpenFile {
        let path = "memory"
        return OpenFile(descriptor: try systemCall("memfd_create", on: path) { clinux_open_memory(path) }, path: path)
    }

    public func status() throws(StoreError) -> FileStatus {
        var status = stat()
        try systemCall("fstat", on: path) { fstat(descriptor, &status) }
        return FileStatus(status)
    }

    /// Reads up to `buffer.count` bytes of the file at an offset; returns their number, 0 at the end of the file.
    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StoreError) -> Int {
        try systemCall("pread", on: path) { pread(descriptor, buffer.baseAddress, buffer.count, offset) }
    }

    /// Reads `count` bytes of the file at an offset; returns fewer only at the end of the file.
    public func read(count: Int, at offset: Int) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got: Int = try systemCall("pread", on: path) {
                bytes.withUnsafeMutableBytes {
                    pread(descriptor, $0.baseAddress! + filled, count - filled, offset + filled)
                }
            }
            if got == 0 { break }
            filled += got
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Returns the whole content of the file; throws where it has more than `limit` bytes.
    public func readAll(limit: Int) throws(StoreError) -> Data {
        Data(try read(count: requireSize(limit: limit), at: 0))
    }

    /// Returns the size of the file in bytes; throws where that is more than `limit`.
    func requireSize(limit: Int) throws(StoreError) -> Int {
        let size = try status().size
        guard size <= limit else {
            throw StoreError(
                .fileExceedsLimit, ["path": ErrorArgument.path(path), "size": .bytes(size), "limit": .bytes(limit)])
        }
        return size
    }

    /// Writes all of the bytes to the file at its current position.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        var rest = bytes
        while !rest.isEmpty {
            let written = try systemCall("write", on: path) { Glibc.write(descriptor, rest.baseAddress, rest.count) }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
    }

    public func write(_ data: Data) throws {
        try data.withUnsafeBytes { try write($0) }
    }

    /// Writes all of the bytes to the file at an offset, independently of the file's position.
    public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StoreError) {
        var written = 0
        while written < bytes.count {
            written += try systemCall("pwrite", on: path) {
                pwrite(descriptor, bytes.baseAddress! + written, bytes.count - written, offset + written)
            }
        }
    }

    /// Writes all bytes of an array to the file at an offset, independently of the file's position.
    public func write(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
        var written = 0
        while written < bytes.count {
            written += try systemCall("pwrite", on: path) {
                bytes.withUnsafeBytes {
                    pwrite(descriptor, $0.baseAddress! + written, bytes.count - written, offset + written)
                }
            }
        }
    }

    /// Sets the size of the file in bytes (ftruncate(2)): it is cut, or extended with zeros.
    public func truncate(to size: Int) throws(StoreError) {
        try systemCall("ftruncate", on: path) { ftruncate(descriptor, size) }
    }

    /// Allocates disk space for the file's first `size` bytes without changing its size (fallocate(2)).
    ///
    /// Does nothing where the file system can't.
    public func reserve(_ size: Int) throws(StoreError) {
        do {
            try systemCall("fallocate", on: path) { clinux_fallocate(descriptor, clinux_keep_size(), 0, size) }
        } catch {
            guard error.isUnsupported else { throw error }
        }
    }

    /// Frees the disk space that ``reserve(_:)`` allocated after the file's end.
    public func giveBack() throws(StoreError) { try truncate(to: try status().size) }

    /// Sets the file's position in bytes from its start, where the next ``write(_:)`` begins.
    public func seek(to offset: Int) throws(StoreError) {
        try systemCall("lseek", on: path) { lseek(descriptor, offset, SEEK_SET) }
    }

    /// Sets the file's modification time, in whole seconds.
    public func setModified(_ date: Date) throws(StoreError) {
        let time = timespec(tv_sec: Int(date.timeIntervalSince1970.rounded(.down)), tv_nsec: 0)
        try systemCall("futimens", on: path) { futimens(descriptor, [time, time]) }
    }

    /// Waits until everything written to the file is on the disk (fsync(2)).
    public func sync() throws(StoreError) {
        try systemCall("fsync", on: path) { fsync(descriptor) }
    }
}
