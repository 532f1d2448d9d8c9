import Glibc
public import StoreModel

extension Directory {
    /// Creates a hard link to a file beneath this directory.
    ///
    /// The link may be in another directory of the same file system; its name must not exist.
    public func link(_ name: String, to other: Directory, as newName: String) throws(StoreError) {
        let (from, last) = try place(of: name)
        let (to, newLast) = try other.place(of: newName)
        try systemCall("linkat", on: other.path(of: newName)) {
            linkat(from.descriptor, last, to.descriptor, newLast, 0)
        }
    }
}
