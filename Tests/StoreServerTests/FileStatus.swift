import Glibc

/// Reads the status of files by path, without following symbolic links.
enum FileStatus {
    static func mode(of path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    static func inode(of path: String) -> UInt {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt(status.st_ino) : 0
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}
