import StoreCZip
import StoreModel
import StoreSystem

/// A data source of libzip (`zip_source_function_create`) that reads a file or bytes in memory, or writes to an open file.
///
/// A file to read is opened when libzip needs it. Each source has a position of its own and reads with `pread`, so that
/// several can share one descriptor.
final class ZipSource {
    /// The first error of a call by libzip; stored here because libzip stores only a number.
    private(set) var failure: (any Error)?
    private let content: Content
    private var file: OpenFile?
    private var position = 0
    private var writePosition = 0
    private var error = zip_error_t()

    private enum Content {
        case file(open: () throws -> OpenFile)
        case bytes([UInt8])
        case sink(OpenFile)
    }

    /// Creates a data source from which libzip reads a file, which is opened when libzip needs it.
    init(open: @escaping () throws -> OpenFile) {
        content = .file(open: open)
    }

    /// Creates a data source from which libzip reads bytes in memory.
    init(bytes: [UInt8]) { content = .bytes(bytes) }

    /// Creates a data source through which libzip writes a ZIP archive into an empty file.
    init(sink file: OpenFile) { content = .sink(file) }

    deinit { zip_error_fini(&error) }

    /// Returns this data source as a handle of libzip, which retains the object until libzip frees the handle.
    func handle() throws -> OpaquePointer {
        let retained = Unmanaged.passRetained(self)
        var error = zip_error_t()
        defer { zip_error_fini(&error) }
        // A C callback can't capture: it receives the object as its first argument.
        let handle = zip_source_function_create(
            { object, data, length, command in
                let source = Unmanaged<ZipSource>.fromOpaque(object!)
                if command == ZIP_SOURCE_FREE {
                    source.release()
                    return 0
                }
                return source.takeUnretainedValue().perform(
                    command, UnsafeMutableRawBufferPointer(start: data, count: Int(length)))
            }, retained.toOpaque(), &error)
        guard let handle else {
            retained.release()
            throw StoreError(.archiveLibraryFailed, ["reason": String(cString: zip_error_strerror(&error))])
        }
        return handle
    }

    private func perform(_ command: zip_source_cmd_t, _ data: UnsafeMutableRawBufferPointer) -> Int64 {
        do {
            return try performThrowing(command, data)
        } catch {
            if failure == nil { failure = error }
            let isWrite = command == ZIP_SOURCE_WRITE || command == ZIP_SOURCE_SEEK_WRITE
            let number = (error as? StoreError)?.errno ?? .ioError
            zip_error_set(&self.error, isWrite ? ZIP_ER_WRITE : ZIP_ER_READ, number.rawValue)
            return -1
        }
    }

    private func performThrowing(_ command: zip_source_cmd_t, _ data: UnsafeMutableRawBufferPointer) throws -> Int64 {
        switch command {
        case ZIP_SOURCE_OPEN:
            try open()
            position = 0
            return 0
        case ZIP_SOURCE_READ:
            guard let count = try read(into: data) else { return -1 }
            position += count
            return Int64(count)
        case ZIP_SOURCE_SEEK:
            let offset = zip_source_seek_compute_offset(
                UInt64(position), UInt64(try size()), data.baseAddress, UInt64(data.count), &error)
            if offset >= 0 { position = Int(offset) }
            return offset >= 0 ? 0 : -1
        case ZIP_SOURCE_TELL: return Int64(position)
        case ZIP_SOURCE_CLOSE, ZIP_SOURCE_COMMIT_WRITE, ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_REMOVE:
            if !isSink { file = nil }
            return 0
        case ZIP_SOURCE_STAT: return try status(data)
        case ZIP_SOURCE_ERROR: return zip_error_to_data(&error, data.baseAddress!, UInt64(data.count))
        case ZIP_SOURCE_SUPPORTS: return isSink ? czip_writable_commands() : czip_seekable_commands()
        case ZIP_SOURCE_BEGIN_WRITE:
            try open()
            writePosition = 0
            return 0
        case ZIP_SOURCE_WRITE:
            guard let file else { return -1 }
            try file.write(UnsafeRawBufferPointer(data))
            writePosition += data.count
            return Int64(data.count)
        case ZIP_SOURCE_SEEK_WRITE:
            guard let file else { return -1 }
            let offset = zip_source_seek_compute_offset(
                UInt64(writePosition), UInt64(try file.status().size), data.baseAddress, UInt64(data.count), &error)
            guard offset >= 0 else { return -1 }
            try file.seek(to: Int(offset))
            writePosition = Int(offset)
            return 0
        case ZIP_SOURCE_TELL_WRITE: return Int64(writePosition)
        default:
            zip_error_set(&error, ZIP_ER_OPNOTSUPP, 0)
            return -1
        }
    }

    private var isSink: Bool { if case .sink = content { true } else { false } }

    private func open() throws {
        switch content {
        case .file(let open): file = try open()
        case .sink(let sink): file = sink
        case .bytes: break
        }
    }

    /// Returns the number of bytes that were read; `nil` if the source is not open.
    private func read(into data: UnsafeMutableRawBufferPointer) throws -> Int? {
        if case .bytes(let bytes) = content {
            let piece = bytes[min(position, bytes.count)...].prefix(data.count)
            data.copyBytes(from: piece)
            return piece.count
        }
        return try file?.read(into: data, at: position)
    }

    private func size() throws -> Int {
        switch content {
        case .bytes(let bytes): bytes.count
        case .file(let open): try (file ?? open()).status().size
        case .sink(let sink): try sink.status().size
        }
    }

    private func status(_ data: UnsafeMutableRawBufferPointer) throws -> Int64 {
        guard data.count >= MemoryLayout<zip_stat_t>.size, let address = data.baseAddress else { return -1 }
        let status = address.assumingMemoryBound(to: zip_stat_t.self)
        zip_stat_init(status)
        status.pointee.size = UInt64(try size())
        status.pointee.valid |= UInt64(ZIP_STAT_SIZE)
        return Int64(MemoryLayout<zip_stat_t>.size)
    }
}
