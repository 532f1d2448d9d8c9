import Glibc

extension Directory {
    /// Whether what lies here under a name is this very folder, and no link to it: what is renamed or removed by name
    /// may have been swapped since it was opened.
    public func holds(_ folder: Directory, as name: String) -> Bool {
        guard let opened = try? folder.status(of: "."), let named = try? status(of: name) else { return false }
        return named.kind == .folder && named.inode == opened.inode && named.device == opened.device
    }

    /// Whether this folder is still found at its own path, links on the way included, as when it was opened.
    public var isInPlace: Bool {
        // Without opening it, which fails for reasons that say nothing of where it is.
        var there = stat()
        guard stat(path, &there) == 0, let opened = try? status(of: ".") else { return false }
        return UInt64(there.st_ino) == UInt64(opened.inode) && UInt64(there.st_dev) == UInt64(opened.device)
    }
}
