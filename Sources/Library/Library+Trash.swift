public import FoundationEssentials
import StoreSystem

extension Library {
    /// Deletes removed packs and other contents of the library's trash directory, which frees their space.
    ///
    /// The library can be used meanwhile. What can't be deleted, or is left when the task is cancelled, stays for the
    /// next call.
    public nonisolated func emptyTrash() async {
        let folders = folders
        try? await removal.runCancellable { cancellation in
            try Trash(folder: folders.trash).empty { cancellation.isCancelled }
        }
    }

    /// Moves previous versions of packs that were replaced more than `age` seconds ago to the trash.
    ///
    /// A version that can't be moved, and all after it, stay for the next call.
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
