import Glibc
import StoreModel
import StoreSystem

/// The descriptor that clients connect to: made here, or handed over by systemd.
final class ListeningSocket: Sendable {
    let descriptor: Int32
    /// Where clients find it.
    let path: String
    /// The socket's folder, where the file is ours to remove.
    private let folder: Directory?

    private static let name = "stored.sock"

    private init(descriptor: Int32, path: String, folder: Directory?) {
        self.descriptor = descriptor
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

        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure(path) }
        // On Linux the file that bind makes takes its mode from the socket, so nobody can connect in between.
        guard fchmod(descriptor, 0o600) == 0 else { throw failure(path, closing: descriptor) }
        let result = withAddress(of: folder) { bind(descriptor, $0, $1) }
        guard result == 0 else { throw failure(path, closing: descriptor) }
        // From here on whoever connects waits in the queue until the server accepts; NIO only sets the length anew.
        guard listen(descriptor, 256) == 0 else { throw failure(path, closing: descriptor) }
        return ListeningSocket(descriptor: descriptor, path: path, folder: folder)
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
        switch SocketActivation(environment: environment, pid: getpid()) {
        case .none: return nil
        case .tooMany(let count):
            throw ServerError(
                .socketFailed,
                "systemd handed over \(count) sockets; stored takes one. Name one ListenStream in its unit.")
        case .one(let number): descriptor = number
        }
        guard option(SO_ACCEPTCONN, of: descriptor) == 1, option(SO_DOMAIN, of: descriptor) == AF_UNIX else {
            throw ServerError(
                .socketFailed,
                "What systemd handed over is not a unix socket that listens. Use ListenStream=%t/storectl/stored.sock.")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return ListeningSocket(descriptor: descriptor, path: boundPath(of: descriptor) ?? defaultPath, folder: nil)
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
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return withAddress(of: folder) { connect(descriptor, $0, $1) } == 0
    }

    private static func withAddress(
        of folder: Directory, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // Through the open folder: what was looked at is what it is made in, and any path is short enough.
        let bound = folder.shortPath + "/" + name
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bound.utf8) }
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
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

    private static func failure(_ path: String, closing descriptor: Int32? = nil) -> ServerError {
        let reason = String(cString: strerror(errno))
        if let descriptor { close(descriptor) }
        return ServerError(.socketFailed, "The socket '\(path)' can't be made: \(reason).")
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    /// The path that a socket was bound to, where it has one and is not abstract.
    private static func boundPath(of descriptor: Int32) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        let bytes = withUnsafeBytes(of: address.sun_path) { Array($0.prefix { $0 != 0 }) }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
