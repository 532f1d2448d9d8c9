import StoreModel
import StoreSystem

/// The trash: a directory into which removed files and trees are moved in one step, to be deleted later.
struct Trash: Sendable {
    let folder: Directory

    /// Moves a file or tree out of `source` into the trash directory, in one step.
    ///
    /// - Returns: its new, unique name in the trash.
    @discardableResult
    func discard(_ name: String, in source: Directory) throws(StoreError) -> String {
        let discarded = OperationID().rawValue
        try source.rename(name, to: folder, as: discarded)
        return discarded
    }

    /// Deletes the contents of the trash directory until `isStopped` returns `true`.
    ///
    /// What can't be deleted stays for the next call, and the rest is deleted all the same.
    ///
    /// - Throws: the last error, after everything was tried.
    func empty(until isStopped: @escaping @Sendable () -> Bool = { false }) throws {
        let entries = try folder.entries()
        if entries.isEmpty { return }
        // The renames must be durable before files are deleted: a power cut must not bring back a tree without some files.
        try folder.sync()
        var failure: (any Error)?
        for entry in entries {
            do { try remove(entry, until: isStopped) } catch { failure = error }
            if isStopped() { return }
        }
        if let failure { throw failure }
    }

    private func remove(_ entry: Directory.Entry, until isStopped: @escaping @Sendable () -> Bool) throws {
        if entry.kind == .folder {
            try folder.openDirectory(entry.name).removeContents(until: isStopped)
            if !isStopped() { try folder.removeEmptied(entry.name) }
            return
        }
        try folder.removeTree(entry.name)
    }
}
