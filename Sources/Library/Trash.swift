import Files
import StoreModel

/// Trees on their way out: moved here in one step, their space given back later.
struct Trash: Sendable {
    let folder: Directory

    /// Takes a file or tree out of `source`; at once where it is a file.
    func discard(_ name: String, in source: Directory) throws(FileError) {
        try source.rename(name, to: folder, as: OperationID().rawValue)
    }

    /// Removes what is in it. What can't be removed now is tried again the next time.
    func empty() throws(FileError) {
        var failure: FileError?
        for entry in try folder.entries() {
            do { try folder.removeTree(entry.name) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
