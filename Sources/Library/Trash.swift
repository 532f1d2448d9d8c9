import Files
import StoreModel

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
    func empty(until isStopped: () -> Bool = { false }) throws(FileError) {
        let entries = try folder.entries()
        if entries.isEmpty { return }
        // That they lie here must outlast what becomes of them: no power cut puts a tree back that lacks some files.
        try folder.sync()
        var failure: FileError?
        for entry in entries {
            do { try remove(entry, until: isStopped) } catch { failure = error }
            if isStopped() { return }
        }
        if let failure { throw failure }
    }

    /// A tree in pieces, so that a large one does not hold up who wants to stop.
    private func remove(_ entry: Directory.Entry, until isStopped: () -> Bool) throws(FileError) {
        if entry.kind == .folder {
            let tree = try folder.openDirectory(entry.name)
            for piece in try tree.entries() {
                if isStopped() { return }
                try tree.removeTree(piece.name)
            }
        }
        try folder.removeTree(entry.name)
    }
}
