public import FoundationEssentials
import StoreCZip
import StoreModel
public import StoreSystem

/// Makes archives of which every byte follows from the files, the date, and the version of the deflate library.
public struct ArchiveWriter: Sendable {
    /// Of every entry, by its day in UTC: an archive keeps no time zone, and a time of the day would depend on this
    /// machine's. Days before 1980 become 1980-01-01.
    public var modified: Date
    public var limits: ArchiveLimits

    public init(modified: Date, limits: ArchiveLimits = ArchiveLimits()) {
        self.modified = modified
        self.limits = limits
    }

    /// Packs all files beneath a folder, in the order of the bytes of their paths; empty folders and a
    /// `.receipt.json` at the root are left out.
    ///
    /// - Parameter file: an empty file, open for writing.
    /// - Returns: the archive, held to the same rules as any other.
    /// - Throws: `ArchiveError` if the folder holds a link or special file, nothing at all, or what would be refused;
    ///   `FileError` if the disk fails or is full.
    public func write(_ folder: Directory, into file: OpenFile) throws -> Archive {
        let paths = try filePaths(in: folder)
        guard !paths.isEmpty else {
            throw ArchiveError(.nothingToPack, "'\(folder.path)' holds no file to pack. Put the pack's files there.")
        }
        var stored = Set(paths.filter(ArchiveWriter.isPackedAlready))
        try write(paths, storing: stored, of: folder, into: file)
        let archive = try Archive(file, limits: limits)
        // What only grew is stored: known from the first try, as deflate alone can tell.
        let grown = archive.entries.filter { $0.method == .deflate && $0.compressedSize >= $0.size }.map(\.path)
        guard !grown.isEmpty else { return archive }
        stored.formUnion(grown)
        try file.truncate(to: 0)
        try file.seek(to: 0)
        try write(paths, storing: stored, of: folder, into: file)
        return try Archive(file, limits: limits)
    }

    private func filePaths(in root: Directory) throws -> [String] {
        var paths: [String] = []
        func walk(_ folder: Directory, _ prefix: String, _ depth: Int) throws {
            guard depth <= limits.depth else {
                throw ArchiveError(.tooDeep, "'\(folder.path)' lies over \(limits.depth) folders deep. Put it higher.")
            }
            for entry in try folder.entries() where !(depth == 1 && entry.name == Receipt.fileName) {
                switch entry.kind {
                case .file:
                    do {
                        paths.append(try EntryName(Array((prefix + entry.name).utf8)[...], limits: limits).path)
                    } catch {
                        throw ArchiveError(
                            error.code, "'\(folder.path(of: entry.name))' can't be packed: \(error.reason). Rename it.")
                    }
                case .folder: try walk(folder.openDirectory(entry.name), prefix + entry.name + "/", depth + 1)
                case .link:
                    throw ArchiveError(
                        .link, "'\(folder.path(of: entry.name))' is a link. Put the file itself in its place.")
                case .other:
                    throw ArchiveError(
                        .specialFile, "'\(folder.path(of: entry.name))' is neither file nor folder. Remove it.")
                }
            }
        }
        try walk(root, "", 1)
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Formats that are compressed in themselves, on which deflate would only spend time at each end.
    private static func isPackedAlready(_ path: String) -> Bool {
        let suffixes: Set<Substring> = [
            "png", "apng", "webp", "jpg", "jpeg", "gif", "avif", "heic", "jxl", "webm", "mp4", "m4a", "mp3", "ogg",
            "opus", "flac", "tgs", "gz", "xz", "zst", "zip", "jar", "woff", "woff2",
        ]
        guard let dot = path.lastIndex(of: ".") else { return false }
        return suffixes.contains(path[path.index(after: dot)...].lowercased()[...])
    }

    private func write(
        _ paths: [String], storing stored: Set<String>, of folder: Directory, into file: OpenFile
    ) throws {
        let sink = ZipSource(sink: file)
        let handle = try sink.handle()
        var error = zip_error_t()
        defer { zip_error_fini(&error) }
        guard let zip = zip_open_from_source(handle, ZIP_CREATE | ZIP_TRUNCATE, &error) else {
            zip_source_free(handle)
            throw sink.failure ?? failure(&error, file)
        }
        var sources: [ZipSource] = []
        do {
            for path in paths {
                let source = ZipSource { try folder.openFile(path) }
                sources.append(source)
                try add(path, from: source, isStored: stored.contains(path), to: zip, file)
            }
            guard zip_close(zip) == 0 else {
                let known = sink.failure ?? sources.lazy.compactMap(\.failure).first
                throw known ?? failure(zip_get_error(zip), file)
            }
        } catch {
            zip_discard(zip)
            throw error
        }
    }

    private func add(
        _ path: String, from source: ZipSource, isStored: Bool, to zip: OpaquePointer, _ file: OpenFile
    ) throws {
        let handle = try source.handle()
        let index = zip_file_add(zip, path, handle, UInt32(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            zip_source_free(handle)
            throw failure(zip_get_error(zip), file)
        }
        let place = UInt64(index)
        let (date, time) = dosDateAndTime
        let method = isStored ? ZIP_CM_STORE : ZIP_CM_DEFLATE
        guard zip_set_file_compression(zip, place, method, 9) == 0,
            zip_file_set_dostime(zip, place, time, date, 0) == 0,
            // A regular file, 0644, whatever the file itself has.
            zip_file_set_external_attributes(zip, place, 0, UInt8(ZIP_OPSYS_UNIX), 0o100644 << 16) == 0
        else { throw failure(zip_get_error(zip), file) }
    }

    /// Noon: libzip takes the time through this machine's time zone and back, which loses times that a change of the
    /// clocks leaves out, and those are at night.
    private var dosDateAndTime: (date: UInt16, time: UInt16) {
        let noon: UInt16 = 12 << 11
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let day = calendar.dateComponents([.year, .month, .day], from: modified)
        guard let year = day.year, let month = day.month, let dayOfMonth = day.day, year >= 1980 else {
            return (1 << 5 | 1, noon)
        }
        return (UInt16(min(year - 1980, 127) << 9 | month << 5 | dayOfMonth), noon)
    }

    private func failure(_ error: UnsafeMutablePointer<zip_error_t>, _ file: OpenFile) -> ArchiveError {
        ArchiveError(
            .archiveFailed, "'\(file.path)' can't be written: \(String(cString: zip_error_strerror(error))). Try again."
        )
    }
}
