public import FoundationEssentials
import StoreCZip
import StoreModel
public import StoreSystem

/// A writer of reproducible ZIP archives: every byte follows from the files, the date and the version of zlib.
public struct ArchiveWriter: Sendable {
    /// The modification date that the written archive states for every entry; only the day in UTC is used.
    ///
    /// An archive stores no time zone, so that a time of day would depend on this machine's. Days before 1980 become
    /// 1980-01-01.
    public var modified: Date
    /// The limits of sizes and names that the written ZIP archive must not exceed.
    public var limits: ArchiveLimits

    /// Creates a writer of ZIP archives with the modification date and the limits of their entries.
    public init(modified: Date, limits: ArchiveLimits = ArchiveLimits()) {
        self.modified = modified
        self.limits = limits
    }

    /// Packs all files below a directory into a ZIP archive, sorted by the bytes of their paths.
    ///
    /// Empty directories, a `.receipt.json` at the root, litter and hidden files are left out (see
    /// ``StoreModel/PackExclusion``); the result names the hidden ones.
    ///
    /// - Parameters:
    ///   - directory: the directory to pack.
    ///   - file: an empty file, open for writing.
    /// - Returns: the written archive, validated as every archive that is opened.
    /// - Throws: ``StoreError`` if the directory contains a link, a special file, no file, or a file that ``Archive``
    ///   would reject, or if the disk fails or is full.
    public func write(_ directory: Directory, into file: OpenFile) throws -> Archive {
        let (paths, leftOut) = try filePaths(in: directory)
        guard !paths.isEmpty else {
            throw StoreError(.archiveNothingToPack, ["path": .path(directory.path)])
        }
        let members = paths.map { path in Member(path: path) { ZipSource { try directory.openFile(path) } } }
        var archive = try write(members, into: file)
        archive.leftOut = leftOut
        return archive
    }

    /// Packs files that are in memory into a ZIP archive, sorted by the bytes of their paths.
    ///
    /// - Parameters:
    ///   - files: the bytes of at least one file, by their paths.
    ///   - file: an empty file, open for reading and writing.
    /// - Returns: the written archive, validated as every archive that is opened.
    /// - Throws: ``StoreError`` if ``Archive`` would reject a file, or if the disk fails or is full.
    public func write(_ files: [String: [UInt8]], into file: OpenFile) throws -> Archive {
        let paths = files.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return try write(
            paths.map { path in Member(path: path) { ZipSource(bytes: files[path] ?? []) } }, into: file)
    }

    /// A file to pack: its path in the archive, and a function that returns its content for libzip.
    private struct Member {
        let path: String
        let source: () -> ZipSource
    }

    private func write(_ members: [Member], into file: OpenFile) throws -> Archive {
        var stored = Set(members.map(\.path).filter(ArchiveWriter.isCompressed))
        try write(members, storing: stored, into: file)
        let archive = try Archive(file, limits: limits)
        // Files that deflate does not shrink are stored uncompressed. Only deflating them shows which.
        let grown = archive.entries.filter { $0.method == .deflate && $0.compressedSize >= $0.size }.map(\.path)
        if grown.isEmpty { return archive }
        stored.formUnion(grown)
        try file.truncate(to: 0)
        try file.seek(to: 0)
        try write(members, storing: stored, into: file)
        return try Archive(file, limits: limits)
    }

    /// Returns the paths of the files to pack, and those of the hidden files and directories that are left out.
    private func filePaths(in root: Directory) throws -> (paths: [String], leftOut: [String]) {
        var (paths, leftOut): ([String], [String]) = ([], [])
        try root.walk { entry, path, directory in
            if path == Receipt.fileName { return false }
            if let reason = PackExclusion(name: entry.name, isDirectory: entry.kind == .folder) {
                if reason == .hidden { leftOut.append(path) }
                return false
            }
            guard entry.isUTF8 else {
                throw StoreError(
                    .archiveFileNotPackable, ["path": .path(directory.path(of: entry.name))],
                    cause: StoreError(.archiveNameNotUTF8, ["entry": .untrusted(entry.name)]))
            }
            switch entry.kind {
            case .file:
                do {
                    paths.append(try EntryName(Array(path.utf8)[...], limits: limits).path)
                } catch {
                    throw StoreError(
                        .archiveFileNotPackable, ["path": .path(directory.path(of: entry.name))], cause: error)
                }
            case .folder:
                // The root is a level, too.
                guard path.utf8.count(where: { $0 == UInt8(ascii: "/") }) + 2 <= limits.depth else {
                    throw StoreError(
                        .archiveDirectoryTooDeep,
                        ["path": .path(directory.path(of: entry.name)), "limit": limits.depth])
                }
                return true
            case .link:
                throw StoreError(.archiveFileIsLink, ["path": .path(directory.path(of: entry.name))])
            case .other:
                throw StoreError(.archiveFileIsSpecial, ["path": .path(directory.path(of: entry.name))])
            }
            return false
        }
        return (paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, leftOut.sorted())
    }

    /// Returns whether a path has the extension of a compressed file format, which deflate would not shrink.
    private static func isCompressed(_ path: String) -> Bool {
        let suffixes: Set<Substring> = [
            "png", "apng", "webp", "jpg", "jpeg", "gif", "avif", "heic", "jxl", "webm", "mp4", "m4a", "mp3", "ogg",
            "opus", "flac", "tgs", "gz", "xz", "zst", "zip", "jar", "woff", "woff2",
        ]
        guard let dot = path.lastIndex(of: ".") else { return false }
        return suffixes.contains(path[path.index(after: dot)...].lowercased()[...])
    }

    private func write(_ members: [Member], storing stored: Set<String>, into file: OpenFile) throws {
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
            for member in members {
                let source = member.source()
                sources.append(source)
                try add(member.path, from: source, isStored: stored.contains(member.path), to: zip, file)
            }
            guard zip_close(zip) == 0 else {
                let cause = sink.failure ?? sources.lazy.compactMap(\.failure).first
                throw cause ?? failure(zip_get_error(zip), file)
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
        let entry = UInt64(index)
        let (date, time) = dosDateAndTime
        let method = isStored ? ZIP_CM_STORE : ZIP_CM_DEFLATE
        guard zip_set_file_compression(zip, entry, method, 9) == 0,
            zip_file_set_dostime(zip, entry, time, date, 0) == 0,
            // A regular file with mode 0644, independent of the file's own mode.
            zip_file_set_external_attributes(zip, entry, 0, UInt8(ZIP_OPSYS_UNIX), 0o100644 << 16) == 0
        else { throw failure(zip_get_error(zip), file) }
    }

    /// The modification date of the written ZIP entries in the format of MS-DOS, at noon.
    ///
    /// libzip converts the time to this machine's time zone and back, which loses times that a change of the clocks
    /// skips; those are at night.
    private var dosDateAndTime: (date: UInt16, time: UInt16) {
        let noon: UInt16 = 12 << 11
        guard let day = modified.dayInUTC, day.year >= 1980 else { return (1 << 5 | 1, noon) }
        return (UInt16(min(day.year - 1980, 127) << 9 | day.month << 5 | day.day), noon)
    }

    private func failure(_ error: UnsafeMutablePointer<zip_error_t>, _ file: OpenFile) -> StoreError {
        StoreError(
            .archiveNotWritten,
            ["path": .path(file.path), "reason": String(cString: zip_error_strerror(error))])
    }
}
