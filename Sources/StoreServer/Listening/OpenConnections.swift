import NIOCore
import Synchronization

/// The connections that are open now, so that an end can be told to all of them, and idleness seen.
final class OpenConnections: Sendable {
    private struct Connection {
        let channel: any Channel
        /// Whether a request has come on it.
        var hasAsked = false
    }

    private struct State {
        var connections: [ObjectIdentifier: Connection] = [:]
        var isFinishing = false
        var isClosed = false
        var lastChange = ContinuousClock.now
        /// Those that read events.
        var streams: [ObjectIdentifier: any Channel] = [:]
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.connections.count } }
    /// When a connection was last opened or closed.
    var lastChange: ContinuousClock.Instant { state.withLock { $0.lastChange } }
    /// How many of them read events.
    var eventStreams: Int { state.withLock { $0.streams.count } }

    /// Counts a connection until it is closed.
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

    /// Says that a request has come.
    ///
    /// - Returns: whether it comes in time; one that doesn't is to be answered so.
    func hear(_ channel: any Channel) -> Bool {
        state.withLock { state in
            state.connections[ObjectIdentifier(channel)]?.hasAsked = true
            return !state.isFinishing
        }
    }

    func addEventStream(_ channel: any Channel) {
        let isFinishing = state.withLock { state in
            state.streams[ObjectIdentifier(channel)] = channel
            return state.isFinishing
        }
        if isFinishing { Self.closeInput(of: channel) }
    }

    func removeEventStream(_ channel: any Channel) {
        state.withLock { $0.streams[ObjectIdentifier(channel)] = nil }
    }

    /// From now on requests come too late. What is being answered is answered; event streams, which would go on for ever,
    /// end. Who has connected and asked nothing yet may still ask, and be told: a connection that is closed instead
    /// leaves in doubt whether anything was done.
    func finish() {
        let asked = state.withLock { state in
            state.isFinishing = true
            return state.connections.values.filter(\.hasAsked)
        }
        for connection in asked { Self.closeInput(of: connection.channel) }
    }

    private static func closeInput(of channel: any Channel) {
        channel.eventLoop.execute {
            // One that has closed meanwhile has no half to close.
            channel.close(mode: channel.isActive ? .input : .all, promise: nil)
        }
    }

    /// Closes what has been asked on and is still open, whatever it is doing.
    func closeAsked() {
        let asked = state.withLock { $0.connections.values.filter(\.hasAsked) }
        for connection in asked { connection.channel.close(promise: nil) }
    }

    /// Closes what is left, and what still comes.
    func closeAll() {
        let left = state.withLock { state in
            state.isClosed = true
            return state.connections.values
        }
        for connection in left { connection.channel.close(promise: nil) }
    }
}
