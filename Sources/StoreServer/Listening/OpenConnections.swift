import NIOCore
import Synchronization

/// The connections that are open now, so that an end can be told to all of them, and idleness seen.
final class OpenConnections: Sendable {
    private struct State {
        var listener: (any Channel)?
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isFinishing = false
        var lastChange = ContinuousClock.now
        var eventStreams = 0
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.channels.count } }
    /// When a connection was last opened or closed.
    var lastChange: ContinuousClock.Instant { state.withLock { $0.lastChange } }
    /// How many of them read events.
    var eventStreams: Int { state.withLock { $0.eventStreams } }

    /// Where they come from; it is closed when they are to finish.
    func setListener(_ channel: any Channel) {
        let isFinishing = state.withLock { state in
            state.listener = channel
            return state.isFinishing
        }
        if isFinishing { channel.close(promise: nil) }
    }

    /// Counts a connection until it is closed.
    func add(_ channel: any Channel) {
        let isFinishing = state.withLock { state in
            state.channels[ObjectIdentifier(channel)] = channel
            state.lastChange = .now
            return state.isFinishing
        }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { state in
                state.channels[ObjectIdentifier(channel)] = nil
                state.lastChange = .now
            }
        }
        if isFinishing { channel.close(promise: nil) }
    }

    func countEventStream(_ change: Int) {
        state.withLock { $0.eventStreams += change }
    }

    /// Takes no more connections, and no more requests on those that are open. What is being answered is answered;
    /// event streams, which would go on for ever, see the same as when their reader goes away, and end.
    func finish() {
        let (listener, channels) = state.withLock { state in
            state.isFinishing = true
            return (state.listener, state.channels)
        }
        listener?.close(promise: nil)
        for channel in channels.values {
            channel.eventLoop.execute {
                // One that was accepted in this very moment is not read from yet, and has no half to close.
                channel.close(mode: channel.isActive ? .input : .all, promise: nil)
            }
        }
    }

    /// Closes what is left, whatever it is doing.
    func closeAll() {
        for channel in state.withLock({ $0.channels }).values { channel.close(promise: nil) }
    }
}
