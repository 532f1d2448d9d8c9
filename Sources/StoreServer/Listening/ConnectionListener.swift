import Dispatch
import StoreSystem
import Synchronization

/// A listener that accepts the connections of one user to a socket, without losing any of them when it stops.
///
/// NIO's own listener resets the connections in the kernel's queue when it closes, so that a client does not know whether
/// its request was executed. It also drops the connection that it is setting up at that moment, which is a fatal error for
/// an `NIOAsyncChannel` (seen with swift-nio 2.101).
final class ConnectionListener: Sendable {
    /// The stream of accepted connections, which finishes after ``stop()``.
    let connections: AsyncStream<any ConnectedSocket>

    private let socket: any AcceptingSocket
    private let user: UInt32
    private let onRefusal: @Sendable () -> Void
    private let continuation: AsyncStream<any ConnectedSocket>.Continuation
    private let queue = DispatchQueue(label: "store-server.listener")
    private let source: Mutex<any DispatchSourceRead>

    /// The delay before the next attempt to accept a connection when the process has no free descriptor.
    private static let retryDelay = DispatchTimeInterval.milliseconds(50)
    /// The maximum number of connections that are accepted for one event.
    ///
    /// Other users can open connections faster than they are accepted and closed, and ``stop()`` has to get its turn on the queue.
    private static let batch = 64

    /// Starts to accept the connections to a socket.
    ///
    /// The socket is closed when the listener has stopped.
    ///
    /// - Parameters:
    ///   - user: the user whose connections are accepted.
    ///   - onRefusal: called after the connection of another user was closed.
    init(_ socket: any AcceptingSocket, user: UInt32, onRefusal: @escaping @Sendable () -> Void) {
        self.socket = socket
        self.user = user
        self.onRefusal = onRefusal
        (connections, continuation) = AsyncStream.makeStream()
        socket.setNonblocking()
        source = Mutex(DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue))
        source.withLock { source in
            source.setEventHandler { [weak self] in self?.acceptWaiting(atMost: Self.batch) }
            // Retains the socket, so that it is closed only when the source no longer watches its descriptor.
            source.setCancelHandler { withExtendedLifetime(socket) {} }
            source.resume()
        }
    }

    deinit { source.withLock { $0.cancel() } }

    /// Stops accepting connections to the socket; a second call has no effect.
    ///
    /// Connections in the queue are still accepted if this process created the socket. If systemd created it, those in
    /// the queue are left to the next daemon.
    func stop() {
        queue.async { [self] in
            guard !source.withLock({ $0.isCancelled }) else { return }
            if socket.refuseConnections() { acceptWaiting() }
            source.withLock { $0.cancel() }
            continuation.finish()
        }
    }

    /// Accepts the connections in the socket's queue.
    ///
    /// - Parameter limit: the maximum number; the dispatch source fires again while more are waiting.
    private func acceptWaiting(atMost limit: Int = .max) {
        for _ in 0..<limit {
            do {
                deliver(try socket.acceptConnection())
            } catch {
                switch error.errno {
                case .connectionAbort: continue
                case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noBufferSpace, .noMemory: return pause()
                default: return
                }
            }
        }
    }

    /// Delivers a connection of the user; closes and reports one of another user.
    ///
    /// A connection whose client has closed it already is not reported: the system no longer knows whose it was.
    private func deliver(_ connection: any ConnectedSocket) {
        let peer = connection.peerUser
        if peer == user {
            continuation.yield(connection)
        } else if peer != nil {
            onRefusal()
        }
    }

    /// Suspends accepting for a moment: the dispatch source would fire continuously while connections are waiting.
    private func pause() {
        source.withLock { $0.suspend() }
        queue.asyncAfter(deadline: .now() + Self.retryDelay) { [self] in source.withLock { $0.resume() } }
    }
}
