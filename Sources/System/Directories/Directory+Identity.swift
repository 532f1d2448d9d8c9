import Glibc

extension Directory {
    /// Returns whether the entry `name` of this directory is the same directory as `folder`, which is open.
    ///
    /// The result is `false` where the entry is a symbolic link, or another directory has taken its place.
    public func holds(_ folder: Directory, as name: String) -> Bool {
        guard let opened = try? folder.status(of: "."), let named = try? status(of: name) else { return false }
        return named.kind == .folder && named.inode == opened.inode && named.device == opened.device
    }

    /// Whether the path with which this directory was opened, links followed, still leads to it.
    public var isInPlace: Bool {
        // Without opening it, which fails for reasons that say nothing of where it is.
        var there = stat()
        guard stat(path, &there) == 0, let opened = try? status(of: ".") else { return false }
        return UInt64(there.st_ino) == UInt64(opened.inode) && UInt64(there.st_dev) == UInt64(opened.device)
    }
}
