import Glibc
import Synchronization

/// How an ``Origin`` treats connection attempts.
public enum OriginReach: Sendable {
    case listening
    /// Connection attempts are refused.
    case refusing
    /// Connection attempts are neither accepted nor refused.
    case unresponsive
}

/// The listening socket of an ``Origin``.
///
/// It can stop listening, and start again on the same port.
final class OriginListener: Sendable {
    /// The port.
    let port: UInt16
    private let descriptor: Int32
    /// Connections that fill the backlog while the server is unresponsive.
    private let fillers: Mutex<[Int32]>

    init(_ reach: OriginReach) throws {
        (descriptor, port) = try OriginSocket.bind()
        fillers = Mutex([])
        guard reach == .unresponsive else { return }
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

    /// Accepts connections until ``goDown()``, on one of `threads`, and passes each to `accepted`.
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
                // A response is written in pieces. Each would wait for the acknowledgement of the one before, up to 40 ms.
                var yes: Int32 = 1
                setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
                accepted(connection)
            }
        }
    }

    /// Refuses new connections; open ones are not affected.
    func goDown() {
        // The socket is shut down and not closed, so that its descriptor and port stay reserved.
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
