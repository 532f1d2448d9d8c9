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

    /// Removes a directory beneath this one whose content was just removed; what was added since is removed, too.
    public func removeEmptied(_ name: String) throws(StoreError) {
        let (parent, last) = try place(of: name)
        try parent.removeEmptied(Array(last.utf8CString))
    }

    private func removeEmptied(_ name: [CChar]) throws(StoreError) {
        do {
            try removeDirectory(name)
        } catch let error where error.errno == .noSuchFileOrDirectory {
        } catch let error where error.isExisting {
            try removeTree(name)
        }
    }

    /// The number of levels of a tree that are open at once while it is removed.
    ///
    /// What is deeper is first moved up, so that no tree needs more open files or more stack than this, however deep it
    /// is. Trees that this program writes have fewer levels.
    private static let openLevels = 64

    /// Removes an entry of this directory that is a file, a link, or a directory with its content.
    ///
    /// - Parameter name: a single component, the bytes that the kernel returned, terminated by 0.
    private func removeTree(_ name: [CChar]) throws(StoreError) {
        _ = try removeEntry(name, depth: 0, movingUpTo: nil)
    }

    /// Removes an entry that is a file, a link, or a directory with its content.
    ///
    /// - Parameters:
    ///   - name: a single component, the bytes that the kernel returned, terminated by 0.
    ///   - depth: the number of open directories from the tree's own to this one.
    ///   - root: the tree's own directory; `nil` where the entry is that directory.
    /// - Returns: whether directories were moved up into `root`, which then has entries again.
    private func removeEntry(
        _ name: [CChar], depth: Int, movingUpTo root: Directory?
    ) throws(StoreError) -> Bool {
        do {
            try systemCall("unlinkat", on: readable(name)) { unlinkat(descriptor, name, 0) }
            return false
        } catch let error where error.errno == .noSuchFileOrDirectory {
            return false
        } catch let error where error.errno == .isDirectory {
            // Only a directory is left to remove.
        }
        if let root, depth == Directory.openLevels { return try removeOrMoveUp(name, to: root) }
        var hasMoved = false
        do {
            let folder = try openEntry(name)
            repeat {
                hasMoved = false
                for (inner, _) in try folder.rawEntries() {
                    if try folder.removeEntry(inner, depth: depth + 1, movingUpTo: root ?? folder) { hasMoved = true }
                }
            } while root == nil && hasMoved
            try removeDirectory(name)
        } catch let error where error.errno == .noSuchFileOrDirectory {}
        return hasMoved
    }

    /// Removes an empty directory, or moves one with content into `root` under a new name.
    ///
    /// - Returns: whether it was moved.
    private func removeOrMoveUp(_ name: [CChar], to root: Directory) throws(StoreError) -> Bool {
        do {
            try removeDirectory(name)
            return false
        } catch let error where error.errno == .noSuchFileOrDirectory {
            return false
        } catch let error where error.isExisting {
            // It has content.
        }
        let unique = OperationID().rawValue
        try systemCall("renameat2", on: readable(name)) {
            clinux_rename(descriptor, name, root.descriptor, unique, UInt32(RENAME_NOREPLACE))
        }
        return true
    }

    private func removeDirectory(_ name: [CChar]) throws(StoreError) {
        try systemCall("unlinkat", on: readable(name)) { unlinkat(descriptor, name, AT_REMOVEDIR) }
    }

    private func openEntry(_ name: [CChar]) throws(StoreError) -> Directory {
        // A single name leads out of the directory only where it is a link, so that openat(2) is enough, which all
        // kernels have.
        let opened = try systemCall("openat", on: readable(name)) {
            clinux_openat(descriptor, name, Directory.flags | O_NOFOLLOW, 0)
        }
        return Directory(descriptor: opened, path: readable(name))
    }

    /// Returns the path of an entry for messages.
    private func readable(_ name: [CChar]) -> String {
        path(of: String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// Removes everything in this directory, and uses several threads for the files of one directory.
    ///
    /// Blocks until the content is removed. Several threads are faster, because the kernel frees the space of one file
    /// while another is unlinked.
    ///
    /// - Parameter isStopped: called before each entry; once it returns `true`, the remaining entries are not removed.
    public func removeContents(until isStopped: @escaping @Sendable () -> Bool = { false }) throws {
        while try removeContents(depth: 1, movingUpTo: self, until: isStopped) {}
    }

    /// Removes the directory's content.
    ///
    /// - Returns: whether directories were moved up into `root`, the directory whose content is being removed.
    private func removeContents(
        depth: Int, movingUpTo root: Directory, until isStopped: @escaping @Sendable () -> Bool
    ) throws -> Bool {
        var files: [[CChar]] = []
        var hasMoved = false
        for (name, type) in try rawEntries() {
            if isStopped() { return false }
            guard Int(type) == Int(DT_DIR) else {
                files.append(name)
                continue
            }
            if depth == Directory.openLevels {
                if try removeOrMoveUp(name, to: root) { hasMoved = true }
                continue
            }
            if try openEntry(name).removeContents(depth: depth + 1, movingUpTo: root, until: isStopped) {
                hasMoved = true
            }
            if isStopped() { return false }
            try removeEmptied(name)
        }
        let (names, piece) = (files, 64)
        _ = try ParallelWork.map(
            (names.count + piece - 1) / piece, threads: min(ParallelWork.processors, 4, names.count / 256), begin: {},
            { [self] _, number in
                for name in names.dropFirst(number * piece).prefix(piece) where !isStopped() { try removeTree(name) }
            })
        return hasMoved
    }
}
