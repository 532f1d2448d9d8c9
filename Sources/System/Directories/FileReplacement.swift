public import StoreModel

/// The new content of a file, which has a temporary name and is not in place yet.
///
/// Several files are replaced together by preparing all of them before the first is committed: where the disk is full,
/// none is replaced.
public struct FileReplacement: Sendable {
    let directory: Directory
    let name: String
    let temporaryName: String
    /// Whether the temporary file was synced; ``commit()`` then syncs the directory, too.
    let isSynced: Bool

    /// Replaces the file atomically, and durably if its new content was synced.
    ///
    /// - Throws: `file.…` or `space.disk-full`. Where only the sync of the directory failed, the new content is in place.
    public func commit() throws(StoreError) {
        do {
            try directory.rename(temporaryName, to: directory, as: name, replacing: true)
            if isSynced { try directory.sync() }
        } catch {
            discard()
            throw error
        }
    }

    /// Removes the temporary file; does nothing after ``commit()``.
    public func discard() { try? directory.remove(temporaryName) }
}
