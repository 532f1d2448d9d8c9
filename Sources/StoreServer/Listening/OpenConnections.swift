import NIOCore
import StoreModel
import StoreSystem
import Synchronization

/// The registry of the daemon's open connections.
///
/// A shutdown closes the connections, and the idle timeout counts them.
final class OpenConnections: Sendable {
    private struct Connection {
        let channel: any Channel
        /// The open files that came with the first request, until that has its response; or why they were not received.
        var files: Result<[OpenFile], StoreError> = .success([])
        /// Whether an HTTP request was received on the connection.
        var isUsed = false
        /// Whether a request that may change something is being served.
        var isChanging = false
        /// Cancels the work for the request that is being served; `nil` if nothing has to be cancelled.
        var cancelWork: (@Sendable () -> Void)?
    }

    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        /// The waits for the first byte on accepted connections.
        var waits: [ObjectIdentifier: SocketWait] = [:]
        var isShuttingDown = false
        var isClosed = false
        var lastChange = ContinuousClock.now
        /// The connections that stream events to clients, as the identities of their channels.
        var streams: Set<ObjectIdentifier> = []
    }

    private let state = Mutex(State())
    private let closing = BlockingWork(label: "store-server.files")
    private let memory = FreedMemory()

    /// The number of the daemon's open connections.
    var count: Int { state.withLock { $0.connections.count + $0.waits.count } }
    /// Whether a request that may change something is being served.
    var isChanging: Bool { state.withLock { $0.connections.values.contains(where: \.isChanging) } }
    /// When a connection to the daemon was last opened or closed.
    var lastChange: ContinuousClock.Instant { state.withLock { $0.lastChange } }
    /// The number of connections that stream events to clients.
    var eventStreams: Int { state.withLock { $0.streams.count } }

    /// Waits for the first byte on an accepted connection.
    ///
    /// - Returns: `false` if the connection is to be closed without it.
    func firstByte(on socket: any ConnectedSocket) async -> Bool {
        let wait = SocketWait()
        let isClosed = state.withLock { state in
            if !state.isClosed { state.waits[ObjectIdentifier(wait)] = wait }
            state.lastChange = .now
            return state.isClosed
        }
        if isClosed { return false }
        defer {
            state.withLock { state in
                state.waits[ObjectIdentifier(wait)] = nil
                state.lastChange = .now
            }
        }
        return await wait.result(of: .bytes, on: socket.descriptor, within: nil)
    }

    /// Registers an open connection to the daemon, until it is closed.
    ///
    /// - Parameter files: the open files that came with the first request, or why they were not received.
    func add(_ channel: any Channel, with files: Result<[OpenFile], StoreError> = .success([])) {
        let isClosed = state.withLock { state in
            state.connections[ObjectIdentifier(channel)] = Connection(channel: channel, files: files)
            state.lastChange = .now
            return state.isClosed
        }
        channel.closeFuture.whenComplete { [self] _ in
            let closed = state.withLock { state in
                state.lastChange = .now
                return state.connections.removeValue(forKey: ObjectIdentifier(channel))
            }
            closed?.cancelWork?()
            self.close(closed?.files)
            memory.connectionDidClose()
        }
        if isClosed { channel.close(promise: nil) }
    }

    /// Records that an HTTP request was received on a connection.
    ///
    /// - Parameter mayChange: whether the request may change something, which a client must not repeat in doubt.
    /// - Returns: whether the request can be served; `false` during a shutdown.
    func recordRequest(on channel: any Channel, mayChange: Bool) -> Bool {
        state.withLock { state in
            state.connections[ObjectIdentifier(channel)]?.isUsed = true
            guard !state.isShuttingDown else { return false }
            state.connections[ObjectIdentifier(channel)]?.isChanging = mayChange
            return true
        }
    }

    /// Returns the open files that came with the HTTP request that is being served on a connection.
    ///
    /// - Throws: the reason why they could not be received.
    func files(of channel: any Channel) throws(StoreError) -> [OpenFile] {
        try state.withLock { $0.connections[ObjectIdentifier(channel)]?.files }?.get() ?? []
    }

    /// Cancels work for the HTTP request that is being served if the connection closes before the response is written.
    ///
    /// The work is released with the response: a client may keep its connection for hours.
    func cancelOnClose(of channel: any Channel, _ cancel: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            state.connections[ObjectIdentifier(channel)]?.cancelWork = cancel
            return state.connections[ObjectIdentifier(channel)] == nil
        }
        if isClosed { cancel() }
    }

    /// Records that the response to an HTTP request was written to its connection.
    ///
    /// During a shutdown, no further request is read from that connection.
    func recordResponse(on channel: any Channel) {
        let (isShuttingDown, files) = state.withLock { state in
            let files = state.connections[ObjectIdentifier(channel)]?.files
            state.connections[ObjectIdentifier(channel)]?.isChanging = false
            state.connections[ObjectIdentifier(channel)]?.cancelWork = nil
            state.connections[ObjectIdentifier(channel)]?.files = .success([])
            return (state.isShuttingDown, files)
        }
        close(files)
        if isShuttingDown { Self.closeInput(of: channel) }
    }

    /// Closes the files of a request, which may take long on some file systems (close(2) with FUSE).
    private func close(_ files: Result<[OpenFile], StoreError>?) {
        guard case .success(let files)? = files, !files.isEmpty else { return }
        closing.add { withExtendedLifetime(files) {} }
    }

    /// Registers a connection as one that streams events to a client.
    func addEventStream(_ channel: any Channel) {
        let isShuttingDown = state.withLock { state in
            state.streams.insert(ObjectIdentifier(channel))
            return state.isShuttingDown
        }
        if isShuttingDown { Self.closeInput(of: channel) }
    }

    /// Unregisters a connection that has stopped streaming events to a client.
    func removeEventStream(_ channel: any Channel) {
        _ = state.withLock { $0.streams.remove(ObjectIdentifier(channel)) }
    }

    /// Closes the event streams of the web listener, whose clients then have to prove again what they may receive.
    func closeWebStreams() {
        let streams = state.withLock { state in state.streams.compactMap { state.connections[$0]?.channel } }
        // A unix socket has no port.
        for channel in streams where channel.remoteAddress?.port != nil { channel.close(promise: nil) }
    }

    /// Refuses HTTP requests from now on, completes those that are being served, and ends event streams.
    ///
    /// A connection without a request stays open for a while, so that its request is refused with a response. Closing
    /// the connection would leave the client in doubt whether the request was executed.
    func beginShutdown() {
        let used = state.withLock { state in
            state.isShuttingDown = true
            return state.connections.values.filter { $0.isUsed && !$0.isChanging }
        }
        for connection in used { Self.closeInput(of: connection.channel) }
    }

    private static func closeInput(of channel: any Channel) {
        channel.eventLoop.execute {
            // One direction of a closed channel can't be closed.
            channel.close(mode: channel.isActive ? .input : .all, promise: nil)
        }
    }

    /// Closes the connections on which an HTTP request was received, whether or not the response is complete.
    ///
    /// Those whose request may change something stay open until the response is written: without it, the client would
    /// not know whether the change was made.
    func closeUsed() {
        let used = state.withLock { $0.connections.values.filter { $0.isUsed && !$0.isChanging } }
        for connection in used { connection.channel.close(promise: nil) }
    }

    /// Closes the connections on which no HTTP request was received, and from now on each one that is registered.
    func closeUnused() {
        let (unused, waits) = state.withLock { state in
            state.isClosed = true
            return (state.connections.values.filter { !$0.isUsed }, state.waits.values)
        }
        for connection in unused { connection.channel.close(promise: nil) }
        for wait in waits { wait.end() }
    }

    /// Closes all open connections to the daemon, and from now on each one that is registered.
    func closeAll() {
        let (open, waits) = state.withLock { state in
            state.isClosed = true
            return (state.connections.values, state.waits.values)
        }
        for connection in open { connection.channel.close(promise: nil) }
        for wait in waits { wait.end() }
    }
}
