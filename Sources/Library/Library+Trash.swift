public import FoundationEssentials
import StoreSystem

extension Library {
    /// Deletes the removed packs, so that their space is free again.
    ///
    /// The library can be used meanwhile. When the task is cancelled, the rest stays for the next call.
    public nonisolated func emptyTrash() async {
        let folders = folders
        try? await removal.runCancellable { cancellation in
            try Trash(folder: folders.trash).empty { cancellation.isCancelled }
        }
    }

    /// Removes previous versions that were replaced longer than `age` seconds ago.
    public func expirePrevious(olderThan age: TimeInterval) async {
        let folders = folders
        let limit = Date().addingTimeInterval(-age)
        try? await disk.run {
            for entry in try folders.previous.entries() {
                // A rename into the folder sets this time, so that it tells when the version was replaced.
                guard let status = try folders.previous.status(of: entry.name), status.changedAt < limit else {
                    continue
                }
                try PreviousVersions(folders: folders).remove(entry.name)
            }
        }
    }
}
