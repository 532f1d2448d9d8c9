import Dispatch
import Glibc
import Synchronization

/// A connection to the daemon. Whoever waits on it holds no thread, and stops waiting when its task is cancelled. Closed
/// when it is let go of; to be used by one task at a time.
final class SocketConnection: Sendable {
    private let descriptor: Int32
    private static let pieceSize = 256 << 10
    /// How long a daemon may be too busy to let anybody connect.
    private static let patience: Duration = .seconds(5)

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// - Throws: ``ConnectionError``, whose `isUnheard` says that nobody was asked anything.
    static func open(to socket: DaemonSocket) async throws -> SocketConnection {
        let descriptor = DaemonSocket.makeDescriptor()
        guard descriptor >= 0 else { throw ConnectionError(.unheard, number: errno) }
        let connection = SocketConnection(descriptor)
        let deadline = ContinuousClock.now + patience
        while socket.connect(descriptor) != 0 {
            let number = errno
            // So many wait to be let in that there is no more room.
            guard number == EAGAIN, ContinuousClock.now < deadline else {
                throw ConnectionError(.unheard, number: number)
            }
            try await Task.sleep(for: .milliseconds(2))
        }
        return connection
    }

    /// Sends all of the bytes, or as many as the daemon wants: it may have answered before it had read them.
    ///
    /// - Parameter limit: how long the daemon may take for each piece.
    func send(_ bytes: [UInt8], within limit: Duration) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: try await wait(for: .room, within: limit)
            case EPIPE, ECONNRESET: return
            case let number: throw ConnectionError(.interrupted, number: number)
            }
        }
    }

    /// The next bytes, at least one; `nil` at the end of the connection.
    ///
    /// - Parameter limit: how long the daemon may be silent.
    func receive(within limit: Duration) async throws -> [UInt8]? {
        while true {
            var number: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
                let received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                number = received < 0 ? errno : 0
                count = max(0, received)
            }
            switch number {
            case 0: return bytes.isEmpty ? nil : bytes
            case EINTR: continue
            case EAGAIN: try await wait(for: .bytes, within: limit)
            default: throw ConnectionError(.interrupted, number: number)
            }
        }
    }

    private func wait(for event: SocketWait.Event, within limit: Duration) async throws {
        let wait = SocketWait()
        let hasCome = await withTaskCancellationHandler {
            await withCheckedContinuation { wait.begin(for: event, on: descriptor, within: limit, $0) }
        } onCancel: {
            wait.end(hasCome: false)
        }
        try Task.checkCancellation()
        guard hasCome else { throw ConnectionError(.silent, "It has said nothing for \(limit.components.seconds) s.") }
    }
}

/// One wait for one event of a socket.
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

    /// - Parameter continuation: is told whether the event has come.
    func begin(
        for event: Event, on descriptor: Int32, within limit: Duration,
        _ continuation: CheckedContinuation<Bool, Never>
    ) {
        let come: @Sendable () -> Void = { self.end(hasCome: true) }
        let late: @Sendable () -> Void = { self.end(hasCome: false) }
        // From here on nothing looks at the descriptor any more, which may be closed then.
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
            timer.schedule(deadline: .now() + .seconds(Int(limit.components.seconds)))
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
