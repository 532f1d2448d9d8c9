public import FoundationEssentials
public import StoreModel
import Synchronization

/// The lock of a home, which ensures that one process at most works on the home's directories.
///
/// The data directory itself is locked, so that deleting a file in it lets no second process in. The file `stored.lock`
/// says which process has the lock and where it listens, so that a client finds the daemon whatever environment the two
/// were started with. That file is locked as well, for file systems that lock only one of the two; therefore it is never
/// deleted.
public final class HomeLock: Sendable {
    /// The role in which a process works on a home.
    public enum Role: String, Sendable, Codable {
        /// The process is the daemon `stored`, which serves clients at a socket.
        case daemon
        /// The process is an application with the engine inside, which serves no other process.
        case application
    }

    /// The content of a home's lock file: the process that holds the lock, and the socket at which it listens.
    public struct Holder: Sendable, Codable {
        /// The process id of the process that holds the lock.
        public var pid: Int32
        /// The absolute path of the process's unix socket; empty until it listens, and for an application.
        public var socket: String
        public var startedAt: Date?
        /// The role of the process that holds the lock; `nil` in a lock file of an earlier release, by a daemon.
        public var role: Role?
        /// The file name of the executable of the process that holds the lock; `nil` where it is unknown.
        public var program: String?
        /// The lock file that the process wrote; `nil` in a lock file of an earlier release.
        fileprivate var file: Place?

        /// Whether a process with the process id in the home's lock file runs.
        ///
        /// After a crash the id may have been reused by another program.
        public var isRunning: Bool { ProcessTable.isRunning(pid) }
    }

    /// The location of a lock file, by which a copy of the file in another place is recognised.
    fileprivate struct Place: Sendable, Codable {
        var path: String
        var device: UInt64
        var inode: UInt64
    }

    /// The name of the lock file in the data directory.
    static let name = "stored.lock"

    private let directory: Directory
    private let file: OpenFile
    private let role: Role
    private let startedAt = Date()
    private let isReleased = Atomic(false)
    /// The path of the home's lock file.
    public var path: String { file.path }

    private init(_ directory: Directory, _ file: OpenFile, _ role: Role) {
        self.directory = directory
        self.file = file
        self.role = role
    }

    /// Locks a home's data directory and its lock file, and creates the file where it is missing.
    ///
    /// The lock ends with ``release()``, with this object, or with the process. Blocks on disk access.
    ///
    /// - Parameters:
    ///   - directory: the data directory, opened for the lock alone: the lock belongs to the open directory.
    ///   - role: the role in which this process will work on the home.
    /// - Returns: the lock, or the file's content where the home is locked already, by this process or another.
    public static func acquire(in directory: Directory, as role: Role) throws(StoreError) -> Acquisition {
        let directoryLock = try directory.tryLock()
        if case .heldElsewhere = directoryLock {
            // A missing file is not created here: an empty one would name no process, either.
            return .heldBy((try? directory.openFile(name)).flatMap(read))
        }
        let lock = HomeLock(directory, try directory.openOrCreateFile(name), role)
        guard try isAcquired(directory: directoryLock, file: try lock.file.tryLock()) else {
            return .heldBy(read(lock.file))
        }
        try lock.announce(socket: "")
        return .acquired(lock)
    }

    /// Returns whether the locks of the data directory and of the lock file are enough for a process to work on the home.
    ///
    /// One of them is enough where the file system supports only that one.
    ///
    /// - Throws: the file system's error where it supports neither.
    static func isAcquired(directory: LockResult, file: LockResult) throws(StoreError) -> Bool {
        switch (directory, file) {
        case (.heldElsewhere, _), (_, .heldElsewhere): return false
        case (.unsupported, .unsupported(let error)): throw error
        case (.acquired, _), (_, .acquired): return true
        }
    }

    /// Returns whether a process holds the lock of a home, which its lock file alone does not prove after a crash.
    ///
    /// The home is locked for a moment, in which another process can't lock it. Blocks on disk access.
    ///
    /// - Parameter directory: the data directory, opened for this call alone.
    public static func isHeld(in directory: Directory) -> Bool {
        defer { directory.unlock() }
        if case .heldElsewhere? = try? directory.tryLock() { return true }
        guard let file = try? directory.openFile(name), case .heldElsewhere? = try? file.tryLock() else { return false }
        return true
    }

    /// The result of trying to lock a home: the lock, or the process that holds it.
    public enum Acquisition: Sendable {
        case acquired(HomeLock)
        /// The home is locked already.
        ///
        /// The associated value is the content of the lock file, `nil` where it can't be read.
        case heldBy(Holder?)
    }

