public import FoundationEssentials
import Glibc
import StoreCLinux

/// An open folder. Everything is done beneath it: a name may hold several parts, but none of them leads out of the
/// folder, and no symbolic link is followed. It stays the same folder when its path is renamed or swapped.
public final class Directory: Sendable {
    public let descriptor: Int32
    /// For messages; the folder may have been renamed since.
    public let path: String

    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC

    /// Opens a folder by its path, as a user names it: links are followed.
    public static func open(_ path: String) throws(FileError) -> Directory {
        let descriptor = try systemCall("open", on: path) { clinux_open(path, flags, 0) }
        return Directory(descriptor: descriptor, path: path)
    }

    /// Opens a folder by its path, and makes it, and those it lies in, where they are missing.
    ///
    /// - Parameter mode: of each folder that is made.
    public static func create(_ path: String, mode: UInt32 = 0o700) throws(FileError) -> Directory {
        do {
            return try open(path)
        } catch let error where error.errno == .noSuchFileOrDirectory {
            let parent = parentPath(of: path)
            if parent != path { _ = try create(parent, mode: mode) }
            try systemCall("mkdir", on: path) { mkdir(path, mode) == -1 && errno != EEXIST ? -1 : 0 as Int32 }
            return try open(path)
        }
    }

    private static func parentPath(of path: String) -> String {
        let joined = parts(of: path).dropLast().joined(separator: "/")
        return path.hasPrefix("/") ? "/" + joined : joined.isEmpty ? "." : joined
    }

