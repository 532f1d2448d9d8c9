import Glibc
public import StoreModel

/// A namespace of functions that examine files by their paths; symbolic links are followed.
public enum FilePaths {
    /// Returns the absolute path of a file without links, `.` and `..`; `nil` where no file has the path (realpath(3)).
    ///
    /// - Parameter path: absolute, or relative to the process's working directory.
    public static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Returns the absolute path of a file without links, `.` and `..`, as far as the path exists; the rest is as it is given.
    ///
    /// - Parameter path: absolute, or relative to the process's working directory; where that directory was removed, a
    ///   relative path is returned as it is given.
    public static func resolvedAsFarAsExisting(_ path: String) -> String {
        var existing = path
        var missing: [String] = []
        while true {
            if let resolved = resolved(existing) {
                return ([resolved == "/" && !missing.isEmpty ? "" : resolved] + missing).joined(separator: "/")
            }
            let (directory, name) = split(existing)
            if directory == existing { return path }
            existing = directory
            missing.insert(name, at: 0)
        }
    }

    /// Splits a path into that of the directory and the last component, as dirname(3) and basename(3) do.
    ///
    /// Slashes at the end, and repeated ones, do not count. The directory of a single name is `.`; the name is empty for
    /// `/` and for the empty path.
    public static func split(_ path: String) -> (directory: String, name: String) {
        let parts = components(of: path)
        let parent = parts.dropLast().joined(separator: "/")
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        return (isAbsolute ? "/" + parent : parent.isEmpty ? "." : parent, parts.last ?? "")
    }

    /// Returns the components of a path, separated by the byte of the slash as the kernel does.
    ///
    /// To Swift, a slash with a combining accent after it is one character that is not a slash.
    static func components(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    /// Returns whether a path leads to a regular file.
    public static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns whether a path leads to something other than a regular file, such as a directory or a device.
    static func isOtherThanRegularFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    }

    /// Returns whether a path leads to a directory.
    public static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns whether nothing has a path; `false` where this process can't find out.
    public static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 && Errno.current == .noSuchFileOrDirectory
    }

    /// Returns the nearest existing directory above a missing path if this process may create nothing in it, else `nil`.
    public static func unwritableParent(of path: String) -> String? {
        var parent = split(path).directory
        while isMissing(parent), parent != split(parent).directory { parent = split(parent).directory }
        return access(parent, W_OK | X_OK) == 0 ? nil : parent
    }

    /// Returns the directory of a path that keeps this process from following it, and its owner; `nil` if none does.
    public static func closedDirectory(above path: String) -> (path: String, owner: UInt32)? {
        var directory = split(path).directory
        var status = stat()
        // Of the directories beneath a closed one nothing is known.
        while stat(directory, &status) != 0 {
            let parent = split(directory).directory
            if parent == directory { return nil }
            directory = parent
        }
        return access(directory, X_OK) == 0 ? nil : (path: directory, owner: status.st_uid)
    }

    /// Returns whether a path leads to a regular file that this process may execute.
    public static func isExecutable(_ path: String) -> Bool { isRegularFile(path) && access(path, X_OK) == 0 }

    /// Returns the path that a symbolic link leads to; `nil` where `path` is no link.
    static func linkTarget(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = buffer.withUnsafeMutableBytes { readlink(path, $0.baseAddress!, $0.count) }
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }

    /// Returns the path of the file behind a symbolic link, even if that file does not exist; `path` itself if it is no link.
    ///
    /// Links to links are followed. In a circle of links, the result is one of them.
    public static func linkedFile(_ path: String) -> String {
        var found = path
        // As many links as Linux follows (path_resolution(7)).
        for _ in 0..<40 {
            guard let target = linkTarget(found) else { break }
            found = target.utf8.first == UInt8(ascii: "/") ? target : split(found).directory + "/" + target
        }
        return found
    }

    /// Creates a directory with a new name, which only this user may enter (mkdtemp(3)).
    ///
    /// - Parameters:
    ///   - parent: the path of the directory in which to create it.
    ///   - prefix: the first part of the name; six random characters follow.
    /// - Returns: the new directory's path.
    public static func makeTemporaryDirectory(in parent: String, prefix: String) throws(StoreError) -> String {
        var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw StoreError(call: "mkdtemp", path: parent, errno: .current) }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
