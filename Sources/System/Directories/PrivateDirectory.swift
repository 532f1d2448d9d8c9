package import StoreModel

/// A namespace of functions that check that the daemon's directories are the user's and closed to other users.
package enum PrivateDirectory {
    /// Checks all directories that the daemon works on, and creates the missing ones with mode 0700.
    ///
    /// The parent directory of all (`--home`) may also belong to the superuser. The directories in the data and the cache directory are only checked: the modules
    /// that use them create them.
    ///
    /// - Throws: `home.foreign`, `home.open`, `home.unwritable`.
    package static func check(_ paths: HomePaths) throws(StoreError) {
        if let home = paths.home { _ = try open(home, isParent: true) }
        let (data, cache) = (try open(paths.data), try open(paths.cache))
        _ = try open(paths.config)
        try checkDirectories([paths.packs, paths.previous, paths.staging, paths.trash], in: data)
        try checkDirectories(
            [paths.partial, paths.archives, paths.catalogues, paths.images, paths.skins, paths.thumbnails], in: cache)
    }

    /// Checks those of the directories that exist; a link in place of one is the error of the module that opens it.
    private static func checkDirectories(_ paths: [String], in parent: Directory) throws(StoreError) {
        for path in paths {
            let status: FileStatus?
            do {
                status = try parent.status(of: path.split(separator: "/").last.map(String.init) ?? ".")
            } catch {
                throw StoreError(unusableHomeDirectory: path, cause: error)
            }
            guard let status, status.kind == .folder else { continue }
            try requireOwner(of: path, status)
            try requireClosed(path, status)
        }
    }

    /// Opens a directory that the daemon works on after checks, and creates it with mode 0700 if it is missing.
    ///
    /// - Parameter isParent: whether the directory is the parent of all directories of the home.
    /// - Throws: `home.foreign` if the directory belongs to another user, `home.open` if others can write to it, and
    ///   `home.unwritable` if it can't be created or opened.
    package static func open(_ path: String, isParent: Bool = false) throws(StoreError) -> Directory {
        let directory: Directory
        let status: FileStatus
        do {
            directory = try Directory.create(path)
            status = try directory.status()
        } catch {
            throw StoreError(unusableHomeDirectory: path, cause: error)
        }
        try requireOwner(of: path, status, orSuperuser: isParent)
        // Not in a directory with the sticky bit either, as '/tmp' has it: another user could make the directories first.
        try requireClosed(path, status)
        return directory
    }

    /// Opens the directory of the socket, creates it if it is missing, and removes the permissions of other users.
    ///
    /// Other users may be allowed to read packs, but not to connect. A link in place of the directory is not followed:
    /// where others can write to the parent directory, one of them could have made it, and the permissions of the
    /// directory that it leads to would be changed.
    ///
    /// - Throws: `home.foreign` if the directory belongs to another user, and `home.unwritable` if it is a link or can't
    ///   be created or opened.
    package static func openRuntime(_ path: String) throws(StoreError) -> Directory {
        do throws(StoreError) {
            let directory = try Directory.createUnlinked(path)
            let status = try directory.status()
            try requireOwner(of: path, status)
            if status.permissions & 0o077 != 0 { try directory.setPermissions(0o700) }
            return directory
        } catch {
            if error.code == .homeForeign { throw error }
            if error.errno == .tooManySymbolicLinkLevels {
                throw StoreError(.runtimeDirectoryIsLink, ["path": .path(path)])
            }
            throw StoreError(unusableHomeDirectory: path, cause: error)
        }
    }

    private static func requireOwner(
        of path: String, _ status: FileStatus, orSuperuser: Bool = false
    ) throws(StoreError) {
        let user = CurrentProcess.effectiveUser
        guard status.owner == user || (orSuperuser && status.owner == 0) else {
            throw StoreError(
                .homeDirectoryForeign, ["path": .path(path), "owner": Int(status.owner), "user": Int(user)])
        }
    }

    /// Checks that no other user can write to a directory, and so replace any file in it.
    private static func requireClosed(_ path: String, _ status: FileStatus) throws(StoreError) {
        guard status.permissions & 0o022 == 0 else { throw StoreError(.homeDirectoryOpen, ["path": .path(path)]) }
    }
}

extension StoreError {
    /// Creates the error for a directory or file that the daemon needs and can't use.
    ///
    /// The error of a full disk has its own code, because another directory on the same disk would not help.
    package init(unusableHomeDirectory path: String, cause: any Error) {
        if (cause as? any CodedError)?.code == .noSpace {
            self.init(.homeDirectoryUnusable, ["path": .path(path)], cause: cause)
        } else {
            self.init(.homeDirectoryUnwritable, ["path": .path(path)], cause: cause)
        }
    }
}
