import StoreModel
import StoreSystem

/// Access to the directory of previous versions of packs, which are kept for rollback.
///
/// There is at most one for each pack. Readers may have one open.
struct PreviousVersions {
    let folders: LibraryDirectories

    /// Makes the directory `name` of `source` the previous version of the pack in `folder`.
    ///
    /// It replaces an older previous version.
    ///
    /// - Throws: `file.missing` if `name` is no directory; the older previous version then stays.
    func keep(_ name: String, in source: Directory, as folder: String) throws(StoreError) {
        guard try source.status(of: name)?.kind == .folder else {
            throw StoreError(.fileMissing, ["path": source.path(of: name)])
        }
        try remove(folder)
        try source.rename(name, to: folders.previous, as: folder)
    }

    /// Moves the previous version of the pack in `folder` to the trash; does nothing if there is none.
    func remove(_ folder: String) throws(StoreError) {
        guard try folders.previous.status(of: folder) != nil else { return }
        try Trash(folder: folders.trash).discard(folder, in: folders.previous)
    }

    /// Exchanges the installed pack in `folder` with its previous version.
    ///
    /// If the file system can't exchange two directories, three renames do it, with the pack set aside in staging; a
    /// crash in between is undone or finished by ``Recovery``. They are synced, because recovery after a power cut relies on the
    /// staging directory before them, and on their names once it is removed.
    ///
    /// - Throws: `StoreError` if the pack, the previous version or the staging directory can't be moved or synced.
    func exchange(_ folder: String, operation: OperationID) throws {
        if try folders.previous.exchange(folder, with: folders.packs, folder) { return }
        let staged = try StagingDirectory(operation: operation, targetFolder: folder, staging: folders.staging)
        do {
            try folders.staging.syncFileSystem()
            try folders.packs.rename(folder, to: staged.parent, as: StagingDirectory.setAside)
        } catch {
            try? folders.staging.removeTree(operation.rawValue)
            throw error
        }
        do {
            // Otherwise a power cut could leave the pack without a name.
            try staged.parent.sync()
            try folders.packs.sync()
            try folders.previous.rename(folder, to: folders.packs, as: folder)
            do {
                try keepSetAside(in: staged.parent, as: folder)
            } catch {
                try folders.packs.rename(folder, to: folders.previous, as: folder)
                throw error
            }
        } catch {
            // While the pack is in staging, the directory has to stay for the next start.
            if (try? staged.parent.rename(StagingDirectory.setAside, to: folders.packs, as: folder)) != nil {
                try? folders.staging.removeTree(operation.rawValue)
            }
            throw error
        }
        // The versions are exchanged. The next start removes what can't be removed now.
        try? folders.staging.removeTree(operation.rawValue)
    }

    /// Makes the version that was set aside in an operation's staging directory the previous one, and syncs the names.
    private func keepSetAside(in staging: Directory, as folder: String) throws(StoreError) {
        try staging.rename(StagingDirectory.setAside, to: folders.previous, as: folder)
        do throws(StoreError) {
            try folders.packs.sync()
            try folders.previous.sync()
        } catch {
            try folders.previous.rename(folder, to: staging, as: StagingDirectory.setAside)
            throw error
        }
    }
}
