import StoreModel
import StoreSystem

/// The previous versions of packs, for `rollback` and for readers that have one open.
struct PreviousVersions {
    let folders: LibraryDirectories

    /// Moves the directory `name` of `source` to the previous version of the pack in `folder`, replacing an older one.
    ///
    /// - Throws: `file.missing` where there is no such directory; the older one then stays.
    func keep(_ name: String, in source: Directory, as folder: String) throws(StoreError) {
        guard try source.status(of: name)?.kind == .folder else {
            throw StoreError(.fileMissing, ["path": source.path(of: name)])
        }
        try remove(folder)
        try source.rename(name, to: folders.previous, as: folder)
    }

    func remove(_ folder: String) throws(StoreError) {
        guard try folders.previous.status(of: folder) != nil else { return }
        try Trash(folder: folders.trash).discard(folder, in: folders.previous)
    }

    /// Exchanges the pack in `folder` with its previous version.
    func exchange(_ folder: String, operation: OperationID) throws {
        if try folders.previous.exchange(folder, with: folders.packs, folder) { return }
        let staged = try StagingDirectory(operation: operation, targetFolder: folder, staging: folders.staging)
        try folders.packs.rename(folder, to: staged.parent, as: StagingDirectory.setAside)
        do {
            try folders.previous.rename(folder, to: folders.packs, as: folder)
        } catch {
            try? staged.parent.rename(StagingDirectory.setAside, to: folders.packs, as: folder)
            throw error
        }
        try staged.parent.rename(StagingDirectory.setAside, to: folders.previous, as: folder)
        try folders.staging.removeTree(operation.rawValue)
    }
}
