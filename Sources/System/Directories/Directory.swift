public import FoundationEssentials
import Glibc
import StoreCLinux
public import StoreModel
import Synchronization

/// A handle of an open directory; all operations with it take place beneath the directory.
///
/// A name may have several components, but none leads out of the directory, and no symbolic link is followed. The value
/// refers to the same directory when its path is renamed or exchanged.
public final class Directory: Sendable {
    public let descriptor: Int32
    /// The path with which the directory was opened, for messages; it may have been renamed since then.
    public let path: String
    /// The directory's inode once it was looked up; see ``holds(_:as:)``.
    let knownInode = Mutex<Inode?>(nil)

    /// The number of a directory and of the device that it is on.
    struct Inode {
        let device: UInt64
        let number: UInt64
    }

    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Creates a handle from an open descriptor of a directory, which the new object closes when it is released.
    ///
    /// - Parameter path: the path for messages.
    public convenience init(adopting descriptor: Int32, path: String) {
        self.init(descriptor: descriptor, path: path)
    }

    /// Creates a further handle of an open file that is a directory, and may have been opened by another process.
    public convenience init(duplicating file: OpenFile) throws(StoreError) {
        let path = file.path
        let descriptor = try systemCall("fcntl", on: path) { clinux_duplicate_close_on_exec(file.descriptor) }
        self.init(descriptor: descriptor, path: path)
    }

    deinit { close(descriptor) }

    static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

    /// Opens a directory by its path, in which symbolic links are followed.
    public static func open(_ path: String) throws(StoreError) -> Directory {
        let descriptor = try systemCall("open", on: path) { clinux_open(path, flags, 0) }
        return Directory(descriptor: descriptor, path: path)
    }

    /// Opens a directory by its path, and creates it and its parents where they are missing.
    ///
    /// - Parameter mode: the permissions of each directory that is created.
    public static func create(_ path: String, mode: UInt32 = 0o700) throws(StoreError) -> Directory {
        do {
            return try open(path)
        } catch let error where error.errno == .noSuchFileOrDirectory {
            let parent = FilePaths.split(path).directory
            if parent != path { _ = try create(parent, mode: mode) }
            try systemCall("mkdir", on: path) { mkdir(path, mode) == -1 && errno != EEXIST ? -1 : 0 as Int32 }
            return try open(path)
        }
    }

    /// Opens a directory as ``create(_:mode:)`` does, but fails where the last component of the path is a symbolic link.
    public static func createUnlinked(_ path: String, mode: UInt32 = 0o700) throws(StoreError) -> Directory {
        let (parent, name) = FilePaths.split(path)
        if name.isEmpty { return try open(path) }
        return try create(parent, mode: mode).createDirectory(name, mode: mode)
    }

    // MARK: Directories

    public func openDirectory(_ name: String) throws(StoreError) -> Directory {
        Directory(descriptor: try openBeneath(name, Directory.flags), path: path(of: name))
    }

    /// Creates a directory beneath this one; the name must not exist.
    public func makeDirectory(_ name: String, mode: UInt32 = 0o700) throws(StoreError) {
        let (parent, last) = try place(of: name)
        try systemCall("mkdirat", on: path(of: name)) { mkdirat(parent.descriptor, last, mode) }
    }

    /// Opens a directory beneath this one, and creates it and its parents where they are missing.
    public func createDirectory(_ name: String, mode: UInt32 = 0o700) throws(StoreError) -> Directory {
        var directory = self
        for part in FilePaths.components(of: name) {
            do {
                directory = try directory.openDirectory(part)
            } catch let error where error.errno == .noSuchFileOrDirectory {
                do { try directory.makeDirectory(part, mode: mode) } catch let error where error.errno == .fileExists {}
                directory = try directory.openDirectory(part)
            }
        }
        return directory
    }

