import StoreModel
public import StoreSystem

/// A file of a pack that is being checked.
public struct PackFile: Sendable {
    /// The path relative to the pack's directory.
    public let path: String
    public let file: OpenFile
    /// In bytes.
    public let size: Int
    /// The first bytes: at least ``FileContent/headLength``, or all of a shorter file.
    public let head: [UInt8]
    public let content: FileContent

    /// The extension of its name in lower case; empty where there is none.
    public let suffix: String

    /// Opens a file and reads its first bytes.
    ///
    /// - Parameter buffer: scratch memory of at least ``FileContent/headLength`` bytes.
    init(_ name: String, path: String, in folder: Directory, _ buffer: UnsafeMutableRawBufferPointer) throws {
        self.path = path
        file = try folder.openFile(name)
        var filled = 0
        while filled < buffer.count {
            let got = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]), at: filled)
            if got == 0 { break }
            filled += got
        }
        head = Array(buffer[..<filled])
        size = filled < buffer.count ? filled : try file.status().size
        content = FileContent(head: head.prefix(FileContent.headLength))
        let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        suffix =
            dot.map { $0 == name.startIndex ? "" : name[name.utf8.index(after: $0)...].lowercased() } ?? ""
    }

    /// Returns the whole content.
    ///
    /// - Throws: `content.too-large` where it has more than `limit` bytes; `file.…`.
    public func bytes(limit: Int) throws -> [UInt8] {
        guard size <= limit else {
            throw StoreError(
                .fileTooLarge,
                ["path": .untrusted(path), "content": content.title, "size": .bytes(size), "limit": .bytes(limit)])
        }
        return size == head.count ? head : try file.read(count: size, at: 0)
    }
}
