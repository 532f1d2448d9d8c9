extension Directory {
    /// Whether what lies here under a name is this very folder, and no link to it: what is renamed or removed by name
    /// may have been swapped since it was opened.
    public func holds(_ folder: Directory, as name: String) -> Bool {
        guard let opened = try? folder.status(of: "."), let named = try? status(of: name) else { return false }
        return named.kind == .folder && named.inode == opened.inode && named.device == opened.device
    }

    /// Whether this folder is still found at its own path, links on the way included, as when it was opened.
    public var isInPlace: Bool {
        guard let there = try? Directory.open(path).status(of: "."), let opened = try? status(of: ".") else {
            return false
        }
        return there.inode == opened.inode && there.device == opened.device
    }
}
