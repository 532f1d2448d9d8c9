import NIOCore
import Synchronization

/// The connections that are open now, so that an end can be told to all of them, and idleness seen.
final class OpenConnections: Sendable {
    private struct State {
        var listener: (any Channel)?
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isFinishing = false
        var isClosed = false
        var lastChange = ContinuousClock.now
        /// Those that read events.
        var streams: [ObjectIdentifier: any Channel] = [:]
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.channels.count } }
    /// When a connection was last opened or closed.
    var lastChange: ContinuousClock.Instant { state.withLock { $0.lastChange } }
    /// How many of them read events.
    var eventStreams: Int { state.withLock { $0.streams.count } }

    /// Where they come from; it is closed when they are to finish.
    func setListener(_ channel: any Channel) {
        let isClosed = state.withLock { state in
            state.listener = channel
            return state.isClosed
        }
        if isClosed { channel.close(promise: nil) }
    }

    /// Whether requests that come now come too late.
    var isFinishing: Bool { state.withLock { $0.isFinishing } }

    /// Counts a connection until it is closed.
    func add(_ channel: any Channel) {
        state.withLock { state in
            state.channels[ObjectIdentifier(channel)] = channel
            state.lastChange = .now
        }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { state in
                state.channels[ObjectIdentifier(channel)] = nil
                state.lastChange = .now
            }
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

    /// From now on requests come too late, and are to be answered so: a connection that is closed instead leaves who made
    /// it in doubt whether anything was done. Event streams, which would go on for ever, see the same as when their reader
    /// goes away, and end.
    func beginToFinish() {
        let streams = state.withLock { state in
            state.isFinishing = true
            return state.streams
        }
        for channel in streams.values { Self.closeInput(of: channel) }
    }

    /// Takes no more connections.
    func closeListener() {
        let listener = state.withLock { state in
            state.isClosed = true
            return state.listener
        }
        listener?.close(promise: nil)
    }

    /// Takes no more connections, and no more requests on those that are open. What is being answered is answered.
    func finish() {
        beginToFinish()
        closeListener()
        for channel in state.withLock({ $0.channels }).values { Self.closeInput(of: channel) }
    }

    private static func closeInput(of channel: any Channel) {
        channel.eventLoop.execute {
            // One that was accepted in this very moment is not read from yet, and has no half to close.
            channel.close(mode: channel.isActive ? .input : .all, promise: nil)
        }
    }

    /// Closes what is left, whatever it is doing.
    func closeAll() {
        for channel in state.withLock({ $0.channels }).values { channel.close(promise: nil) }
    }
}
