import StoreModel
public import StoreSystem

/// A file of a pack, on the disk or in memory, that is being checked by a rule for the files of packs (``FileRule``).
public struct PackFile: Sendable {
    /// The path of the file relative to the pack's directory.
    public let path: String
    /// The open file; `nil` if ``head`` has all bytes of it.
    public let file: OpenFile?
    /// The size of the pack's file in bytes.
    public let size: Int
    /// The first bytes of the pack's file: at least ``FileContent/headLength``, or all bytes of a shorter file.
    public let head: [UInt8]
    public let content: FileContent

    /// The extension of the name of the pack's file, in lower case and without the dot.
    ///
    /// It is empty if the name has no dot, or only one at its beginning.
    public let suffix: String

    /// Opens a file of a pack and reads its first bytes.
    ///
    /// - Parameters:
    ///   - path: the file's path relative to the pack's directory.
    ///   - buffer: scratch memory of at least ``FileContent/headLength`` bytes, which are filled as far as the file has
    ///     bytes.
    init(_ name: String, path: String, in folder: Directory, _ buffer: UnsafeMutableRawBufferPointer) throws {
        let file = try folder.openFile(name)
        var filled = 0
        while filled < buffer.count {
            let got = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]), at: filled)
            if got == 0 { break }
            filled += got
        }
        let isWhole = filled < buffer.count
        self.init(
            path, head: Array(buffer[..<filled]), size: isWhole ? filled : try file.status().size,
            file: isWhole ? nil : file)
    }

    /// Reads a file of a pack that is in memory.
    init(_ file: FileTree.File) {
        self.init(file.path, head: Array(file.bytes), size: file.bytes.count, file: nil)
    }

    private init(_ path: String, head: [UInt8], size: Int, file: OpenFile?) {
        (self.path, self.head, self.size, self.file) = (path, head, size, file)
        content = FileContent(head: head.prefix(FileContent.headLength))
        let start = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        let dot = path.utf8.lastIndex(of: UInt8(ascii: "."))
        suffix = dot.map { $0 <= start ? "" : path[path.utf8.index(after: $0)...].lowercased() } ?? ""
    }

    /// Returns the whole content of the pack's file.
    ///
    /// - Parameter limit: the maximum size in bytes.
    /// - Throws: `content.too-large` if the file has more than `limit` bytes; `file.…` if it can't be read.
    public func bytes(limit: Int) throws -> [UInt8] {
        guard size <= limit else {
            throw StoreError(
                .fileTooLarge,
                ["path": .untrusted(path), "content": content.title, "size": .bytes(size), "limit": .bytes(limit)])
        }
        return try file?.read(count: size, at: 0) ?? head
    }
}
