import NIOCore
import Synchronization

/// The registry of open connections, by which a shutdown reaches all of them and idleness is detected.
final class OpenConnections: Sendable {
    private struct Connection {
        let channel: any Channel
        /// Whether the connection has carried a request.
        var isUsed = false
    }

    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        var isShuttingDown = false
        var isClosed = false
        var lastChange = ContinuousClock.now
        /// The connections that stream events.
        var streams: [ObjectIdentifier: any Channel] = [:]
    }

    private let state = Mutex(State())

    /// The number of open connections.
    var count: Int { state.withLock { $0.connections.count } }
    /// When a connection was last opened or closed.
    var lastChange: ContinuousClock.Instant { state.withLock { $0.lastChange } }
    /// The number of connections that stream events.
    var eventStreams: Int { state.withLock { $0.streams.count } }

    /// Registers a connection until it is closed.
    func add(_ channel: any Channel) {
        let isClosed = state.withLock { state in
            state.connections[ObjectIdentifier(channel)] = Connection(channel: channel)
            state.lastChange = .now
            return state.isClosed
        }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { state in
                state.connections[ObjectIdentifier(channel)] = nil
                state.lastChange = .now
            }
        }
        if isClosed { channel.close(promise: nil) }
    }

    /// Records that a connection has carried a request.
    ///
    /// - Returns: whether the request can be served; `false` during a shutdown.
    func recordRequest(on channel: any Channel) -> Bool {
        state.withLock { state in
            state.connections[ObjectIdentifier(channel)]?.isUsed = true
            return !state.isShuttingDown
        }
    }

    /// Registers a connection as an event stream.
    func addEventStream(_ channel: any Channel) {
        let isShuttingDown = state.withLock { state in
            state.streams[ObjectIdentifier(channel)] = channel
            return state.isShuttingDown
        }
        if isShuttingDown { Self.closeInput(of: channel) }
    }

    /// Unregisters an event stream.
    func removeEventStream(_ channel: any Channel) {
        state.withLock { $0.streams[ObjectIdentifier(channel)] = nil }
    }

    /// Refuses requests from now on, completes those that are being served, and ends event streams.
    ///
    /// A connection without a request stays open for a while, so that its request is refused with a response. Closing the
    /// connection would leave the client in doubt whether the request was executed.
    func beginShutdown() {
        let used = state.withLock { state in
            state.isShuttingDown = true
            return state.connections.values.filter(\.isUsed)
        }
        for connection in used { Self.closeInput(of: connection.channel) }
    }

    private static func closeInput(of channel: any Channel) {
        channel.eventLoop.execute {
            // A half of a closed channel can't be closed.
            channel.close(mode: channel.isActive ? .input : .all, promise: nil)
        }
    }

    /// Closes the connections that have carried a request, whether or not the response is complete.
    func closeUsed() {
        let used = state.withLock { $0.connections.values.filter(\.isUsed) }
        for connection in used { connection.channel.close(promise: nil) }
    }

    /// Closes all connections, and those that are registered later.
    func closeAll() {
        let open = state.withLock { state in
            state.isClosed = true
            return state.connections.values
        }
        for connection in open { connection.channel.close(promise: nil) }
    }
}
