import Glibc
import StoreCLinux
public import StoreModel

extension Directory {
    /// Removes a file or a symbolic link beneath this directory.
    public func remove(_ name: String) throws(StoreError) {
        let (parent, last) = try place(of: name)
        try systemCall("unlinkat", on: path(of: name)) { unlinkat(parent.descriptor, last, 0) }
    }

    /// Removes a file, a link, or a directory with its content beneath this directory.
    ///
    /// Does nothing where the name does not exist.
    ///
    /// Links are removed, never followed.
    public func removeTree(_ name: String) throws(StoreError) {
        do throws(StoreError) {
            let (parent, last) = try place(of: name)
            guard last != "." else { throw StoreError(call: "unlinkat", path: path(of: name), errno: .invalidArgument) }
            try parent.removeTree(Array(last.utf8CString))
        } catch let error where error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory {}
    }

    /// Removes an entry of this directory that is a file, a link, or a directory with its content.
    ///
    /// - Parameter name: a single component, the bytes that the kernel returned, terminated by 0.
    private func removeTree(_ name: [CChar]) throws(StoreError) {
        // Computed only for an error, because there may be many files.
        var path: String {
            self.path(of: String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
        }
        do {
            try systemCall("unlinkat", on: path) { unlinkat(descriptor, name, 0) }
            return
        } catch let error where error.errno == .noSuchFileOrDirectory {
            return
        } catch let error where error.errno == .isDirectory {
            // Only a directory is left to remove.
        }
        do {
            let opened = try systemCall("openat2", on: path) {
                clinux_open_beneath(descriptor, name, Directory.flags, 0)
            }
            let folder = Directory(descriptor: opened, path: path)
            for (inner, _) in try folder.rawEntries() { try folder.removeTree(inner) }
            try systemCall("unlinkat", on: path) { unlinkat(descriptor, name, AT_REMOVEDIR) }
        } catch let error where error.errno == .noSuchFileOrDirectory {}
    }

    /// Removes everything in this directory, and uses several threads for the files of one directory.
    ///
    /// Blocks until the content is removed. Several threads are faster, because the kernel frees the space of one file
    /// while another is unlinked.
    ///
    /// - Parameter isStopped: called before each entry; once it returns `true`, the remaining entries are not removed.
    public func removeContents(until isStopped: @escaping @Sendable () -> Bool = { false }) throws {
        var files: [[CChar]] = []
        for (name, type) in try rawEntries() {
            if isStopped() { return }
            guard Int(type) == Int(DT_DIR) else {
                files.append(name)
                continue
            }
            let opened = try systemCall("openat2", on: path) {
                clinux_open_beneath(descriptor, name, Directory.flags, 0)
            }
            try Directory(descriptor: opened, path: path).removeContents(until: isStopped)
            if isStopped() { return }
            try removeTree(name)
        }
        let (names, piece) = (files, 64)
        _ = try ParallelWork.map(
            (names.count + piece - 1) / piece, threads: min(ParallelWork.processors, 4, names.count / 256), begin: {},
            { [self] _, number in
                for name in names.dropFirst(number * piece).prefix(piece) where !isStopped() { try removeTree(name) }
            })
    }
}
