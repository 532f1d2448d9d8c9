public import StoreModel
import StoreSystem

/// The lock of a data directory, which ensures that one daemon at most works on it.
///
/// See ``DaemonLock`` for what is locked, and for the lock file's content.
public final class HomeLock: Sendable {
    private let lock: DaemonLock

    private init(_ lock: DaemonLock) { self.lock = lock }

    /// Locks a data directory for this daemon, and creates it with mode 0700 if it is missing.
    ///
    /// A lock file that a daemon left behind is reused. Blocks on disk access; call it through ``BlockingWork``.
    ///
    /// - Parameter dataDirectory: the absolute path of the data directory.
    /// - Throws: `daemon.running` if another daemon holds the lock, `home.foreign`, `home.open` or `home.unwritable`.
    public static func acquire(dataDirectory path: String) throws(StoreError) -> HomeLock {
        let directory = try PrivateDirectory.open(path)
        switch try usingFile(at: path, { try DaemonLock.acquire(in: directory) }) {
        case .acquired(let lock): return HomeLock(lock)
        case .heldBy(let holder?):
            throw StoreError(.homeInUse, ["pid": Int(holder.pid), "path": .path(path)])
        case .heldBy(nil):
            throw StoreError(.homeInUseByUnknownProcess, ["path": .path(path)])
        }
    }

    /// Writes the path of the daemon's socket to the lock file, now that clients can connect to it.
    public func announce(socket: String) throws(StoreError) {
        try Self.usingFile(at: lock.path) { try lock.write(socket: socket) }
    }

    /// Releases the lock on the daemon's data directory.
    ///
    /// The lock file remains, empty.
    public func release() { lock.release() }

    private static func usingFile<Value>(
        at path: String, _ body: () throws -> Value
    ) throws(StoreError) -> Value {
        do {
            return try body()
        } catch {
            throw StoreError(unusableHomeDirectory: path, cause: error)
        }
    }
}
