import Dispatch
import StoreModel
import StoreSystem
import Synchronization

/// A connection to the daemon's unix socket, for tasks that wait without blocking a thread.
///
/// A task that waits for data holds no thread, and stops waiting when it is cancelled. The connection is closed when
/// the object is released; one task at a time may use it.
final class SocketConnection: Sendable {
    private let socket: UnixSocket
    private static let chunkSize = 256 << 10
    /// The time limit for waiting while the daemon's queue of connections is full.
    private static let patience: Duration = .seconds(5)

    private init(_ socket: UnixSocket) { self.socket = socket }

    /// Connects to the unix socket at which a daemon listens.
    ///
    /// - Throws: ``ConnectionError`` with the reason `notSent`; `CancellationError`.
    static func open(to address: DaemonSocket) async throws -> SocketConnection {
        let deadline = ContinuousClock.now + patience
        while true {
            do {
                let socket = try UnixSocket(isBlocking: false)
                try socket.connect(to: address.address)
                return SocketConnection(socket)
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
    /// - Parameter limit: the time limit for the daemon to read each chunk.
    /// - Throws: ``ConnectionError``, `CancellationError`.
    func send(_ bytes: [UInt8], within limit: Duration) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            do {
                rest = rest.dropFirst(try socket.send(rest))
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
        let wait = SocketWait()
        let hasCome = await withTaskCancellationHandler {
            await withCheckedContinuation { wait.begin(for: event, on: socket.descriptor, within: limit, $0) }
        } onCancel: {
            wait.end(hasCome: false)
        }
        try Task.checkCancellation()
        guard hasCome else { throw ConnectionError(.timedOut, "no bytes for \(Int(limit.seconds)) s") }
    }
}

/// A single wait, without blocking a thread, until a socket can be read or written.
private final class SocketWait: Sendable {
    enum Event { case bytes, room }

    private struct State {
        var reading: (any DispatchSourceRead)?
        var writing: (any DispatchSourceWrite)?
        var timer: (any DispatchSourceTimer)?
        var hasCome: Bool?
    }

    private let state = Mutex(State())
    private static let queue = DispatchQueue(label: "store-client.sockets")

    /// Begins to wait until the socket can be read or written.
    ///
    /// - Parameter continuation: resumed with whether the event occurred: `false` after the time limit or a
    ///   cancellation.
    func begin(
        for event: Event, on descriptor: Int32, within limit: Duration,
        _ continuation: CheckedContinuation<Bool, Never>
    ) {
        let come: @Sendable () -> Void = { self.end(hasCome: true) }
        let late: @Sendable () -> Void = { self.end(hasCome: false) }
        // From here on the descriptor is not used any more, so that it may be closed after the continuation is resumed.
        let over: @Sendable () -> Void = { continuation.resume(returning: self.hasCome) }
        let isOver = state.withLock { state in
            guard state.hasCome == nil else { return true }
            switch event {
            case .bytes:
                let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
                source.setEventHandler(handler: come)
                source.setCancelHandler(handler: over)
                source.resume()
                state.reading = source
            case .room:
                let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: Self.queue)
                source.setEventHandler(handler: come)
                source.setCancelHandler(handler: over)
                source.resume()
                state.writing = source
            }
            let timer = DispatchSource.makeTimerSource(queue: Self.queue)
            timer.schedule(deadline: .now() + .milliseconds(Int(limit.seconds * 1000)))
            timer.setEventHandler(handler: late)
            timer.resume()
            state.timer = timer
            return false
        }
        if isOver { continuation.resume(returning: false) }
    }

    private var hasCome: Bool { state.withLock { $0.hasCome == true } }

    func end(hasCome: Bool) {
        state.withLock { state in
            guard state.hasCome == nil else { return }
            state.hasCome = hasCome
            state.reading?.cancel()
            state.writing?.cancel()
            state.timer?.cancel()
        }
    }
}