    /// Writes the path of the process's socket to the lock file, now that clients can connect to it.
    public func announce(socket: String) throws(StoreError) {
        let holder = Holder(
            pid: CurrentProcess.identifier, socket: socket, startedAt: startedAt, role: role,
            program: CurrentProcess.programPath?.split(separator: "/").last.map(String.init),
            file: try HomeLock.place(of: file))
        // A holder can always be encoded.
        let content = Array((try? JSON.encode(holder)) ?? Data())
        // Written first and truncated after, so that a reader never finds the file empty.
        try file.write(content, at: 0)
        try file.truncate(to: content.count)
    }

    /// Empties the home's lock file and releases the lock.
    ///
    /// The empty file stays, so that no client tries to connect to a socket that is gone. A second call does nothing: the
    /// file may be another process's then.
    public func release() {
        guard !isReleased.exchange(true, ordering: .relaxed) else { return }
        try? file.truncate(to: 0)
        file.unlock()
        directory.unlock()
    }

    /// Returns the content of a home's lock file.
    ///
    /// It is `nil` where the file is missing, empty or can't be read, and where it was copied from another home: the
    /// process in it works on that one.
    ///
    /// - Parameter path: the lock file's path.
    public static func holder(at path: String) -> Holder? {
        (try? OpenFile.open(path)).flatMap(read)
    }

    private static func read(_ file: OpenFile) -> Holder? {
        guard let content = try? file.readAll(limit: 64 << 10),
            // Every command reads it, and the first use of Foundation's decoder takes as long as connecting to the daemon.
            let holder = try? JSON.read(Holder.self, from: content)
        else { return nil }
        // One home may have several paths, and some file systems, in user space, number a file anew.
        guard let written = holder.file, written.path != file.path else { return holder }
        guard let place = try? place(of: file), written.device == place.device, written.inode == place.inode else {
            return nil
        }
        return holder
    }

    private static func place(of file: OpenFile) throws(StoreError) -> Place {
        let status = try file.status()
        return Place(path: file.path, device: status.device, inode: status.inode)
    }
}

extension HomeLock.Holder: JSONReadable {
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        var (pid, socket): (Int?, String?)
        var startedAt: Date?
        var role: HomeLock.Role?
        var program: String?
        var file: HomeLock.Place?
        try reader.object { reader, member throws(JSONReader.Malformed) in
            switch member {
            case "pid": pid = try reader.integer()
            case "socket": socket = try reader.string()
            case "startedAt": startedAt = try reader.null() ? nil : reader.date()
            case "role": role = try reader.null() ? nil : HomeLock.Role(from: &reader)
            case "program": program = try reader.null() ? nil : reader.string()
            case "file": file = try reader.null() ? nil : HomeLock.Place(from: &reader)
            default: try reader.skip()
            }
        }
        guard let pid = pid.flatMap(Int32.init(exactly:)), let socket else { throw reader.malformed }
        self.init(pid: pid, socket: socket, startedAt: startedAt, role: role, program: program, file: file)
    }
}

extension HomeLock.Role: JSONReadable {
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        guard let role = HomeLock.Role(rawValue: try reader.string()) else { throw reader.malformed }
        self = role
    }
}

extension HomeLock.Place: JSONReadable {
    init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        var path: String?
        var (device, inode): (UInt64?, UInt64?)
        try reader.object { reader, member throws(JSONReader.Malformed) in
            switch member {
            case "path": path = try reader.string()
            case "device": device = try reader.unsigned()
            case "inode": inode = try reader.unsigned()
            default: try reader.skip()
            }
        }
        guard let path, let device, let inode else { throw reader.malformed }
        self.init(path: path, device: device, inode: inode)
    }
}

extension StoreError {
    /// Creates the error `home.inUse`, which names the process that has locked a home, and what to use instead.
    ///
    /// - Parameters:
    ///   - places: the directories of the home.
    ///   - holder: the content of the home's lock file; `nil` where it can't be read.
    public init(homeOf places: HomePaths, inUseBy holder: HomeLock.Holder?) {
        let path = ErrorArgument.path(places.home ?? places.data)
        guard let holder else {
            self.init(.homeInUseByUnknownProcess, ["path": path])
            return
        }
        switch holder.role ?? .daemon {
        case .daemon: self.init(.homeInUseByDaemon, ["path": path, "pid": Int(holder.pid)])
        case .application:
            let program = ErrorArgument.untrusted(holder.program ?? "an application")
            self.init(.homeInUseByApplication, ["path": path, "pid": Int(holder.pid), "program": program])
        }
    }
}
