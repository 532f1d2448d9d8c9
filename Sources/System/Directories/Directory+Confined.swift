import Glibc
import StoreCLinux
public import StoreModel

extension Directory {
    /// Creates a file for writing in this directory, in a process that is confined; the name must not exist.
    ///
    /// The other operations use openat2(2), which fails in a process after ``Confinement/apply()``.
    ///
    /// - Parameters:
    ///   - name: a single component of a path.
    ///   - mode: the permissions, without the bits setuid, setgid and sticky, for which the call is refused.
    /// - Throws: `file.escapes` where the name is not a single component.
    public func createConfinedFile(_ name: String, mode: UInt32 = 0o644) throws(StoreError) -> OpenFile {
        try checkComponent(name)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = try systemCall("openat", on: path + "/" + name) { clinux_openat(descriptor, name, flags, mode) }
        return OpenFile(descriptor: file, path: path + "/" + name)
    }

    /// Creates a directory in this directory and opens it, in a process that is confined; the name must not exist.
    ///
    /// - Parameters:
    ///   - name: a single component of a path.
    ///   - mode: the permissions, without the bits setuid, setgid and sticky, with which the process is killed.
    /// - Throws: `file.escapes` where the name is not a single component.
    public func createConfinedDirectory(_ name: String, mode: UInt32 = 0o700) throws(StoreError) -> Directory {
        try checkComponent(name)
        try systemCall("mkdirat", on: path + "/" + name) { mkdirat(descriptor, name, mode) }
        let flags = Directory.flags | O_NOFOLLOW
        let opened = try systemCall("openat", on: path + "/" + name) { clinux_openat(descriptor, name, flags, 0) }
        return Directory(descriptor: opened, path: path + "/" + name)
    }

    private func checkComponent(_ name: String) throws(StoreError) {
        if name.isEmpty || name == "." || name == ".."
            || name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
        {
            throw StoreError(call: "openat", path: path + "/" + name, errno: .improperLink)
        }
    }
}
