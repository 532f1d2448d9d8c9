import FoundationEssentials
public import StoreModel
public import StoreSystem

/// The partial file of a download in a directory that other processes use, too: `NAME.part`, which becomes `NAME`.
///
/// The file is locked from ``open(_:in:)`` on until the value is released, so that no two processes write to it; a file
/// system without locks does not keep a second process from it. A ``PartialFileRecord`` beside it, `NAME.part.ranges`, tells
/// which of its bytes a later process can use.
///
/// ```swift
/// let named = try await NamedPartialFile.open("a.zip", in: directory)
/// let done = try await engine.download(request, into: named.partial)
/// try named.commit(done)
/// ```
public struct NamedPartialFile: Sendable {
    /// The file to download into, with the bytes that an earlier process left and that are still intact.
    public let partial: PartialFile
    private let directory: Directory
    private let name: String
    /// Whether the file system tells by inode numbers whether a name belongs to an open file.
    private let hasStableInodes: Bool

    private var partName: String { Self.partName(name) }
    private var recordName: String { Self.recordName(name) }
    private static func partName(_ name: String) -> String { name + ".part" }
    private static func recordName(_ name: String) -> String { name + ".part.ranges" }

    /// Opens and locks the partial file of a name, and hashes its bytes; creates the file where it is missing.
    ///
    /// - Parameters:
    ///   - name: the name of the complete file.
    ///   - directory: the directory of both files.
    /// - Throws: `transfer.part-busy` where another process, or another value, has the file locked; an error of the disk;
    ///   `CancellationError`.
    public static func open(_ name: String, in directory: Directory) async throws -> NamedPartialFile {
        try await open(name, in: directory, FileSystem())
    }

    /// The operations whose results depend on the file system; tests replace them.
    struct FileSystem: Sendable {
        /// Tries to lock an open file.
        var tryLock: @Sendable (OpenFile) throws(StoreError) -> LockResult = { file throws(StoreError) in
            try file.tryLock()
        }
        /// Returns whether a name in a directory belongs to an open file by its inode number.
        var isSame: @Sendable (OpenFile, String, Directory) throws(StoreError) -> Bool = {
            file, name, directory throws(StoreError) in try directory.has(file, as: name)
        }
    }

    static func open(
        _ name: String, in directory: Directory, _ fileSystem: FileSystem
    ) async throws -> NamedPartialFile {
        let (file, hasStableInodes) = try lockedFile(partName(name), in: directory, fileSystem)
        let partial = try await PartialFile.resuming(file, record: PartialFileRecord(in: directory, recordName(name)))
        return NamedPartialFile(
            partial: partial, directory: directory, name: name, hasStableInodes: hasStableInodes)
    }

    /// The number of times that a partial file is opened before its inode number is taken for useless.
    private static let attempts = 10

    /// Opens and locks a file that has its name when it is locked; creates it where it is missing.
    private static func lockedFile(
        _ name: String, in directory: Directory, _ fileSystem: FileSystem
    ) throws(StoreError) -> (OpenFile, hasStableInodes: Bool) {
        for _ in 0..<attempts {
            let file = try lockedAfterOpening(name, in: directory, fileSystem)
            // Between opening and locking, the process that held the lock may have renamed the file.
            if try fileSystem.isSame(file, name, directory) { return (file, true) }
        }
        // Not all file systems in user space (FUSE) have stable inode numbers. Without them, another file of the name would
        // have to have the same size and time.
        let file = try lockedAfterOpening(name, in: directory, fileSystem)
        let (named, status) = (try directory.status(of: name), try file.status())
        guard let named, named.size == status.size, named.modifiedAt == status.modifiedAt else {
            throw StoreError(.partialFileBusy, ["path": .path(file.path)])
        }
        return (file, false)
    }

    private static func lockedAfterOpening(
        _ name: String, in directory: Directory, _ fileSystem: FileSystem
    ) throws(StoreError) -> OpenFile {
        let file = try directory.openOrCreateFile(name, mode: 0o644)
        // Where the file system has no locks, the download goes on without one: most often one process fetches.
        if case .heldElsewhere = try fileSystem.tryLock(file) {
            throw StoreError(.partialFileBusy, ["path": .path(file.path)])
        }
        return file
    }

    /// Gives the complete file its name, replacing an existing file of that name, and removes the record.
    ///
    /// - Parameters:
    ///   - done: the result of the download.
    ///   - isDurable: whether to wait until the file is on the disk, before it gets its name and after. Otherwise, after a
    ///     power cut within the next seconds, the file may have its name without its content.
    /// - Throws: `transfer.part-changed` where another program removed, replaced, or shortened the file; an error of the
    ///   disk.
    public func commit(_ done: DownloadedFile, isDurable: Bool = false) throws(StoreError) {
        let file = partial.file
        guard try isInPlace(), try file.status().size == done.size else {
            throw StoreError(.partialFileChanged, ["path": .path(file.path)])
        }
        if isDurable { try file.sync() }
        // The record first: it would otherwise count for the next partial file of this name.
        try? directory.remove(recordName)
        try directory.rename(partName, to: directory, as: name, replacing: true)
        if isDurable { try directory.sync() }
    }

    /// Ends a download that did not succeed: keeps the received bytes for a later one, or leaves no file without bytes.
    ///
    /// The space that is reserved for bytes still to come is released. A file that another program has put in place of
    /// the partial file is left alone. The value is not to be used any more.
    ///
    /// - Returns: the number of bytes kept; 0 where the partial file and its record are gone.
    @discardableResult
    public func abandon() throws(StoreError) -> Int {
        try partial.releaseReservedSpace()
        guard partial.size == 0 else { return partial.size }
        guard try isInPlace() else { return 0 }
        try? directory.remove(recordName)
        try directory.remove(partName)
        return 0
    }

    /// Returns whether the partial file still has its name, as far as the file system tells.
    private func isInPlace() throws(StoreError) -> Bool {
        if hasStableInodes { return try directory.has(partial.file, as: partName) }
        return try directory.status(of: partName)?.size == partial.file.status().size
    }
}

extension Directory {
    /// Returns whether a name belongs to an open file, and not to another file or to none.
    fileprivate func has(_ file: OpenFile, as name: String) throws(StoreError) -> Bool {
        guard let named = try status(of: name) else { return false }
        let status = try file.status()
        return named.inode == status.inode && named.device == status.device
    }
}
