public import StoreModel
public import StoreSystem

/// A validated ZIP file that has exactly one interpretation; ambiguous files are rejected when they are opened.
///
/// Opening reads the end record, the central directory and all local headers, but not the contents: their sizes and
/// checksums are verified while they are unpacked or hashed.
public struct Archive: Sendable {
    /// The open ZIP file that contains the archive.
    public var file: OpenFile { bytes.file }
    let bytes: ArchiveBytes
    /// The files and directories of the pack, in the order of the central directory.
    public let entries: [Entry]
    /// The archive's only top-level directory, which contains all files; `nil` if files are at the archive's root.
    public let root: String?
    /// The paths of hidden files and directories that are not among the ``entries``, without what they contain.
    ///
    /// Litter is not listed; see ``StoreModel/PackExclusion``.
    public internal(set) var leftOut: [String]

    /// A value that describes one file or directory of a ZIP archive, without its contents.
    public struct Entry: Sendable, Hashable {
        /// The path of a ZIP entry as stored in the archive, without the trailing `/` of a directory.
        public let path: String
        /// The path of a ZIP entry relative to the product's directory: ``path`` without ``Archive/root``.
        ///
        /// Empty for the root itself.
        public let packPath: String
        /// Whether the ZIP entry is a directory.
        public let isDirectory: Bool
        /// The compression method of the ZIP entry's contents: stored (uncompressed) or deflate.
        public let method: EntryTable.Method
        /// The offset of the ZIP entry's (compressed) contents from the start of the archive, in bytes.
        public let offset: Int
        /// The size of the ZIP entry's contents as they are in the archive, usually compressed, in bytes.
        public let compressedSize: Int
        /// The size of the ZIP entry's uncompressed contents, in bytes.
        public let size: Int
        /// The CRC-32 checksum of the ZIP entry's uncompressed contents, as the archive states it.
        public let crc32: UInt32
    }

    /// Opens a ZIP archive and validates its structure, without reading the contents of its entries.
    ///
    /// - Parameters:
    ///   - file: the archive, open for reading.
    ///   - limits: the limits beyond which the archive is rejected.
    ///   - cancellation: checked for each entry.
    /// - Throws: `CancellationError`, ``StoreError`` with a code `archive.…` if the archive is rejected (see
    ///   ``StoreModel/StoreError/isArchiveRejection``), or with a code of the file system if it can't be read.
    public init(
        _ file: OpenFile, limits: ArchiveLimits = ArchiveLimits(), cancellation: CancellationFlag = CancellationFlag()
    ) throws {
        self = try rejecting(file) { try ArchiveReader(file: file, limits: limits, cancellation: cancellation).read() }
    }

    init(
        bytes: ArchiveBytes, headers: [(header: EntryHeader, name: EntryName, offset: Int)],
        hiddenEntries: HiddenEntries
    ) throws(StoreError) {
        self.bytes = bytes
        let (headers, leftOut) = try Archive.select(headers, hiddenEntries)
        self.leftOut = leftOut
        root = Archive.root(of: headers.map(\.name))
        let rootLength = root.map { $0.utf8.count + 1 } ?? 0
        var entries: [Entry] = []
        entries.reserveCapacity(headers.count)
        for (header, name, offset) in headers {
            let packPath = String(name.path.utf8.dropFirst(rootLength)) ?? name.path
            try Archive.requireNoReceipt(Substring(packPath.utf8.prefix { $0 != UInt8(ascii: "/") }))
            entries.append(
                Entry(
                    path: name.path, packPath: packPath, isDirectory: name.isDirectory,
                    method: header.method == 0 ? .stored : .deflate, offset: offset,
                    compressedSize: header.compressedSize, size: header.size, crc32: header.crc32))
        }
        self.entries = entries
    }

    /// Returns the entries that belong to the pack, and the paths of hidden files and directories that were left out.
    private static func select(
        _ headers: [(header: EntryHeader, name: EntryName, offset: Int)], _ hiddenEntries: HiddenEntries
    ) throws(StoreError) -> (headers: [(header: EntryHeader, name: EntryName, offset: Int)], leftOut: [String]) {
        if hiddenEntries == .kept { return (headers, []) }
        var selected: [(header: EntryHeader, name: EntryName, offset: Int)] = []
        selected.reserveCapacity(headers.count)
        var leftOut: Set<String> = []
        for one in headers {
            guard let excluded = PackExclusion.topmost(in: one.name.path, isDirectory: one.name.isDirectory) else {
                selected.append(one)
                continue
            }
            let components = excluded.path.utf8.split(separator: UInt8(ascii: "/"))
            // At the root of the archive or of its only top-level directory.
            if components.count <= 2, let last = components.last { try requireNoReceipt(Substring(last)) }
            if excluded.reason == .litter { continue }
            guard hiddenEntries == .leftOut else {
                throw StoreError(.archiveHiddenName, ["entry": .untrusted(one.name.path)])
            }
            leftOut.insert(excluded.path)
        }
        if !selected.contains(where: { !$0.name.isDirectory }), headers.contains(where: { !$0.name.isDirectory }) {
            throw StoreError(.archiveOnlyExcludedFiles)
        }
        return (selected, leftOut.sorted())
    }

    /// Checks that the name of a file or directory at the root of a pack is not that of the receipt.
    static func requireNoReceipt(_ name: Substring) throws(StoreError) {
        guard name.caseFolded == Receipt.fileName else { return }
        throw StoreError(.archiveReservedName, ["name": Receipt.fileName])
    }

    /// Returns the name of the only top-level directory of an archive, or `nil` if the entries have none in common.
    private static func root(of names: [EntryName]) -> String? {
        guard let first = names.first?.path.utf8.prefix(while: { $0 != UInt8(ascii: "/") }) else { return nil }
        let allInside = names.allSatisfy { name in
            let path = name.path.utf8
            guard path.starts(with: first) else { return false }
            return path.count == first.count ? name.isDirectory : path.dropFirst(first.count).first == UInt8(ascii: "/")
        }
        // An archive of one empty directory contains no pack.
        return allInside && names.contains { !$0.isDirectory } ? String(first) : nil
    }

    /// The size of all files of the ZIP archive when unpacked, in bytes.
    public var size: Int { entries.reduce(0) { $0 + $1.size } }
}
