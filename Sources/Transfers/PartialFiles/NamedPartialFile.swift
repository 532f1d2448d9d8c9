public import StoreModel
public import StoreSystem

/// The partial file of a download in a directory that other processes use, too: `NAME.part`, which becomes `NAME`.
///
/// The file is locked from ``open(_:in:)`` on until the value is released, so that no two processes write to it. What its
/// bytes do not tell is in `NAME.part.ranges` (``PartialFileRecord``).
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
        let file = try lockedFile(partName(name), in: directory)
        let partial = try await PartialFile.resuming(file, record: PartialFileRecord(in: directory, recordName(name)))
        return NamedPartialFile(partial: partial, directory: directory, name: name)
    }

    private static func lockedFile(_ name: String, in directory: Directory) throws(StoreError) -> OpenFile {
        while true {
            let file = try directory.openOrCreateFile(name, mode: 0o644)
            guard try file.tryLock() else { throw StoreError(.partialFileBusy, ["path": .path(file.path)]) }
            // Between opening and locking, the process that held the lock may have renamed the file.
            if try directory.has(file, as: name) { return file }
        }
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
        guard try directory.has(file, as: partName), try file.status().size == done.size else {
            throw StoreError(.partialFileChanged, ["path": .path(file.path)])
        }
        if isDurable { try file.sync() }
        // The record first: it would otherwise count for the next partial file of this name.
        try? directory.remove(recordName)
        try directory.rename(partName, to: directory, as: name, replacing: true)
        if isDurable { try directory.sync() }
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