    /// The parts of a path. Told apart by bytes, as the system does: to Swift a slash and an accent after it are one
    /// character, which is no slash.
    private static func parts(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    // MARK: Folders

    public func openDirectory(_ name: String) throws(FileError) -> Directory {
        Directory(descriptor: try openBeneath(name, Directory.flags), path: path(of: name))
    }

    /// Makes a folder; one of that name must not be there.
    public func makeDirectory(_ name: String, mode: UInt32 = 0o700) throws(FileError) {
        let (parent, last) = try place(of: name)
        try systemCall("mkdirat", on: path(of: name)) { mkdirat(parent.descriptor, last, mode) }
    }

    /// Opens a folder, and makes it and those it lies in where they are missing.
    public func createDirectory(_ name: String, mode: UInt32 = 0o700) throws(FileError) -> Directory {
        var directory = self
        for part in Directory.parts(of: name) {
            do {
                directory = try directory.openDirectory(part)
            } catch let error where error.errno == .noSuchFileOrDirectory {
                do { try directory.makeDirectory(part, mode: mode) } catch let error where error.errno == .fileExists {}
                directory = try directory.openDirectory(part)
            }
        }
        return directory
    }

    /// What lies in the folder, without `.` and `..`, in no order. Of a name that is not UTF-8, what can't be read is
    /// replaced, so that it leads nowhere.
    public func entries() throws(FileError) -> [Entry] {
        var entries: [Entry] = []
        for (bytes, type) in try rawEntries() {
            let name = String(decoding: bytes.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            let kind: FileStatus.Kind? =
                switch Int(type) {
                case Int(DT_REG): .file
                case Int(DT_DIR): .folder
                case Int(DT_LNK): .link
                case Int(DT_UNKNOWN): try status(of: name)?.kind
                default: .other
                }
            if let kind { entries.append(Entry(name: name, kind: kind)) }
        }
        return entries
    }

    /// The names as the system has them, each with its 0 at the end: bytes, which need not be text.
    func rawEntries() throws(FileError) -> [(name: [CChar], type: UInt8)] {
        // A descriptor of its own, because closing the stream closes it and the position is shared.
        let duplicate = try openBeneath(".", Directory.flags)
        guard let stream = fdopendir(duplicate) else {
            let reason = Errno.current
            close(duplicate)
            throw FileError(call: "fdopendir", path: path, errno: reason)
        }
        defer { closedir(stream) }
        var entries: [(name: [CChar], type: UInt8)] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw FileError(call: "readdir", path: path, errno: .current) }
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

        public init(name: String, kind: FileStatus.Kind) {
            self.name = name
            self.kind = kind
        }
    }

    // MARK: Files

    /// Opens a file for reading.
    public func openFile(_ name: String) throws(FileError) -> OpenFile {
        let descriptor = try openBeneath(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        return OpenFile(descriptor: descriptor, path: path(of: name))
    }

    /// Makes a file for writing; one of that name must not be there.
    public func createFile(_ name: String, mode: UInt32 = 0o644) throws(FileError) -> OpenFile {
        let descriptor = try openBeneath(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        return OpenFile(descriptor: descriptor, path: path(of: name))
    }

    /// Opens a file for reading and writing, and makes it where it is missing. What is there and is no file, such as a
    /// pipe that would take what is written and hold it, is refused.
    public func openOrCreateFile(_ name: String, mode: UInt32 = 0o600) throws(FileError) -> OpenFile {
        let descriptor = try openBeneath(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode)
        let file = OpenFile(descriptor: descriptor, path: path(of: name))
        guard try file.status().kind == .file else {
            throw FileError(.fileFailed, "'\(file.path)' is there and is no file. Move it away.")
        }
        return file
    }

    /// The whole of a file, which may hold at most `limit` bytes.
    public func read(_ name: String, limit: Int = 64 << 20) throws(FileError) -> Data {
        try openFile(name).readAll(limit: limit)
    }

    /// What ``replace(_:with:mode:)`` calls a file until it is whole.
    private static let replacement = ".new"

    /// Removes what a replacement of a file that was interrupted has left; nothing where there is nothing. Call it only
    /// where nobody replaces the file now.
    public func removeReplacement(of name: String) throws(FileError) {
        do { try remove(name + Directory.replacement) } catch let error where error.isMissing {}
    }

    /// Removes what interrupted replacements have left of any file beneath the folder.
    public func removeReplacements() throws(FileError) {
        for entry in try entries() {
            switch entry.kind {
            case .file where entry.name.hasSuffix(Directory.replacement): try remove(entry.name)
            case .folder: try openDirectory(entry.name).removeReplacements()
            default: break
            }
        }
    }

    /// Puts `data` into a file so that whoever reads it sees the old content or the new, also after a power cut.
    public func replace(_ name: String, with data: Data, mode: UInt32 = 0o600) throws {
        let temporary = name + Directory.replacement
        try? remove(temporary)
        let file = try createFile(temporary, mode: mode)
        do {
            try file.write(data)
            try file.sync()
            try rename(temporary, to: self, as: name, replacing: true)
            try sync()
        } catch {
            try? remove(temporary)
            throw error
        }
    }

    /// What is known of a file or folder, a link itself and not what it leads to; `nil` where there is none.
    public func status(of name: String) throws(FileError) -> FileStatus? {
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

    /// What is known of this directory itself.
    public func status() throws(FileError) -> FileStatus {
        var status = stat()
        try systemCall("fstat", on: path) { fstat(descriptor, &status) }
        return FileStatus(status)
    }

    /// Sets who may do what with this directory: the lowest twelve bits of `st_mode`.
    public func setPermissions(_ permissions: UInt32) throws(FileError) {
        try systemCall("fchmod", on: path) { fchmod(descriptor, permissions) }
    }

    // MARK: Moving

    /// Moves a file or folder in one step. Unless `replacing`, one of the new name must not be there.
    public func rename(
        _ name: String, to other: Directory, as newName: String, replacing: Bool = false
    ) throws(FileError) {
        try rename(name, to: other, as: newName, flags: replacing ? 0 : UInt32(RENAME_NOREPLACE))
    }

    /// Moves a file or folder in one step, unless one of the new name is there: then it returns `false`.
    public func renameIfFree(_ name: String, to other: Directory, as newName: String) throws(FileError) -> Bool {
        do {
            try rename(name, to: other, as: newName)
            return true
        } catch {
            guard error.isExisting else { throw error }
            return false
        }
    }

    /// Swaps two files or folders in one step; returns `false` where the file system has no such step.
    public func exchange(_ name: String, with other: Directory, _ otherName: String) throws(FileError) -> Bool {
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
    ) throws(FileError) {
        let (from, last) = try place(of: name)
        let (to, newLast) = try other.place(of: newName)
        try systemCall("renameat2", on: other.path(of: newName)) {
            clinux_rename(from.descriptor, last, to.descriptor, newLast, flags)
        }
    }

    // MARK: Durability and space

    /// Returns when the folder's own entries are on the disk.
    public func sync() throws(FileError) {
        try systemCall("fsync", on: path) { fsync(descriptor) }
    }

    /// Returns when all that was written to the file system of this folder is on the disk: cheaper than a sync for
    /// each file from a few files on.
    public func syncFileSystem() throws(FileError) {
        try systemCall("syncfs", on: path) { clinux_syncfs(descriptor) }
    }

    /// Bytes that this user may still write on the folder's file system.
    public func freeSpace() throws(FileError) -> Int {
        var status = statvfs()
        try systemCall("fstatvfs", on: path) { fstatvfs(descriptor, &status) }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }

    // MARK: Names

    /// A name beneath this folder as a path, for messages.
    public func path(of name: String) -> String {
        path == "/" ? "/" + name : path + "/" + name
    }

    /// A path of few bytes that leads into this folder while it is open, for what can't take long paths (a socket's
    /// address holds 108 bytes).
    public var shortPath: String { "/proc/self/fd/\(descriptor)" }

    private func openBeneath(_ name: String, _ flags: Int32, _ mode: UInt32 = 0) throws(FileError) -> Int32 {
        try systemCall("openat2", on: path(of: name)) { clinux_open_beneath(descriptor, name, flags, mode) }
    }

    /// The open folder that holds the last part of `name`, and that part, for calls that resolve names without
    /// openat2's care. Whatever the call makes of the last part, it does not lead on: a link is taken as itself, and
    /// `..` is refused here.
    func place(of name: String) throws(FileError) -> (parent: Directory, last: String) {
        guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            if name == ".." { throw FileError(call: "openat2", path: path(of: name), errno: .improperLink) }
            return (self, name)
        }
        let last = String(name[name.utf8.index(after: slash)...])
        guard last != "..", slash != name.startIndex else {
            throw FileError(call: "openat2", path: path(of: name), errno: .improperLink)
        }
        return (try openDirectory(String(name[..<slash])), last)
    }
}
