import CZip
import Files
import StoreModel

/// The plain bytes of an archive's entries, as libzip inflates them. For one thread; another takes another one.
final class EntryContents {
    private let archive: Archive
    private let zip: OpaquePointer
    private let source: ZipSource
    private let deflateEnd = DeflateEnd()
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

    /// - Throws: `ArchiveError` if libzip sees other entries than our own reader.
    init(_ archive: Archive) throws {
        self.archive = archive
        let file = archive.file
        source = ZipSource { file }
        let handle = try source.handle()
        var error = zip_error_t()
        defer { zip_error_fini(&error) }
        guard let zip = zip_open_from_source(handle, ZIP_RDONLY, &error) else {
            zip_source_free(handle)
            buffer.deallocate()
            if let failure = source.failure { throw failure }
            let reason = "libzip can't read it: " + String(cString: zip_error_strerror(&error))
            throw ArchiveError(Flaw(.badDirectory, reason), in: archive.file.path)
        }
        self.zip = zip
        guard zip_get_num_entries(zip, 0) == archive.entries.count else {
            throw ArchiveError(Flaw(.badDirectory, "libzip sees other entries in it"), in: archive.file.path)
        }
    }

    deinit {
        zip_discard(zip)
        buffer.deallocate()
    }

    /// Reads the entry at `index` of the archive's entries, and gives its bytes to `take` piece by piece: never more
    /// than its size, and without a throw exactly that many, with the right checksum.
    ///
    /// - Returns: the hash of the bytes.
    func read(_ index: Int, _ take: (UnsafeRawBufferPointer) throws -> Void) throws -> SHA256Digest {
        let entry = archive.entries[index]
        try checkSameEntry(index, entry)
        guard let opened = zip_fopen_index(zip, UInt64(index), 0) else {
            throw failure(zip_get_error(zip), entry)
        }
        defer { zip_fclose(opened) }
        var hasher = SHA256Hasher()
        var remaining = entry.size
        while true {
            // One byte more than is left, so that one too many shows; libzip checks the checksum at the end.
            let wanted = min(buffer.count, remaining + 1)
            let count = Int(zip_fread(opened, buffer.baseAddress!, UInt64(wanted)))
            if count < 0 { throw failure(zip_file_get_error(opened), entry) }
            guard count <= remaining, count > 0 || remaining == 0 else { throw wrongSize(entry) }
            if count == 0 { break }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            hasher.update(bytes)
            try take(bytes)
            remaining -= count
        }
        try checkEnd(of: entry)
        return hasher.finalize()
    }

    /// A deflate stream has an end of its own, and a reader of a stream goes on from there: what follows it within
    /// the entry could be another entry. libzip does not tell.
    private func checkEnd(of entry: Archive.Entry) throws {
        guard entry.method == .deflate else { return }
        let length = try deflateEnd.length(in: archive.file, from: entry.offset, count: entry.compressedSize)
        guard length == entry.compressedSize else {
            throw ArchiveError(
                Flaw(.dataBetween, "bytes after the end of '\(entry.path)' belong to no entry"), in: archive.file.path)
        }
    }

    /// Holds libzip to our own reader's view.
    private func checkSameEntry(_ index: Int, _ entry: Archive.Entry) throws {
        var status = zip_stat_t()
        guard zip_stat_index(zip, UInt64(index), UInt32(ZIP_FL_ENC_RAW), &status) == 0 else {
            throw failure(zip_get_error(zip), entry)
        }
        let name = status.name.map { String(cString: $0) } ?? ""
        let isSame =
            name.utf8.elementsEqual((entry.isFolder ? entry.path + "/" : entry.path).utf8)
            && status.size == entry.size && status.comp_size == entry.compressedSize && status.crc == entry.crc32
            && status.comp_method == (entry.method == .stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE)
        guard isSame else {
            throw ArchiveError(
                Flaw(.badDirectory, "libzip sees another entry than '\(entry.path)'"), in: archive.file.path)
        }
    }

    private func wrongSize(_ entry: Archive.Entry) -> ArchiveError {
        ArchiveError(
            Flaw(.wrongSize, "'\(entry.path)' does not unpack to the \(entry.size) bytes it should"),
            in: archive.file.path)
    }

    private func failure(_ error: UnsafeMutablePointer<zip_error_t>, _ entry: Archive.Entry) -> any Error {
        if let failure = source.failure { return failure }
        let reason = String(cString: zip_error_strerror(error))
        let flaw =
            switch zip_error_code_zip(error) {
            case ZIP_ER_CRC: Flaw(.wrongChecksum, "'\(entry.path)' has not the checksum it should")
            case ZIP_ER_EOF, ZIP_ER_INCONS: Flaw(.wrongSize, "'\(entry.path)' ends too early or too late (\(reason))")
            case ZIP_ER_MEMORY: Flaw(.archiveFailed, "'\(entry.path)' could not be read (\(reason))")
            default: Flaw(.badData, "'\(entry.path)' can't be inflated (\(reason))")
            }
        return ArchiveError(flaw, in: archive.file.path)
    }
}
