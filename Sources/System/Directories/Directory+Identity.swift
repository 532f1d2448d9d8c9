import Glibc
public import StoreModel

extension Directory {
    /// Returns whether the entry `name` of this directory is the same directory as `folder`, which is open.
    ///
    /// The result is `false` where the entry is a symbolic link, or another directory has taken its place.
    ///
    /// - Throws: where that can't be told, because the disk can't be read.
    public func holds(_ folder: Directory, as name: String) throws(StoreError) -> Bool {
        guard let opened = try folder.inode, let named = try status(of: name) else { return false }
        return named.kind == .folder && named.inode == opened.number && named.device == opened.device
    }

    /// The inode of the open directory, which stays the same as long as it is open; `nil` where it can't be told.
    private var inode: Inode? {
        get throws(StoreError) {
            if let known = knownInode.withLock({ $0 }) { return known }
            guard let status = try status(of: ".") else { return nil }
            let inode = Inode(device: status.device, number: status.inode)
            knownInode.withLock { $0 = inode }
            return inode
        }
    }

    /// Whether the path with which this directory was opened, links followed, still leads to it.
    ///
    /// Getting it throws where that can't be told, because the disk can't be read.
    public var isInPlace: Bool {
        get throws(StoreError) {
            // Without opening it, which fails for reasons that say nothing of where it is.
            var there = stat()
            do {
                try systemCall("stat", on: path) { stat(path, &there) }
            } catch let error where error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory {
                return false
            }
            guard let opened = try inode else { return false }
            return UInt64(there.st_ino) == opened.number && UInt64(there.st_dev) == opened.device
        }
    }
}
