import Files
import StoreModel

/// Trees on their way out: moved here in one step, their space given back later.
struct Trash: Sendable {
    let folder: Directory

    /// Takes a file or tree out of `source`; at once where it is a file.
    func discard(_ name: String, in source: Directory) throws(FileError) {
        try source.rename(name, to: folder, as: OperationID().rawValue)
    }

    /// Removes what is in it, until `isStopped`. What can't be removed now is tried again the next time.
    func empty(until isStopped: @escaping @Sendable () -> Bool = { false }) throws {
        var failure: (any Error)?
        for entry in try folder.entries() {
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
