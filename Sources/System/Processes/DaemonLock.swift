public import FoundationEssentials
import StoreModel

/// The lock of a data directory, which ensures that one daemon at most works on it.
///
/// The directory itself is locked, so that deleting a file in it lets no second daemon in. The file `stored.lock` says
/// which process has the lock and where it listens, so that a client finds the daemon whatever environment the two were
/// started with. That file is locked as well, for file systems that lock only one of the two; therefore the daemon never
/// deletes it.
public final class DaemonLock: Sendable {
    /// The content of the daemon's lock file: the process id of the daemon that holds the lock, and its socket.
    public struct Holder: Sendable, Codable {
        /// The process id of the daemon that holds the lock.
        public var pid: Int32
        /// The absolute path of the daemon's unix socket; empty until the daemon listens.
        public var socket: String
        public var startedAt: Date?

        /// Whether a process with the process id in the daemon's lock file runs.
        ///
        /// After a crash the id may have been reused by another program.
        public var isRunning: Bool { ProcessTable.isRunning(pid) }
    }

    /// The name of the daemon's lock file in the data directory.
    static let name = "stored.lock"

    private let directory: Directory
    private let file: OpenFile
    private let startedAt = Date()
    /// The path of the daemon's lock file.
    public var path: String { file.path }

    private init(_ directory: Directory, _ file: OpenFile) {
        self.directory = directory
        self.file = file
    }

    /// Locks a data directory and its lock file, and creates the file where it is missing.
    ///
    /// The lock ends with ``release()`` or with the process. Blocks on disk access.
    ///
    /// - Parameter directory: the data directory, opened for the lock alone: the lock belongs to the open directory.
    /// - Returns: the lock, or the file's content where another daemon has the lock.
    public static func acquire(in directory: Directory) throws -> Acquisition {
        let directoryLock = try directory.tryLock()
        if case .heldElsewhere = directoryLock {
            // A missing file is not created here: an empty one would name no daemon, either.
            return .heldBy((try? directory.openFile(name)).flatMap(read))
        }
        let lock = DaemonLock(directory, try directory.openOrCreateFile(name))
        guard try isAcquired(directory: directoryLock, file: try lock.file.tryLock()) else {
            return .heldBy(read(lock.file))
        }
        try lock.write(socket: "")
        return .acquired(lock)
    }

    /// Returns whether the locks of the data directory and of the lock file are enough for a daemon to work on its home.
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

    /// The result of trying to lock the daemon's lock file: the lock, or the daemon that holds it.
    public enum Acquisition: Sendable {
        case acquired(DaemonLock)
        /// Another daemon has the lock.
        ///
        /// The associated value is the content of the lock file, `nil` where it can't be read.
        case heldBy(Holder?)
    }

    /// Writes the path of the daemon's socket to the lock file, now that clients can connect to it.
    public func write(socket: String) throws {
        let holder = Holder(pid: CurrentProcess.identifier, socket: socket, startedAt: startedAt)
        let content = try JSON.encode(holder)
        // Written first and truncated after, so that a reader never finds the file empty.
        try file.seek(to: 0)
        try file.write(content)
        try file.truncate(to: content.count)
    }

    /// Empties the daemon's lock file and releases the lock.
    ///
    /// The empty file stays, so that no client tries to connect to a socket that is gone.
    public func release() {
        try? file.truncate(to: 0)
        file.unlock()
        directory.unlock()
    }

    /// Returns the content of a daemon's lock file; `nil` where the file is missing, empty or can't be read.
    ///
    /// - Parameter path: the lock file's path.
    public static func holder(at path: String) -> Holder? {
        (try? OpenFile.open(path)).flatMap(read)
    }

    private static func read(_ file: OpenFile) -> Holder? {
        guard let content = try? file.readAll(limit: 64 << 10) else { return nil }
        return try? JSON.decode(from: content)
    }
}
