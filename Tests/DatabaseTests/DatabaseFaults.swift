import GRDBSQLite
import Synchronization

@testable import StoreDatabase

/// Intercepts the accesses of SQLite to the files of one directory, and can make them fail.
///
/// Implemented as a file system layer (VFS) of SQLite that all connections of the process use.
final class DatabaseFaults: Sendable {
    /// An access to a file.
    enum Access: Sendable, Hashable {
        case open, read, write, truncate, sync, delete
    }
    /// Decides whether an access fails; called before the access.
    typealias Decision = @Sendable (Access) -> Bool

    private struct State {
        var decisions: [String: Decision] = [:]
        /// The directories of open files, by the address of SQLite's object of the file.
        var folders: [UInt: String] = [:]
        /// The addresses of the ordinary functions of a file, by that of the intercepting ones.
        var ordinary: [UInt: UInt] = [:]
        /// The addresses of the intercepting functions, by that of the ordinary ones.
        var intercepting: [UInt: UInt] = [:]
    }
    private static let state = Mutex(State())

    private let folder: String

    /// Begins to intercept the accesses to the files of a directory, until the object is released.
    init(in folder: String, _ decision: @escaping Decision) {
        self.folder = folder + "/"
        precondition(Self.isRegistered)
        Self.state.withLock { $0.decisions[folder + "/"] = decision }
    }

    deinit { Self.state.withLock { [folder] in $0.decisions[folder] = nil } }

    /// The layer of ``LongPathDirectory``, which must not become SQLite's default after this one.
    private nonisolated(unsafe) static let layerBelow: UnsafeMutablePointer<sqlite3_vfs>? = {
        _ = LongPathDirectory(ofFile: "/" + String(repeating: "long/", count: 200))
        return sqlite3_vfs_find(nil)
    }()

    private static let isRegistered: Bool = {
        guard let below = layerBelow else { return false }
        // Never freed: SQLite keeps the pointers.
        let layer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        layer.initialize(to: below.pointee)
        let name = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 16)
        _ = name.initialize(from: Array("faults".utf8CString))
        layer.pointee.zName = UnsafePointer(name.baseAddress)
        layer.pointee.xOpen = { _, name, file, flags, opened in
            guard let below = DatabaseFaults.layerBelow, let file else { return SQLITE_CANTOPEN }
            let folder = name.flatMap { DatabaseFaults.folder(of: String(cString: $0)) }
            if let folder, DatabaseFaults.fails(.open, in: folder) { return SQLITE_CANTOPEN }
            let result = below.pointee.xOpen(below, name, file, flags, opened)
            if result == SQLITE_OK, let folder { DatabaseFaults.intercept(file, in: folder) }
            return result
        }
        layer.pointee.xDelete = { _, name, mustSync in
            guard let below = DatabaseFaults.layerBelow else { return SQLITE_IOERR }
            let folder = name.flatMap { DatabaseFaults.folder(of: String(cString: $0)) }
            if let folder, DatabaseFaults.fails(.delete, in: folder) { return SQLITE_IOERR }
            return below.pointee.xDelete(below, name, mustSync)
        }
        return sqlite3_vfs_register(layer, 1) == SQLITE_OK
    }()

    private static func folder(of path: String) -> String? {
        state.withLock { state in state.decisions.keys.first { path.hasPrefix($0) } }
    }

    private static func fails(_ access: Access, in folder: String?) -> Bool {
        let decision = state.withLock { state in folder.flatMap { state.decisions[$0] } }
        return decision?(access) ?? false
    }

    private static func fails(_ access: Access, _ file: UnsafeMutablePointer<sqlite3_file>?) -> Bool {
        let folder = state.withLock { $0.folders[UInt(bitPattern: file)] }
        return fails(access, in: folder)
    }

    /// Replaces the functions of an open file.
    private static func intercept(_ file: UnsafeMutablePointer<sqlite3_file>, in folder: String) {
        let ordinary = UInt(bitPattern: file.pointee.pMethods)
        let methods = state.withLock { state in
            state.folders[UInt(bitPattern: file)] = folder
            return state.intercepting[ordinary]
        }
        file.pointee.pMethods = UnsafePointer(bitPattern: methods ?? makeMethods(for: ordinary))
    }

    private static func makeMethods(for ordinary: UInt) -> UInt {
        guard let methods = UnsafePointer<sqlite3_io_methods>(bitPattern: ordinary) else { return ordinary }
        let copy = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        copy.initialize(to: methods.pointee)
        copy.pointee.xRead = { file, buffer, count, offset in
            let read = DatabaseFaults.ordinary(file).pointee.xRead
            guard DatabaseFaults.fails(.read, file) else { return read?(file, buffer, count, offset) ?? SQLITE_IOERR }
            // At this offset the system call fails, so that SQLite finds an error number.
            _ = read?(file, buffer, count, .max)
            // SQLITE_IOERR_CORRUPTFS, as SQLite reports a read that failed because of the disk (os_unix.c, unixRead).
            return SQLITE_IOERR | (33 << 8)
        }
        copy.pointee.xWrite = { file, bytes, count, offset in
            if DatabaseFaults.fails(.write, file) { return SQLITE_FULL }
            return DatabaseFaults.ordinary(file).pointee.xWrite(file, bytes, count, offset)
        }
        copy.pointee.xTruncate = { file, size in
            if DatabaseFaults.fails(.truncate, file) { return SQLITE_IOERR }
            return DatabaseFaults.ordinary(file).pointee.xTruncate(file, size)
        }
        copy.pointee.xSync = { file, flags in
            if DatabaseFaults.fails(.sync, file) { return SQLITE_IOERR }
            return DatabaseFaults.ordinary(file).pointee.xSync(file, flags)
        }
        let address = UInt(bitPattern: copy)
        state.withLock { state in
            state.ordinary[address] = ordinary
            state.intercepting[ordinary] = address
        }
        return address
    }

    private static func ordinary(_ file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafePointer<sqlite3_io_methods> {
        let address = state.withLock { $0.ordinary[UInt(bitPattern: file?.pointee.pMethods)] }
        guard let methods = address.flatMap({ UnsafePointer<sqlite3_io_methods>(bitPattern: $0) }) else {
            preconditionFailure("the file is not intercepted")
        }
        return methods
    }
}
