import Files
import FoundationEssentials
import Glibc
import StoreModel

/// A socket at which the daemon answers.
struct DaemonSocket: Sendable {
    /// What to connect to.
    let path: String
    /// Held open while ``path`` leads through it; see `Directory.shortPath`.
    private let folder: Directory?

    /// `sun_path` of a unix socket's address holds 108 bytes, one of them the end (unix(7)).
    static let longestPath = 107

    /// `nil` where the folder it lies in is not there.
    private init?(leadingTo path: String) throws(FileError) {
        guard path.utf8.count > Self.longestPath, let slash = path.lastIndex(of: "/") else {
            self.path = path
            folder = nil
            return
        }
        do {
            let folder = try Directory.open(String(path[..<slash]))
            self.path = folder.shortPath + path[slash...]
            self.folder = folder
        } catch  where error.number == ENOENT || error.number == ENOTDIR {
            return nil
        }
    }

    /// The socket of that path if somebody listens at it, else `nil`.
    ///
    /// - Throws: `daemon.unreachable` where it can't be told, `daemon.foreign` where it is somebody else who listens.
    static func listening(at path: String) throws -> DaemonSocket? {
        guard let socket = try DaemonSocket(leadingTo: path), socket.path.utf8.count <= longestPath else { return nil }
        let descriptor = Glibc.socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw unreachable(path, errno) }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.path.utf8) }
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if result != 0 {
            switch errno {
            case ENOENT, ECONNREFUSED, ENOTDIR: return nil
            // Somebody listens who has so much to do that there is a queue.
            case EAGAIN: return socket
            case let number: throw unreachable(path, number)
            }
        }
        // The superuser may well have made the socket for the user, as a service manager does.
        let user = PeerCredentials.user(of: descriptor)
        guard user == geteuid() || user == 0 else {
            let owner = user.map { "user \($0)" } ?? "nobody known"
            throw StoreClientError(
                .daemonForeign,
                "The program that listens at '\(path)' belongs to \(owner), and is not talked to. "
                    + "Remove the socket, or name a home of your own with --home.")
        }
        return socket
    }

    private static func unreachable(_ path: String, _ number: Int32) -> StoreClientError {
        StoreClientError(
            .daemonUnreachable,
            "The daemon's socket '\(path)' can't be used: \(String(cString: strerror(number))). "
                + "Check the owner and permissions of its folder.")
    }
}

/// What `stored.lock` says: where the daemon of a home listens, whatever the environment it was started from.
struct LockFile: Decodable {
    var pid: Int32
    /// Empty until the daemon listens.
    var socket: String

    /// `nil` where there is none, or nothing that can be read.
    static func read(_ path: String) -> LockFile? {
        guard let file = try? OpenFile.open(path), let content = try? file.readAll(limit: 64 << 10) else { return nil }
        return try? JSON.decode(from: content)
    }
}
