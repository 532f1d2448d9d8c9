import StoreModel
import StoreSystem

/// The trash: a directory into which removed files and trees are moved in one step, to be deleted later.
struct Trash: Sendable {
    let folder: Directory

    /// Moves a file or tree out of `source` into the trash directory, in one step.
    ///
    /// - Parameter newName: the name in the trash, which must not be taken; by default a new one.
    /// - Returns: the name that the file or tree has in the trash.
    @discardableResult
    func discard(
        _ name: String, in source: Directory, as newName: String = OperationID().rawValue
    ) throws(StoreError) -> String {
        do throws(StoreError) {
            try source.rename(name, to: folder, as: newName)
        } catch  where error.errno == .permissionDenied {
            // Moving a directory changes its entry '..', which a pack that was protected against changes does not allow.
            try? source.openDirectory(name).setPermissions(0o755)
            try source.rename(name, to: folder, as: newName)
        }
        return newName
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
        guard entry.kind == .folder else { return try folder.removeTree(entry.name) }
        do {
            try removeTree(entry.name, until: isStopped)
        } catch let error as StoreError where error.errno == .permissionDenied {
            try makeWritable(folder.openDirectory(entry.name))
            try removeTree(entry.name, until: isStopped)
        }
    }

    private func removeTree(_ name: String, until isStopped: @escaping @Sendable () -> Bool) throws {
        try folder.openDirectory(name).removeContents(until: isStopped)
        if !isStopped() { try folder.removeEmptied(name) }
    }

    /// Allows this user to remove what is in the directories of a tree, which may be protected as with `chmod -R a-w`.
    private func makeWritable(_ tree: Directory) throws {
        try tree.setPermissions(0o700)
        try tree.walk { entry, _, directory in
            if entry.kind == .folder { try directory.openDirectory(entry.name).setPermissions(0o700) }
            return true
        }
    }
}
