import GRDBSQLite
import StoreSystem

/// An open directory that provides a short path to a database whose path is too long for SQLite.
///
/// While it is open, `/proc/self/fd/N/NAME` is a short path of the same file. SQLite on Unix limits file names to 512
/// bytes (MAX_PATHNAME in its os_unix.c) and resolves every symbolic link in them, which would turn the short path into
/// the long one again. So such databases are opened with a registered copy of SQLite's own file system layer (VFS) that
/// does not resolve these names.
final class LongPathDirectory: Sendable {
    private static let prefix = "/proc/self/fd/"
    /// The maximum length in bytes of a database path that SQLite can use directly.
    ///
    /// It leaves room for the suffixes that SQLite appends, such as `-journal`.
    private static let maximumLength = 480

    private let directory: Directory

    /// Opens the directory of a database file with a long path.
    ///
    /// The result is `nil` if SQLite can use the path directly, or if the directory can't be opened; SQLite then
    /// reports why.
    init?(ofFile path: String) {
        guard path.utf8.count > Self.maximumLength, Self.isRegistered else { return nil }
        guard let directory = try? Directory.open(FilePaths.split(path).directory) else { return nil }
        self.directory = directory
    }

    /// Returns the short path of a file in this directory, valid for the lifetime of this object.
    func shortPath(of path: String) -> String {
        "\(directory.shortPath)/\(FilePaths.split(path).name)"
    }

    /// Whether the adapted file system layer (VFS) was registered with SQLite, which is done once per process.
    private static let isRegistered: Bool = {
        guard let ordinary = sqlite3_vfs_find("unix") else { return false }
        // Never freed: SQLite keeps the pointer.
        let layer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        layer.initialize(to: ordinary.pointee)
        let vfsName = Array("storectl".utf8CString)
        let nameCopy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: vfsName.count)
        _ = nameCopy.initialize(from: vfsName)
        layer.pointee.zName = UnsafePointer(nameCopy.baseAddress)
        layer.pointee.xFullPathname = { _, name, limit, result in
            guard let name, let result else { return SQLITE_CANTOPEN }
            let prefix = LongPathDirectory.prefix.utf8CString.dropLast()
            var length = 0
            while name[length] != 0 { length += 1 }
            guard UnsafeBufferPointer(start: name, count: length).starts(with: prefix) else {
                guard let ordinary = sqlite3_vfs_find("unix") else { return SQLITE_CANTOPEN }
                return ordinary.pointee.xFullPathname(ordinary, name, limit, result)
            }
            guard length < Int(limit) else { return SQLITE_CANTOPEN }
            result.update(from: name, count: length + 1)
            return SQLITE_OK
        }
        return sqlite3_vfs_register(layer, 1) == SQLITE_OK
    }()
}