    /// Returns the names and types of the directory's entries without `.` and `..`, in no particular order.
    ///
    /// In a name that is not UTF-8, invalid bytes are replaced, so that no file is found by such a name.
    public func entries() throws(StoreError) -> [Entry] {
        var entries: [Entry] = []
        for (bytes, type) in try rawEntries() {
            let stored = bytes.dropLast().map(UInt8.init(bitPattern:))
            let name = String(decoding: stored, as: UTF8.self)
            let kind: FileStatus.Kind? =
                switch Int(type) {
                case Int(DT_REG): .file
                case Int(DT_DIR): .folder
                case Int(DT_LNK): .link
                case Int(DT_UNKNOWN): try status(of: name)?.kind
                default: .other
                }
            if let kind { entries.append(Entry(name: name, kind: kind, isUTF8: name.utf8.elementsEqual(stored))) }
        }
        return entries
    }

    /// Returns the directory's entries, their names as the bytes that the kernel stores, terminated by 0.
    ///
    /// Names need not be UTF-8. The type is that of readdir(3), such as `DT_REG`.
    func rawEntries() throws(StoreError) -> [(name: [CChar], type: UInt8)] {
        // A descriptor of its own, because closing the stream closes it and the position is shared.
        let duplicate = try openBeneath(".", Directory.flags)
        guard let stream = fdopendir(duplicate) else {
            let reason = Errno.current
            close(duplicate)
            throw StoreError(call: "fdopendir", path: path, errno: reason)
        }
        defer { closedir(stream) }
        var entries: [(name: [CChar], type: UInt8)] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw StoreError(call: "readdir", path: path, errno: .current) }
                return entries
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    Array(UnsafeBufferPointer(start: $0, count: strlen($0) + 1))
                }
            }
            if name == Directory.itself || name == Directory.parent { continue }
            entries.append((name, entry.pointee.d_type))
        }
    }

    private static let itself = Array(".".utf8CString)
    private static let parent = Array("..".utf8CString)

    public struct Entry: Sendable, Hashable {
        public let name: String
        public let kind: FileStatus.Kind
        /// Whether the entry's name is UTF-8; otherwise bytes are replaced in ``name``, by which it can't be opened.
        public let isUTF8: Bool

        public init(name: String, kind: FileStatus.Kind, isUTF8: Bool = true) {
            self.name = name
            self.kind = kind
            self.isUTF8 = isUTF8
        }
    }

    // MARK: Files

    /// Opens a file beneath this directory for reading.
    public func openFile(_ name: String) throws(StoreError) -> OpenFile {
        let descriptor = try openBeneath(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        return OpenFile(descriptor: descriptor, path: path(of: name))
    }

    /// Creates a file beneath this directory for reading and writing; the name must not exist.
    public func createFile(_ name: String, mode: UInt32 = 0o644) throws(StoreError) -> OpenFile {
        let descriptor = try openBeneath(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        return OpenFile(descriptor: descriptor, path: path(of: name))
    }

    /// Opens a regular file beneath this directory for reading and writing, and creates it where it is missing.
    ///
    /// - Throws: `file.failed` where the name belongs to something other than a regular file, such as a pipe.
    public func openOrCreateFile(_ name: String, mode: UInt32 = 0o600) throws(StoreError) -> OpenFile {
        let descriptor = try openBeneath(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode)
        let file = OpenFile(descriptor: descriptor, path: path(of: name))
        guard try file.status().kind == .file else {
            throw StoreError(.notRegularFile, ["path": ErrorArgument.path(file.path)])
        }
        return file
    }

    /// Returns the content of a file beneath this directory; throws where it has more than `limit` bytes.
    public func read(_ name: String, limit: Int = 64 << 20) throws(StoreError) -> Data {
        try openFile(name).readAll(limit: limit)
    }

    /// The suffix of the temporary file that ``prepareReplacement(of:with:mode:)`` writes.
    private static let replacement = ".new"

    /// Removes the temporary file that an interrupted replacement of a file has left, if there is one.
    ///
    /// Not to be called while the file is being replaced.
    public func removeReplacement(of name: String) throws(StoreError) {
        do { try remove(name + Directory.replacement) } catch let error where error.isMissing {}
    }

    /// Removes the temporary files that interrupted replacements have left anywhere beneath the directory.
    public func removeReplacements() throws {
        try walk { entry, _, directory in
            if entry.kind == .file, entry.name.hasSuffix(Directory.replacement) { try directory.remove(entry.name) }
            return true
        }
    }

    /// Replaces the content of a file beneath this directory atomically and durably.
    ///
    /// Readers see the old or the new content, also after a power failure.
    public func replace(_ name: String, with data: Data, mode: UInt32 = 0o600) throws {
        try prepareReplacement(of: name, with: data, mode: mode).commit()
    }

    /// Replaces the content of a file beneath this directory atomically, without a sync.
    ///
    /// Readers see the old or the new content. After a power failure, the file may have the old content or a part of the new one,
    /// be empty or missing: this is only for data that can be obtained again.
    public func replaceUnsynced(_ name: String, with data: Data) throws {
        try writeReplacement(of: name, with: data, mode: 0o600, isSynced: false).commit()
    }

    /// Writes the new content of a file under a temporary name, and syncs it.
    ///
    /// - Returns: the replacement, which the caller commits or discards.
    public func prepareReplacement(
        of name: String, with data: Data, mode: UInt32 = 0o600
    ) throws -> FileReplacement {
        try writeReplacement(of: name, with: data, mode: mode, isSynced: true)
    }

    /// Writes the new content of a file under a temporary name, and syncs it where `isSynced` says so.
    ///
    /// - Parameter temporaryName: a name whose file is replaced; `nil` for the name with the usual suffix.
    func writeReplacement(
        of name: String, with data: Data, mode: UInt32, isSynced: Bool, temporaryName: String? = nil
    ) throws -> FileReplacement {
        let temporaryName = temporaryName ?? name + Directory.replacement
        let replacement = FileReplacement(
            directory: self, name: name, temporaryName: temporaryName, isSynced: isSynced)
        replacement.discard()
        do {
            let file = try createFile(replacement.temporaryName, mode: mode)
            do {
                try file.write(data)
                if isSynced { try file.sync() }
            } catch {
                replacement.discard()
                throw error
            }
        } catch let error as StoreError {
            // The user knows the file by its name, not by that of the temporary file.
            throw error.arguments["path"] == nil ? error : error.replacing("path", with: .path(path(of: name)))
        }
        return replacement
    }

    /// Returns the status of a file, directory or link (the link itself) beneath this directory; `nil` if missing.
    public func status(of name: String) throws(StoreError) -> FileStatus? {
        var status = stat()
        do {
            let (parent, last) = try place(of: name)
            try systemCall("fstatat", on: path(of: name)) {
                fstatat(parent.descriptor, last, &status, AT_SYMLINK_NOFOLLOW)
            }
        } catch let error where error.errno == .noSuchFileOrDirectory || error.errno == .notDirectory {
            return nil
        }
        return FileStatus(status)
    }

    /// Returns the status of the file at a path beneath this directory, in one system call; `nil` if it can't be read.
    ///
    /// A directory on the path that is a link is followed. This is for comparisons with a known ``FileIdentity``, for which
    /// that makes no difference: the same file is the same file.
    public func statusOfKnownFile(_ path: String) -> FileStatus? {
        var status = stat()
        return fstatat(descriptor, path, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileStatus(status) : nil
    }

    /// Returns the status of this directory itself: owner, permissions, times, device and inode.
    public func status() throws(StoreError) -> FileStatus {
        var status = stat()
        try systemCall("fstat", on: path) { fstat(descriptor, &status) }
        return FileStatus(status)
    }

    /// Sets the permissions of this directory, the lowest twelve bits of `st_mode`.
    public func setPermissions(_ permissions: UInt32) throws(StoreError) {
        try systemCall("fchmod", on: path) { fchmod(descriptor, permissions) }
    }

    // MARK: Moving

    /// Moves a file or directory from beneath this directory to a name beneath `other`, atomically.
    ///
    /// - Parameter replacing: whether an existing file of the new name is replaced; else the new name must not exist.
    public func rename(
        _ name: String, to other: Directory, as newName: String, replacing: Bool = false
    ) throws(StoreError) {
        try rename(name, to: other, as: newName, flags: replacing ? 0 : UInt32(RENAME_NOREPLACE))
    }

    /// Moves a file or directory atomically, and returns `false` without moving it where the new name exists.
    public func renameIfFree(_ name: String, to other: Directory, as newName: String) throws(StoreError) -> Bool {
        do {
            try rename(name, to: other, as: newName)
            return true
        } catch {
            guard error.isExisting else { throw error }
            return false
        }
    }

    /// Exchanges two files or directories atomically.
    ///
    /// Returns `false`, without a change, where the file system does not support that.
    public func exchange(_ name: String, with other: Directory, _ otherName: String) throws(StoreError) -> Bool {
        do {
            try rename(name, to: other, as: otherName, flags: UInt32(RENAME_EXCHANGE))
            return true
        } catch {
            guard error.isUnsupported else { throw error }
            return false
        }
    }

    private func rename(
        _ name: String, to other: Directory, as newName: String, flags: UInt32
    ) throws(StoreError) {
        let (from, last) = try place(of: name)
        let (to, newLast) = try other.place(of: newName)
        try systemCall("renameat2", on: other.path(of: newName)) {
            clinux_rename(from.descriptor, last, to.descriptor, newLast, flags)
        }
    }

    // MARK: Durability and space

    /// Waits until the list of this directory's entries is on the disk (fsync(2)).
    public func sync() throws(StoreError) {
        try systemCall("fsync", on: path) { fsync(descriptor) }
    }

    /// Waits until everything written to this directory's file system is on the disk (syncfs(2)).
    ///
    /// For more than a few files this is faster than a sync of each file.
    public func syncFileSystem() throws(StoreError) {
        try systemCall("syncfs", on: path) { clinux_syncfs(descriptor) }
    }

    /// Returns the free space, in bytes, that this user may use on the directory's file system.
    public func freeSpace() throws(StoreError) -> Int {
        var status = statvfs()
        try systemCall("fstatvfs", on: path) { fstatvfs(descriptor, &status) }
        return Directory.size(ofBlocks: UInt64(status.f_bavail), each: UInt64(status.f_frsize))
    }

    /// Returns the bytes that blocks of a file system have, at most `Int.max`.
    ///
    /// A file system without a limit, such as one whose files are in an object store, may state any number of blocks.
    static func size(ofBlocks count: UInt64, each size: UInt64) -> Int {
        let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: size)
        return isTooLarge ? .max : Int(clamping: bytes)
    }

    // MARK: Names

    /// Returns the path of the entry `name` of this directory, for messages.
    public func path(of name: String) -> String {
        path == "/" ? "/" + name : path + "/" + name
    }

    /// A short path of the directory, valid while it is open, for functions that limit the length of a path.
    public var shortPath: String { "/proc/self/fd/\(descriptor)" }

    /// Opens the parent directory of a name beneath this directory, and returns it with the name's last component.
    ///
    /// For system calls that resolve names without openat2's restrictions: given a single component that is not `..`,
    /// they can't leave the directory.
    func place(of name: String) throws(StoreError) -> (parent: Directory, last: String) {
        try requireWhole(name)
        guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            if name == ".." { throw StoreError(call: "openat2", path: path(of: name), errno: .improperLink) }
            return (self, name)
        }
        let last = String(name[name.utf8.index(after: slash)...])
        guard last != "..", slash != name.startIndex else {
            throw StoreError(call: "openat2", path: path(of: name), errno: .improperLink)
        }
        return (try openDirectory(String(name[..<slash])), last)
    }
}
