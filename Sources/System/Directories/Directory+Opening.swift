public import FoundationEssentials
import Glibc
import StoreCLinux
public import StoreModel
import Synchronization

/// Whether this process does without openat2(2), because its system calls are or will be filtered.
private let avoidsOpenat2 = Atomic(false)

extension Directory {
    /// Opens a name beneath this directory, in which no component leads out of the directory and no link is followed.
    ///
    /// In a process after ``Confinement/apply()``, openat2(2) fails, and the components are opened one by one.
    func openBeneath(_ name: String, _ flags: Int32, _ mode: UInt32 = 0) throws(StoreError) -> Int32 {
        try requireWhole(name)
        if !avoidsOpenat2.load(ordering: .relaxed) {
            do {
                return try systemCall("openat2", on: path(of: name)) {
                    clinux_open_beneath(descriptor, name, flags, mode)
                }
            } catch let error where error.errno == .noFunction {
                avoidsOpenat2.store(true, ordering: .relaxed)
            }
        }
        return try openByComponents(name, flags, mode)
    }

    /// Throws where a name contains a zero byte, at which it would end for the system: another file would be used.
    func requireWhole(_ name: String) throws(StoreError) {
        if name.utf8.contains(0) {
            throw StoreError(call: "openat", path: path(of: name), errno: .noSuchFileOrDirectory)
        }
    }

    /// Has this process open names component by component from now on, as confined processes have to.
    static func avoidOpenat2() { avoidsOpenat2.store(true, ordering: .relaxed) }

    /// Opens a name beneath this directory as ``openBeneath(_:_:_:)`` does, without openat2(2).
    ///
    /// A component `..` is refused, also where it would not lead out of the directory.
    func openByComponents(_ name: String, _ flags: Int32, _ mode: UInt32 = 0) throws(StoreError) -> Int32 {
        let components = FilePaths.components(of: name)
        guard name.utf8.first != UInt8(ascii: "/"), !components.contains("..") else {
            throw StoreError(call: "openat", path: path(of: name), errno: .improperLink)
        }
        var directory = self
        for component in components.dropLast() { directory = try directory.openComponent(component) }
        let last = components.last ?? ""
        let (parent, flags) = (directory, flags | O_NOFOLLOW)
        return try systemCall("openat", on: path(of: name)) { clinux_openat(parent.descriptor, last, flags, mode) }
    }

    /// Creates a file as ``createFile(_:mode:)`` does, and returns `nil` where the name exists.
    public func createFileIfFree(_ name: String, mode: UInt32 = 0o644) throws(StoreError) -> OpenFile? {
        do {
            return try createFile(name, mode: mode)
        } catch {
            guard error.isExisting else { throw error }
            return nil
        }
    }

    /// Opens the directory of a file that a user named for output, and returns it with the file's name.
    public static func ofOutput(_ path: String) throws(StoreError) -> (directory: Directory, name: String) {
        let (parent, name) = FilePaths.split(path)
        do {
            return (try open(parent), name)
        } catch {
            throw StoreError(.outputDirectoryUnusable, ["path": .path(path)], cause: .error(error))
        }
    }

    /// Writes a file that a user named for output, in place of the one that has the path, atomically and durably.
    ///
    /// Its directory is the user's: unlike ``replace(_:with:mode:)``, the temporary file takes the place of no other file.
    ///
    /// - Throws: `file.failed` where the path leads to something other than a regular file, such as `/dev/stdout`: the
    ///   superuser may replace even that.
    public static func replaceOutput(_ path: String, with data: Data) throws {
        guard !FilePaths.isOtherThanRegularFile(path) else {
            throw StoreError(.notRegularFile, ["path": ErrorArgument.path(path)])
        }
        // A link, such as `/dev/stdout` where that leads to a file, must stay one.
        let (directory, name) = try ofOutput(FilePaths.linkedFile(path))
        try directory.writeReplacement(
            of: name, with: data, mode: 0o644, isSynced: true, temporaryName: ".\(OperationID().rawValue).new"
        ).commit()
    }

    private func openComponent(_ name: String) throws(StoreError) -> Directory {
        let opened = try systemCall("openat", on: path(of: name)) {
            clinux_openat(descriptor, name, Directory.flags | O_NOFOLLOW, 0)
        }
        return Directory(descriptor: opened, path: path(of: name))
    }
}
