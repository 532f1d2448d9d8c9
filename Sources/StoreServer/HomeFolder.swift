import Files
import Glibc

/// A folder of the home that nobody else may have a hand in.
enum HomeFolder {
    /// Opens it, and makes it, 0700, where it is missing.
    ///
    /// - Parameter closedToOthers: whether one that others may enter is closed to them, as the socket's is: packs may
    ///   be meant for others to read, the socket is not.
    /// - Throws: `home.foreign` where it belongs to another user, `home.unwritable` where it can't be had.
    static func open(_ path: String, closedToOthers: Bool = false) throws(ServerError) -> Directory {
        do {
            let folder = try Directory.create(path)
            var status = stat()
            guard fstat(folder.descriptor, &status) == 0 else {
                throw ServerError(.homeUnwritable, "'\(path)' can't be looked at: \(String(cString: strerror(errno))).")
            }
            guard status.st_uid == geteuid() else {
                throw ServerError(
                    .homeForeign,
                    "'\(path)' belongs to user \(status.st_uid), not to \(geteuid()) who runs this. "
                        + "Name a home of your own with --home.")
            }
            if closedToOthers, status.st_mode & 0o077 != 0, fchmod(folder.descriptor, 0o700) != 0 {
                throw ServerError(
                    .homeUnwritable, "'\(path)' can't be closed to others: \(String(cString: strerror(errno))).")
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
