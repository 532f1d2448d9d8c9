import FoundationEssentials
import Glibc
import StoreAPI
import StoreModel
import StoreSystem

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
        let descriptor = makeDescriptor()
        guard descriptor >= 0 else { throw unreachable(path, errno) }
        defer { close(descriptor) }
        if socket.connect(descriptor) != 0 {
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

    /// A socket that waits for nothing; -1 with `errno` where the system has none left.
    static func makeDescriptor() -> Int32 {
        Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    }

    /// As connect(2).
    func connect(_ descriptor: Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Whether the daemon that answers here is that of the home with this data folder. Waits for the answer, which a
    /// service manager may have to start the daemon for. One that does not say, or breaks off, is taken for the home's
    /// own: the request that follows finds out what is wrong with it.
    func servesHome(ofData data: String, patience: Duration) throws -> Bool {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw DaemonSocket.unreachable(path, errno) }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: Int(patience.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let question = Array("GET /v1/status HTTP/1.1\r\nHost: stored\r\nConnection: close\r\n\r\n".utf8)
        guard connect(descriptor) == 0,
            send(descriptor, question, question.count, Int32(MSG_NOSIGNAL)) == question.count
        else { return true }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while answer.count < 1 << 20 {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { break }
            answer += buffer[..<count]
        }
        guard let start = answer.firstIndex(of: UInt8(ascii: "{")),
            let status = try? JSON.decode(StatusDocument.self, from: Data(answer[start...])), let home = status.home
        else { return true }
        return home.data == data
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

    /// Whether there is a process of that number; after a crash it may be another.
    var holderLives: Bool { kill(pid, 0) == 0 }

    /// `nil` where there is none, or nothing that can be read.
    static func read(_ path: String) -> LockFile? {
        guard let file = try? OpenFile.open(path), let content = try? file.readAll(limit: 64 << 10) else { return nil }
        return try? JSON.decode(from: content)
    }
}
