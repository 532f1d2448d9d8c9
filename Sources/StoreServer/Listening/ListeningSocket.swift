import StoreModel
import StoreSystem

/// The descriptor that clients connect to: made here, or handed over by systemd.
final class ListeningSocket: Sendable {
    let unixSocket: UnixSocket
    /// Where clients find it.
    let path: String
    /// The socket's folder, where the file is ours to remove.
    private let folder: Directory?

    private static let name = "stored.sock"

    private init(_ unixSocket: UnixSocket, path: String, folder: Directory?) {
        self.unixSocket = unixSocket
        self.path = path
        self.folder = folder
    }

    /// Makes the socket in the run folder: folder 0700, socket 0600. A socket file that is there is replaced,
    /// because whoever holds the home's lock is the only one who may listen; so call this only then.
    ///
    /// A path of any length works: a long one is bound through the open folder.
    ///
    /// - Parameter otherFolder: where it is made instead if a daemon of another home answers in the run folder.
    /// - Throws: `home.foreign`, `home.unwritable` or `socket.failed`.
    static func make(inRunFolder runFolder: String, else otherFolder: String) throws(ServerError) -> ListeningSocket {
        var folder = try PrivateDirectory.open(runFolder, closedToOthers: true)
        // Two homes may have one runtime folder. Ours is locked, so whoever answers there serves the other.
        if isAnswered(in: folder) { folder = try PrivateDirectory.open(otherFolder, closedToOthers: true) }
        let path = folder.path(of: name)
        try removeStale(in: folder)

        do {
            let unixSocket = try UnixSocket()
            // From here on whoever connects waits in the queue until the server accepts; NIO only sets the length anew.
            try unixSocket.listen(at: UnixSocketAddress(name, in: folder), backlog: 256)
            return ListeningSocket(unixSocket, path: path, folder: folder)
        } catch {
            let reason = (error as? SystemCallError)?.errno.description ?? "\(error)"
            throw ServerError(.socketFailed, "The socket '\(path)' can't be made: \(reason).")
        }
    }

    /// Takes over the one socket that systemd handed to this process, if it did.
    ///
    /// - Parameters:
    ///   - defaultPath: where clients find it, should the socket itself not know.
    /// - Throws: `socket.failed` where what was handed over is not one unix socket that listens.
    static func inherited(
        environment: [String: String], defaultPath: String
    ) throws(ServerError) -> ListeningSocket? {
        let descriptor: Int32
        switch SocketActivation(environment: environment, pid: CurrentProcess.identifier) {
        case .none: return nil
        case .tooMany(let count):
            throw ServerError(
                .socketFailed,
                "systemd handed over \(count) sockets; stored takes one. Name one ListenStream in its unit.")
        case .one(let number): descriptor = number
        }
        guard let unixSocket = UnixSocket(listeningDescriptor: descriptor) else {
            throw ServerError(
                .socketFailed,
                "What systemd handed over is not a unix socket that listens. Use ListenStream=%t/storectl/stored.sock.")
        }
        return ListeningSocket(unixSocket, path: unixSocket.boundPath ?? defaultPath, folder: nil)
    }

    /// Removes the socket's file, if it was made here: systemd goes on listening on its own.
    ///
    /// - Returns: whether it was made here. Doing it twice is harmless.
    @discardableResult
    func removeFile() -> Bool {
        try? folder?.remove(ListeningSocket.name)
        return folder != nil
    }

    /// Whether somebody listens at the socket of that folder.
    private static func isAnswered(in folder: Directory) -> Bool {
        guard let unixSocket = try? UnixSocket(), let address = try? UnixSocketAddress(name, in: folder) else {
            return false
        }
        return (try? unixSocket.connect(to: address)) != nil
    }

    private static func removeStale(in folder: Directory) throws(ServerError) {
        do {
            guard let status = try folder.status(of: name) else { return }
            guard status.kind == .other else {
                throw ServerError(
                    .socketFailed, "'\(folder.path(of: name))' is there and is not a socket. Move it out of the way.")
            }
            try folder.remove(name)
        } catch let error as ServerError {
            throw error
        } catch let error as FileError {
            throw ServerError(homePath: folder.path, error)
        } catch {
            throw ServerError(.socketFailed, "'\(folder.path)': \(error)")
        }
    }
}
