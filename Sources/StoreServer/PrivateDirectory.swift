import StoreModel
import StoreSystem

/// A namespace of functions that check that the daemon's directories are the user's and closed to other users.
enum PrivateDirectory {
    /// Checks all directories that the daemon works on, and creates the missing ones with mode 0700.
    ///
    /// The parent directory of all (`--home`) may also belong to the superuser, and may be writable by others if it has
    /// the sticky bit, as `/tmp` does.
    ///
    /// - Throws: `home.foreign`, `home.open`, `home.unwritable`.
    static func check(_ paths: HomePaths) throws(StoreError) {
        if let home = paths.home { _ = try open(home, isParent: true) }
        for path in [paths.data, paths.cache, paths.config] { _ = try open(path) }
    }

    /// Opens a directory that the daemon works on after checks, and creates it with mode 0700 if it is missing.
    ///
    /// - Parameters:
    ///   - closedToOthers: whether to remove the permissions of other users, as for the socket's directory. Other users
    ///     may be allowed to read packs, but not to connect.
    ///   - isParent: whether the directory is the parent of all directories of the home.
    /// - Throws: `home.foreign` if the directory belongs to another user, `home.open` if others can write to it, and
    ///   `home.unwritable` if it can't be created or opened.
    static func open(
        _ path: String, closedToOthers: Bool = false, isParent: Bool = false
    ) throws(StoreError) -> Directory {
        let directory: Directory
        let status: FileStatus
        do {
            directory = try Directory.create(path)
            status = try directory.status()
        } catch {
            throw StoreError(unusableHomeDirectory: path, cause: error)
        }
        let user = CurrentProcess.effectiveUser
        guard status.owner == user || (isParent && status.owner == 0) else {
            throw StoreError(
                .homeDirectoryForeign, ["path": .path(path), "owner": Int(status.owner), "user": Int(user)])
        }
        if closedToOthers, status.permissions & 0o077 != 0 {
            do {
                try directory.setPermissions(0o700)
            } catch {
                throw StoreError(unusableHomeDirectory: path, cause: error)
            }
        }
        // A user who can write to a directory can replace any file in it.
        let isSticky = isParent && status.permissions & 0o1000 != 0
        guard closedToOthers || isSticky || status.permissions & 0o022 == 0 else {
            throw StoreError(.homeDirectoryOpen, ["path": .path(path)])
        }
        return directory
    }
}

extension StoreError {
    /// Creates the error for a directory or file that the daemon needs and can't use.
    ///
    /// The error of a full disk has its own code, because another directory on the same disk would not help.
    init(unusableHomeDirectory path: String, cause: any Error) {
        if (cause as? any CodedError)?.code == .noSpace {
            self.init(.homeDirectoryUnusable, ["path": .path(path)], cause: cause)
        } else {
            self.init(.homeDirectoryUnwritable, ["path": .path(path)], cause: cause)
        }
    }
}
