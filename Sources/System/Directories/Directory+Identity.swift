import Glibc
public import StoreModel

extension Directory {
    /// Returns whether the entry `name` of this directory is the same directory as `folder`, which is open.
    ///
    /// The result is `false` where the entry is a symbolic link, or another directory has taken its place.
    ///
    /// - Throws: where that can't be told, because the disk can't be read.
    public func holds(_ folder: Directory, as name: String) throws(StoreError) -> Bool {
        guard let opened = try folder.status(of: "."), let named = try status(of: name) else { return false }
        return named.kind == .folder && named.inode == opened.inode && named.device == opened.device
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
            guard let opened = try status(of: ".") else { return false }
            return UInt64(there.st_ino) == UInt64(opened.inode) && UInt64(there.st_dev) == UInt64(opened.device)
        }
    }
}
