import Dispatch
import StoreSystem
import Synchronization

/// A listener that accepts the connections to a unix socket, without losing any of them when it stops.
///
/// NIO's own listener resets the connections in the kernel's queue when it closes, so that a client does not know whether
/// its request was executed. It also drops the connection that it is setting up at that moment, which is a fatal error for
/// an `NIOAsyncChannel` (seen with swift-nio 2.101).
final class ConnectionListener: Sendable {
    /// The stream of accepted connections, which finishes after ``stop()``.
    let connections: AsyncStream<UnixSocket>

    private let socket: ListeningSocket
    private let user: UInt32
    private let onRefusal: @Sendable () -> Void
    private let continuation: AsyncStream<UnixSocket>.Continuation
    private let queue = DispatchQueue(label: "store-server.listener")
    private let source: Mutex<any DispatchSourceRead>

    /// The delay before the next attempt to accept a connection when the process has no free descriptor.
    private static let retryDelay = DispatchTimeInterval.milliseconds(50)

    /// Starts to accept the connections to a unix socket.
    ///
    /// The socket is closed when the listener has stopped.
    ///
    /// - Parameters:
    ///   - user: the user whose connections are accepted.
    ///   - onRefusal: called after the connection of another user was closed.
    init(_ socket: ListeningSocket, user: UInt32, onRefusal: @escaping @Sendable () -> Void) {
        self.socket = socket
        self.user = user
        self.onRefusal = onRefusal
        (connections, continuation) = AsyncStream.makeStream()
        socket.unixSocket.setNonblocking()
        source = Mutex(DispatchSource.makeReadSource(fileDescriptor: socket.unixSocket.descriptor, queue: queue))
        source.withLock { source in
            source.setEventHandler { [weak self] in self?.acceptWaiting() }
            // Retains the socket, so that it is closed only when the source no longer watches its descriptor.
            source.setCancelHandler { withExtendedLifetime(socket) {} }
            source.resume()
        }
    }

    deinit { source.withLock { $0.cancel() } }

    /// Stops accepting connections to the unix socket; a second call has no effect.
    ///
    /// Connections in the queue are still accepted if this process created the socket. If systemd created it, those in
    /// the queue are left to the next daemon.
    func stop() {
        queue.async { [self] in
            guard !source.withLock({ $0.isCancelled }) else { return }
            if socket.removeFile() {
                // New connections are refused from here on, and accept(2) fails when the queue is empty.
                socket.unixSocket.stopListening()
                acceptWaiting()
            }
            source.withLock { $0.cancel() }
            continuation.finish()
        }
    }

    private func acceptWaiting() {
        while true {
            do {
                deliver(try socket.unixSocket.accept())
            } catch {
                switch error.errno {
                case .connectionAbort: continue
                case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noBufferSpace, .noMemory: return pause()
                default: return
                }
            }
        }
    }

    private func deliver(_ connection: UnixSocket) {
        guard connection.peerUser == user else { return onRefusal() }
        continuation.yield(connection)
    }

    /// Suspends accepting for a moment: the dispatch source would fire continuously while connections are waiting.
    private func pause() {
        source.withLock { $0.suspend() }
        queue.asyncAfter(deadline: .now() + Self.retryDelay) { [self] in source.withLock { $0.resume() } }
    }
}
