import Glibc
import Synchronization

/// How an ``Origin`` meets those who want to connect.
public enum OriginReach: Sendable {
    case listening
    /// Connections are refused.
    case refusing
    /// Connections are neither made nor refused.
    case deaf
}

/// The socket that an ``Origin`` is reached by.
///
/// It can stop to listen, and begin again on the same port.
final class OriginListener: Sendable {
    /// 0 for a unix socket.
    let port: UInt16
    private let descriptor: Int32
    /// What keeps others from connecting while it is deaf.
    private let fillers: Mutex<[Int32]>

    init(unixSocket: String?, _ reach: OriginReach) throws {
        (descriptor, port) = try OriginSocket.bind(unixSocket: unixSocket)
        fillers = Mutex([])
        guard reach == .deaf else { return }
        try OriginSocket.listen(descriptor, 0)
        fillers.withLock { $0 = OriginSocket.fill(port: port) }
    }

    deinit {
        close(descriptor)
        stopFilling()
    }

    private func stopFilling() {
        fillers.withLock { fillers in
            for filler in fillers { close(filler) }
            fillers = []
        }
    }

    /// Takes connections from now on, each handed to `accepted`, until ``goDown()``; on a thread that stays in `threads`.
    func open(_ threads: OriginThreads, _ accepted: @escaping @Sendable (Int32) -> Void) throws {
        stopFilling()
        try OriginSocket.listen(descriptor)
        threads.start { [descriptor] in
            while true {
                let connection = Glibc.accept(descriptor, nil, nil)
                if connection < 0 {
                    if errno == EINTR || errno == ECONNABORTED { continue }
                    return
                }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                accepted(connection)
            }
        }
    }

    /// Refuses connections from now on; those that are open stay.
    func goDown() {
        // Shut down and not closed: its number, and the port, stay taken.
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
