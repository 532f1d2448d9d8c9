public import StoreModel
public import StoreSystem

/// A ZIP in which every reader sees the same files. Any other is not opened.
///
/// Opening reads the end record, the central directory and every entry's own header, but not the contents: whether
/// those inflate to what the headers promise shows while they are unpacked or hashed.
public struct Archive: Sendable {
    public let file: OpenFile
    /// Files and folders, in the order of the central directory.
    public let entries: [Entry]
    /// The one folder that holds all of the pack; `nil` where the pack's files are at the archive's root.
    public let root: String?

    public struct Entry: Sendable, Hashable {
        /// As it stands in the archive, but for a folder's `/` at the end.
        public let path: String
        /// Relative to the pack's folder: ``path`` without ``Archive/root``. Empty for the root itself.
        public let packPath: String
        public let isFolder: Bool
        public let method: EntryTable.Method
        /// Where the (compressed) bytes begin, counted from the start of the archive.
        public let offset: Int
        /// In bytes.
        public let compressedSize: Int
        /// Of the plain bytes.
        public let size: Int
        /// Of the plain bytes.
        public let crc32: UInt32
    }

    /// Opens an archive and holds it to the rules.
    ///
    /// - Parameter cancellation: checked for each entry.
    /// - Throws: `ArchiveError` with the word of the first rule that it breaks, `FileError` if it can't be read,
    ///   `CancellationError`.
    public init(
        _ file: OpenFile, limits: ArchiveLimits = ArchiveLimits(), cancellation: CancellationFlag = CancellationFlag()
    ) throws {
        do {
            self = try ArchiveReader(file: file, limits: limits, cancellation: cancellation).read()
        } catch let flaw as Flaw {
            throw ArchiveError(flaw, in: file.path)
        }
    }

    init(file: OpenFile, headers: [(header: EntryHeader, name: EntryName, offset: Int)]) throws(Flaw) {
        self.file = file
        root = Archive.root(of: headers.map(\.name))
        let rootLength = root.map { $0.utf8.count + 1 } ?? 0
        var entries: [Entry] = []
        entries.reserveCapacity(headers.count)
        for (header, name, offset) in headers {
            let packPath = String(name.path.utf8.dropFirst(rootLength)) ?? name.path
            let first = Substring(packPath.utf8.prefix { $0 != UInt8(ascii: "/") })
            if NameTree.folded(first) == Receipt.fileName {
                throw Flaw(.reservedName, "'\(Receipt.fileName)' at a pack's root is the store's own")
            }
            entries.append(
                Entry(
                    path: name.path, packPath: packPath, isFolder: name.isFolder,
                    method: header.method == 0 ? .stored : .deflate, offset: offset,
                    compressedSize: header.compressedSize, size: header.size, crc32: header.crc32))
        }
        self.entries = entries
    }

    private static func root(of names: [EntryName]) -> String? {
        guard let first = names.first?.path.utf8.prefix(while: { $0 != UInt8(ascii: "/") }) else { return nil }
        let allInside = names.allSatisfy { name in
            let path = name.path.utf8
            guard path.starts(with: first) else { return false }
            return path.count == first.count ? name.isFolder : path.dropFirst(first.count).first == UInt8(ascii: "/")
        }
        // An archive of one empty folder holds no pack in it.
        return allInside && names.contains { !$0.isFolder } ? String(first) : nil
    }

    /// Bytes of all files, unpacked.
    public var size: Int { entries.reduce(0) { $0 + $1.size } }
}
