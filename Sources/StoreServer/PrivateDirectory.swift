import StoreModel
import StoreSystem

/// A folder of the home that nobody else may have a hand in.
enum PrivateDirectory {
    /// Holds the folders of a home to what must be so before anything is done in them, and makes those that are missing,
    /// 0700: each is the user's own, and nobody else may write to it. The folder that holds them all (`--home`) may also
    /// be the superuser's, and open where its sticky bit keeps others from touching what is ours, as in `/tmp`.
    ///
    /// - Throws: `home.foreign`, `home.open`, `home.unwritable`.
    static func check(_ places: HomePaths) throws(ServerError) {
        if let home = places.home { _ = try open(home, isParent: true) }
        for path in [places.data, places.cache, places.config] { _ = try open(path) }
    }

    /// Opens it, and makes it, 0700, where it is missing.
    ///
    /// - Parameter closedToOthers: whether one that others may enter is closed to them, as the socket's is: packs may
    ///   be meant for others to read, the socket is not.
    /// - Throws: `home.foreign` where it belongs to another user, `home.open` where others may write to it,
    ///   `home.unwritable` where it can't be had.
    static func open(
        _ path: String, closedToOthers: Bool = false, isParent: Bool = false
    ) throws(ServerError) -> Directory {
        do {
            let folder = try Directory.create(path)
            let status = try folder.status()
            let user = CurrentProcess.effectiveUser
            guard status.owner == user || (isParent && status.owner == 0) else {
                throw ServerError(
                    .homeForeign,
                    "'\(path)' belongs to user \(status.owner), not to \(user) who runs this. "
                        + "Name a home of your own with --home.")
            }
            if closedToOthers, status.permissions & 0o077 != 0 { try folder.setPermissions(0o700) }
            // Whoever may write to a folder may put anything in the place of what lies there.
            let isSticky = isParent && status.permissions & 0o1000 != 0
            guard closedToOthers || isSticky || status.permissions & 0o022 == 0 else {
                throw ServerError(
                    .homeOpen,
                    "Others may write to '\(path)', and put there what they like. "
                        + "Close it with: chmod go-w '\(path)'")
            }
            return folder
        } catch let error as FileError {
            throw ServerError(homePath: path, error)
        } catch let error as ServerError {
            throw error
        } catch {
            throw ServerError(.homeUnwritable, "'\(path)' can't be used: \(error)")
        }
    }
}
