public import Files
import StoreModel

/// Unpacks within this process. Folders get mode 0755 and files 0644, less what the user's umask takes; nothing else
/// that the archive says of owners, modes or times is used.
public struct Unpacker: Unpacking {
    public init() {}

    public func unpack(_ archive: OpenFile, into folder: Directory, limits: ArchiveLimits) throws -> UnpackReport {
        let archive = try Archive(archive, limits: limits)
        try createFolders(of: archive, in: folder)
        let files = try unpackFiles(archive.entries.indices, of: archive, into: folder)
        return UnpackReport(files: files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) })
    }

    /// All folders come first, so that files can be divided among threads.
    private func createFolders(of archive: Archive, in folder: Directory) throws {
        var created: Set<Substring> = [""]
        for entry in archive.entries {
            let path = entry.isFolder ? entry.packPath[...] : parent(of: entry.packPath)
            guard created.insert(path).inserted else { continue }
            _ = try folder.createDirectory(String(path), mode: 0o755)
        }
    }

    /// Unpacks the files among the entries of a range: what one thread does.
    private func unpackFiles(
        _ range: Range<Int>, of archive: Archive, into folder: Directory
    ) throws -> [Receipt.File] {
        let contents = try EntryContents(archive)
        // The folder of the file before is most often that of the next.
        var (openPath, open) = (Substring(), folder)
        var files: [Receipt.File] = []
        for index in range where !archive.entries[index].isFolder {
            let entry = archive.entries[index]
            let path = parent(of: entry.packPath)
            if path != openPath {
                (openPath, open) = (path, path.isEmpty ? folder : try folder.openDirectory(String(path)))
            }
            let name = Substring(entry.packPath.utf8.dropFirst(path.isEmpty ? 0 : path.utf8.count + 1))
            let file = try open.createFile(String(name), mode: 0o644)
            let digest = try contents.read(index) { try file.write($0) }
            files.append(Receipt.File(path: entry.packPath, size: entry.size, sha256: digest))
        }
        return files
    }

    private func parent(of path: String) -> Substring {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
    }
}
