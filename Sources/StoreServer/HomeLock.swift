public import FoundationEssentials
import Glibc
import StoreModel
import StoreSystem

/// The one lock that owns a home: `stored.lock` in its data folder.
///
/// The lock is the system's (`flock`), on the open file, so it ends with the process however that ends; the file's content only
/// says who holds it, and where the socket is, so that every environment finds the one daemon. The file is
/// never deleted: whoever deletes a locked file lets a second daemon lock another of the same name.
public final class HomeLock: Sendable {
    /// What the lock file says while it is locked.
    public struct Holder: Sendable, Codable {
        public var pid: Int32
        /// Absolute; empty until there is one.
        public var socket: String
        public var startedAt: Date

        public init(pid: Int32, socket: String, startedAt: Date) {
            self.pid = pid
            self.socket = socket
            self.startedAt = startedAt
        }
    }

    private static let name = "stored.lock"
    private let file: OpenFile
    private let startedAt: Date

    private init(file: OpenFile, startedAt: Date) {
        self.file = file
        self.startedAt = startedAt
    }

    /// Takes the lock of a home, and makes the data folder (0700) where it is missing. A file that a daemon left
    /// behind which is no more is taken over.
    ///
    /// Waits for the disk; call it through ``BlockingWork``.
    ///
    /// - Parameter dataFolder: absolute path.
    /// - Throws: `daemon.running` where another daemon holds it, `home.foreign` or `home.unwritable`.
    public static func acquire(dataFolder: String) throws(ServerError) -> HomeLock {
        let folder = try PrivateDirectory.open(dataFolder)
        let lock: HomeLock
        do {
            lock = HomeLock(file: try folder.openOrCreateFile(name), startedAt: Date())
        } catch {
            throw ServerError(homePath: dataFolder, error)
        }
        // flock(2): the lock belongs to the open file and goes when its last descriptor is closed.
        while flock(lock.file.descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            guard errno == EWOULDBLOCK else {
                throw ServerError(
                    .homeUnwritable, "'\(lock.file.path)' can't be locked: \(String(cString: strerror(errno))).")
            }
            let who = lock.readHolder().map { " (pid \($0.pid))" } ?? ""
            throw ServerError(
                .daemonRunning,
                "Another stored\(who) works on '\(dataFolder)' already. Use it, or end it with 'storectl daemon stop'.")
        }
        try lock.announce(socket: "")
        return lock
    }

    /// Says in the file where the socket is, now that it can be connected to.
    public func announce(socket: String) throws(ServerError) {
        let holder = Holder(pid: getpid(), socket: socket, startedAt: startedAt)
        do {
            // Written first and cut after, so that a reader never finds the file empty.
            let content = try JSON.encode(holder)
            try file.seek(to: 0)
            try file.write(content)
            try file.truncate(to: content.count)
        } catch let error as FileError {
            throw ServerError(homePath: file.path, error)
        } catch {
            throw ServerError(.homeUnwritable, "'\(file.path)' can't be written: \(error)")
        }
    }

    /// Gives the home up. The file stays, empty, so that nobody looks for a socket that is gone.
    public func release() {
        try? file.truncate(to: 0)
        _ = flock(file.descriptor, LOCK_UN)
    }

    /// What the file says, whoever wrote it; `nil` where that is nothing.
    private func readHolder() -> Holder? {
        guard let content = try? file.readAll(limit: 64 << 10) else { return nil }
        return try? JSON.decode(from: content)
    }
}
