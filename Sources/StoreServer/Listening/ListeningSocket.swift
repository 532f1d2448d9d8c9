import StoreModel
import StoreSystem

/// The daemon's unix socket that clients connect to: created by this process, or passed by systemd.
final class ListeningSocket: Sendable {
    let unixSocket: UnixSocket
    /// The path of the daemon's unix socket.
    let path: String
    /// The directory of the socket; `nil` if systemd created the socket's file, which then must not be removed.
    private let directory: Directory?

    private static let name = "stored.sock"

    private init(_ unixSocket: UnixSocket, path: String, directory: Directory?) {
        self.unixSocket = unixSocket
        self.path = path
        self.directory = directory
    }

    /// Creates the daemon's unix socket with mode 0600, in a directory with mode 0700, and listens there.
    ///
    /// An existing socket file is replaced, so the caller has to hold the lock of the data directory. A path longer
    /// than a socket address allows is bound through the open directory.
    ///
    /// - Parameters:
    ///   - directoryPath: the path of the runtime directory.
    ///   - fallbackPath: the path of the directory to use if another daemon listens in the first one.
    /// - Throws: `home.foreign`, `home.unwritable` or `socket.failed`.
    static func make(in directoryPath: String, fallback fallbackPath: String) throws(StoreError) -> ListeningSocket {
        var directory = try PrivateDirectory.openRuntime(directoryPath)
        // Two data directories can share one runtime directory. This process holds the lock of its own data directory,
        // so a daemon that listens here serves the other.
        if hasListener(in: directory) {
            directory = try PrivateDirectory.openRuntime(fallbackPath)
        }
        let path = directory.path(of: name)
        try removeStale(in: directory)
        do {
            let unixSocket = try UnixSocket()
            // From here on, connections wait in the queue until the server accepts them.
            try unixSocket.listen(at: UnixSocketAddress(name, in: directory), backlog: 256)
            return ListeningSocket(unixSocket, path: path, directory: directory)
        } catch {
            throw StoreError(.socketNotCreated, ["path": .path(path)], cause: error)
        }
    }

    /// Returns the listening unix socket that systemd passed to this process; `nil` if it passed none.
    ///
    /// - Parameters:
    ///   - environment: the environment of the process.
    ///   - defaultPath: the path to report for a socket that is not bound to a path.
    /// - Throws: `socket.failed` if systemd passed anything but one listening unix socket.
    static func inherited(
        environment: [String: String], defaultPath: String
    ) throws(StoreError) -> ListeningSocket? {
        let descriptor: Int32
        switch SocketActivation(environment: environment, pid: CurrentProcess.identifier) {
        case .none: return nil
        case .tooMany(let count): throw StoreError(.severalSocketsPassed, ["count": count])
        case .one(let number): descriptor = number
        }
        guard let unixSocket = UnixSocket(listeningDescriptor: descriptor) else {
            throw StoreError(.passedSocketInvalid)
        }
        return ListeningSocket(unixSocket, path: unixSocket.boundPath ?? defaultPath, directory: nil)
    }

    /// Removes the socket's file if this process created it; a second call has no effect.
    ///
    /// - Returns: whether this process created the file.
    @discardableResult
    func removeFile() -> Bool {
        try? directory?.remove(ListeningSocket.name)
        return directory != nil
    }

    /// Returns whether a process listens at the socket in a directory.
    private static func hasListener(in directory: Directory) -> Bool {
        // Without waiting: where the queue of a daemon that hangs is full, connect(2) would wait for it for ever.
        guard let unixSocket = try? UnixSocket(isBlocking: false),
            let address = try? UnixSocketAddress(name, in: directory)
        else { return false }
        do {
            try unixSocket.connect(to: address)
            return true
        } catch {
            // A process listens, and its queue of connections is full.
            return error.errno == .resourceTemporarilyUnavailable
        }
    }

    private static func removeStale(in directory: Directory) throws(StoreError) {
        let isOccupied: Bool
        do {
            guard let status = try directory.status(of: name) else { return }
            isOccupied = status.kind != .other
            if !isOccupied { try directory.remove(name) }
        } catch {
            throw StoreError(unusableHomeDirectory: directory.path, cause: error)
        }
        if isOccupied { throw StoreError(.socketPathOccupied, ["path": .path(directory.path(of: name))]) }
    }
}
