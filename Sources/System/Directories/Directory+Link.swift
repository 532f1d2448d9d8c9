import Glibc

extension Directory {
    /// Gives a file a second name, in this folder or another one of the same file system; one of that name must not
    /// be there. The bytes are there once, and stay until the last name is removed.
    public func link(_ name: String, to other: Directory, as newName: String) throws(FileError) {
        let (from, last) = try place(of: name)
        let (to, newLast) = try other.place(of: newName)
        try systemCall("linkat", on: other.path(of: newName)) {
            linkat(from.descriptor, last, to.descriptor, newLast, 0)
        }
    }
}
