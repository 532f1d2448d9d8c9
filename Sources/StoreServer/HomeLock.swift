import StoreModel
import StoreSystem

/// The lock that lets one daemon own a home: `stored.lock` in the home's data directory; see ``DaemonLock``.
public final class HomeLock: Sendable {
    private let lock: DaemonLock

    private init(_ lock: DaemonLock) { self.lock = lock }

    /// Locks a home, and creates its data directory (0700) where it is missing. The file that a daemon left behind that
    /// has ended is taken over.
    ///
    /// Waits for the disk; call it through ``BlockingWork``.
    ///
    /// - Parameter dataFolder: absolute path.
    /// - Throws: `daemon.running` where another daemon holds it, `home.foreign` or `home.unwritable`.
    public static func acquire(dataFolder: String) throws(ServerError) -> HomeLock {
        let folder = try PrivateDirectory.open(dataFolder)
        switch try naming(dataFolder, { try DaemonLock.acquire(in: folder) }) {
        case .acquired(let lock): return HomeLock(lock)
        case .heldBy(let holder):
            let who = holder.map { " (pid \($0.pid))" } ?? ""
            throw ServerError(
                .daemonRunning,
                "Another stored\(who) works on '\(dataFolder)' already. Use it, or end it with 'storectl daemon stop'.")
        }
    }

    /// Writes the path of the daemon's socket to the lock file, now that clients can connect to it.
    public func announce(socket: String) throws(ServerError) {
        try Self.naming(lock.path) { try lock.write(socket: socket) }
    }

    /// Releases the home. The lock file stays, empty.
    public func release() { lock.release() }

    private static func naming<Value>(_ path: String, _ body: () throws -> Value) throws(ServerError) -> Value {
        do {
            return try body()
        } catch let error as FileError {
            throw ServerError(homePath: path, error)
        } catch {
            throw ServerError(.homeUnwritable, "'\(path)' can't be written: \(error)")
        }
    }
}
