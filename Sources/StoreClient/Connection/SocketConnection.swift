import StoreModel
import StoreSystem

/// A connection to the daemon's unix socket, for tasks that wait without blocking a thread.
///
/// A task that waits for data holds no thread, and stops waiting when it is cancelled. The connection is closed when
/// the object is released; one task at a time may use it.
final class SocketConnection: Sendable {
    private let socket: UnixSocket
    /// The maximum number of bytes received at once: a buffer of more than 128 KiB would be mapped anew each time.
    private static let chunkSize = 64 << 10
    /// The time limit for waiting while the daemon's queue of connections is full.
    private static let patience: Duration = .seconds(5)

    private init(_ socket: UnixSocket) { self.socket = socket }

    /// Connects to the unix socket at which a daemon listens.
    ///
    /// - Throws: ``ConnectionError`` with the reason `notSent`; `daemon.foreign`; `CancellationError`.
    static func open(to address: DaemonSocket) async throws -> SocketConnection {
        let socket = try await connect(to: address.address)
        // Not known yet of a process whose queue of connections was full when the socket was found.
        try address.requireTrustedUser(socket.peerUser)
        return SocketConnection(socket)
    }

    /// Connects to a unix socket, and waits a while if the queue of connections there is full.
    ///
    /// - Throws: ``ConnectionError`` with the reason `notSent`; `CancellationError`.
    private static func connect(to address: UnixSocketAddress) async throws -> UnixSocket {
        let deadline = ContinuousClock.now + patience
        while true {
            do {
                let socket = try UnixSocket(isBlocking: false)
                try socket.connect(to: address)
                return socket
            } catch {
                // EAGAIN: the daemon's queue of connections is full.
                guard error.errno == .resourceTemporarilyUnavailable, ContinuousClock.now < deadline else {
                    throw ConnectionError(.notSent, error.errno)
                }
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Sends bytes to the daemon, all or as many as it reads: it may respond before it has read the whole request.
    ///
    /// - Parameters:
    ///   - files: open files for the daemon, which it gets with the first byte.
    ///   - limit: the time limit for the daemon to read each chunk.
    /// - Throws: ``ConnectionError``, `CancellationError`.
    func send(_ bytes: [UInt8], with files: [OpenFile] = [], within limit: Duration) async throws {
        var (rest, files) = (bytes[...], files)
        while !rest.isEmpty {
            do {
                rest = rest.dropFirst(try files.isEmpty ? socket.send(rest) : socket.send(rest, with: files))
                files = []
            } catch {
                switch error.errno {
                case .resourceTemporarilyUnavailable: try await wait(for: .room, within: limit)
                case .brokenPipe, .connectionReset: return
                case let errno: throw ConnectionError(.interrupted, errno)
                }
            }
        }
    }

    /// Returns the next bytes from the daemon, at least one; `nil` at the end of the connection.
    ///
    /// - Parameter limit: the maximum time in which the daemon may send nothing.
    /// - Throws: ``ConnectionError``, `CancellationError`.
    func receive(within limit: Duration) async throws -> [UInt8]? {
        while true {
            do {
                let bytes = try socket.receive(limit: Self.chunkSize)
                return bytes.isEmpty ? nil : bytes
            } catch {
                guard error.errno == .resourceTemporarilyUnavailable else {
                    throw ConnectionError(.interrupted, error.errno)
                }
            }
            try await wait(for: .bytes, within: limit)
        }
    }

    private func wait(for event: SocketWait.Event, within limit: Duration) async throws {
        let hasCome = await SocketWait().result(of: event, on: socket.descriptor, within: limit)
        try Task.checkCancellation()
        guard hasCome else { throw ConnectionError(.timedOut, "no bytes for \(Int(limit.seconds)) s") }
    }
}
