import StoreModel
import StoreSystem

/// Trees on their way out: moved here in one step, their space given back later.
struct Trash: Sendable {
    let folder: Directory

    /// Takes a file or tree out of `source`, in one step.
    ///
    /// - Returns: its name in the trash.
    @discardableResult
    func discard(_ name: String, in source: Directory) throws(FileError) -> String {
        let discarded = OperationID().rawValue
        try source.rename(name, to: folder, as: discarded)
        return discarded
    }

    /// Removes what is in it, until `isStopped`. What can't be removed now is tried again the next time.
    func empty(until isStopped: @escaping @Sendable () -> Bool = { false }) throws {
        let entries = try folder.entries()
        if entries.isEmpty { return }
        // That they lie here must outlast what becomes of them: no power cut puts a tree back that lacks some files.
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
            if isStopped() { return }
        }
        try folder.removeTree(entry.name)
    }
}
