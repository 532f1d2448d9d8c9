import GRDBSQLite
import Glibc

private let openFolders = "/proc/self/fd/"

/// What SQLite is given for a database's path. It refuses a full path of more than 512 bytes (`MAX_PATHNAME` in
/// os_unix.c), and a home may lie deeper: then the way leads through the open folder instead.
final class DatabasePath: Sendable {
    /// In bytes, with room for what SQLite and ``DatabaseFile`` put behind the name.
    private static let longest = 480
    /// For SQLite, as long as this is held.
    let text: String
    private let folder: Int32?

    /// Where the folder can't be opened the path stays as it is, and SQLite says what is wrong.
    init(_ path: String) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        guard path.utf8.count > Self.longest, Self.leavesShortPaths,
            case let folder = open(String(path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC), folder >= 0
        else {
            self.folder = nil
            text = path
            return
        }
        self.folder = folder
        text = openFolders + "\(folder)" + path[slash...]
    }

    deinit { if let folder { close(folder) } }

    /// SQLite follows links to find a file's full path, and what it finds would be too long again. So its file system is
    /// put in its own place, but for that one function (sqlite.org/vfs.html).
    private static let leavesShortPaths: Bool = {
        guard let original = sqlite3_vfs_find(nil) else { return false }
        // SQLite keeps the address for as long as the process lives, so neither is given back.
        let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        copy.initialize(to: original.pointee)
        copy.pointee.pNext = nil
        copy.pointee.zName = UnsafePointer(strdup("storectl"))
        copy.pointee.xFullPathname = { _, name, size, buffer in
            guard let name, let buffer, let original = sqlite3_vfs_find("unix") else { return SQLITE_CANTOPEN }
            guard strncmp(name, openFolders, strlen(openFolders)) == 0, strlen(name) < Int(size) else {
                return original.pointee.xFullPathname(original, name, size, buffer)
            }
            strcpy(buffer, name)
            return SQLITE_OK
        }
        return sqlite3_vfs_register(copy, 1) == SQLITE_OK
    }()
}
