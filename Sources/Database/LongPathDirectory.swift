import GRDBSQLite
import Glibc

/// A folder whose path is too long for SQLite, as an open descriptor: `/proc/self/fd/N/NAME` leads to the same file.
///
/// SQLite on Unix keeps names of files in 512 bytes (MAX_PATHNAME in its os_unix.c) and replaces every link on the way
/// by what it leads to, which would make the long path of the short one again. So it is given a way to files that takes
/// such names as they are and is the ordinary one in all else.
final class LongPathDirectory: Sendable {
    private static let prefix = "/proc/self/fd/"
    /// SQLite appends `-journal` and suchlike to names.
    private static let longestName = 480

    private let descriptor: Int32

    /// `nil` where SQLite can use the path, or the folder can't be opened: SQLite then says why.
    init?(holding path: String) {
        guard path.utf8.count > Self.longestName, let slash = path.lastIndex(of: "/"), Self.isKnown else { return nil }
        descriptor = open(String(path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// The short path of a file in the folder, as long as this lives.
    func name(of path: String) -> String {
        "\(Self.prefix)\(descriptor)/\(path.split(separator: "/").last ?? "")"
    }

    /// Makes the way to files known to SQLite, once in a process.
    private static let isKnown: Bool = {
        guard let ordinary = sqlite3_vfs_find("unix") else { return false }
        // Never freed: SQLite keeps it.
        let way = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        way.initialize(to: ordinary.pointee)
        way.pointee.zName = UnsafePointer(strdup("storectl"))
        way.pointee.xFullPathname = { _, name, limit, result in
            guard let name, let result else { return SQLITE_CANTOPEN }
            guard strncmp(name, LongPathDirectory.prefix, LongPathDirectory.prefix.utf8.count) == 0 else {
                guard let ordinary = sqlite3_vfs_find("unix") else { return SQLITE_CANTOPEN }
                return ordinary.pointee.xFullPathname(ordinary, name, limit, result)
            }
            guard strlen(name) < Int(limit) else { return SQLITE_CANTOPEN }
            strcpy(result, name)
            return SQLITE_OK
        }
        return sqlite3_vfs_register(way, 1) == SQLITE_OK
    }()
}
