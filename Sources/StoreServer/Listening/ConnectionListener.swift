import Dispatch
import StoreSystem
import Synchronization

/// Accepts the connections that come to a socket, and loses none of them at its end.
///
/// NIO's own listener leaves those that wait in its queue to be reset when it closes, so that a client doesn't know
/// whether it was heard, and gives up the one that it is setting up in that moment, which for an `NIOAsyncChannel` is a
/// fatal error (seen with swift-nio 2.101).
final class ConnectionListener: Sendable {
    /// The accepted connections; ends with ``stop()``.
    let arrivals: AsyncStream<UnixSocket>

    private let socket: ListeningSocket
    private let user: UInt32
    private let refused: @Sendable () -> Void
    private let continuation: AsyncStream<UnixSocket>.Continuation
    private let queue = DispatchQueue(label: "store-server.listener")
    private let source: Mutex<any DispatchSourceRead>

    /// How long the next are left waiting where the process has no descriptor left for one.
    private static let pause = DispatchTimeInterval.milliseconds(50)

    /// Takes over the socket's descriptor.
    ///
    /// - Parameters:
    ///   - user: whose connections are taken.
    ///   - refused: told of each of somebody else, which is closed.
    init(_ socket: ListeningSocket, user: UInt32, refused: @escaping @Sendable () -> Void) {
        self.socket = socket
        self.user = user
        self.refused = refused
        (arrivals, continuation) = AsyncStream.makeStream()
        socket.unixSocket.setNonblocking()
        source = Mutex(DispatchSource.makeReadSource(fileDescriptor: socket.unixSocket.descriptor, queue: queue))
        source.withLock { source in
            source.setEventHandler { [weak self] in self?.acceptWaiting() }
            // Closed only when the source no longer watches its descriptor.
            source.setCancelHandler { withExtendedLifetime(socket) {} }
            source.resume()
        }
    }

    deinit { source.withLock { $0.cancel() } }

    /// Lets nobody connect any more. Who has connected already still arrives, if the socket was made here; who waits at
    /// one of systemd's is left to the next daemon. Doing it twice is harmless.
    func stop() {
        queue.async { [self] in
            guard !source.withLock({ $0.isCancelled }) else { return }
            if socket.removeFile() {
                // Whoever has found the file is refused from here on, and accept fails when the queue is empty.
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
                take(try socket.unixSocket.accept())
            } catch {
                switch error.errno {
                case .connectionAbort: continue
                case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noBufferSpace, .noMemory: return rest()
                default: return
                }
            }
        }
    }

    private func take(_ connection: UnixSocket) {
        guard connection.peerUser == user else { return refused() }
        continuation.yield(connection)
    }

    /// The system would else tell of those who wait without a pause.
    private func rest() {
        source.withLock { $0.suspend() }
        queue.asyncAfter(deadline: .now() + Self.pause) { [self] in source.withLock { $0.resume() } }
    }
}
