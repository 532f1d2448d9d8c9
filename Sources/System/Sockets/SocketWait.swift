import Dispatch
import StoreModel
import Synchronization

/// A single wait, without blocking a thread, until a socket can be read or written.
///
/// ```swift
/// let wait = SocketWait()
/// let hasBytes = await wait.result(of: .bytes, on: socket.descriptor, within: .seconds(5))
/// ```
public final class SocketWait: Sendable {
    /// What a wait can be for: bytes to read, or room for bytes to write.
    public enum Event: Sendable { case bytes, room }

    private struct State {
        var reading: (any DispatchSourceRead)?
        var writing: (any DispatchSourceWrite)?
        var timer: (any DispatchSourceTimer)?
        var hasOccurred: Bool?
    }

    private let state = Mutex(State())
    private static let queue = DispatchQueue(label: "system.sockets")

    /// Creates a wait that has not begun.
    public init() {}

    /// Waits until the socket can be read or written.
    ///
    /// - Parameters:
    ///   - descriptor: the socket, which has to stay open until the method returns.
    ///   - limit: the time limit; `nil` for none.
    /// - Returns: whether the event occurred: `false` after the time limit, ``end()`` or the cancellation of the task.
    public func result(of event: Event, on descriptor: Int32, within limit: Duration?) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { begin(for: event, on: descriptor, within: limit, $0) }
        } onCancel: {
            end()
        }
    }

    /// Ends the wait without the event; a wait that has not begun then ends at once.
    public func end() { end(hasOccurred: false) }

    private func begin(
        for event: Event, on descriptor: Int32, within limit: Duration?,
        _ continuation: CheckedContinuation<Bool, Never>
    ) {
        let occurred: @Sendable () -> Void = { self.end(hasOccurred: true) }
        // From here on the descriptor is not used any more, so that it may be closed after the continuation is resumed.
        let ended: @Sendable () -> Void = { continuation.resume(returning: self.hasOccurred) }
        let isOver = state.withLock { state in
            guard state.hasOccurred == nil else { return true }
            switch event {
            case .bytes:
                let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Self.queue)
                source.setEventHandler(handler: occurred)
                source.setCancelHandler(handler: ended)
                source.resume()
                state.reading = source
            case .room:
                let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: Self.queue)
                source.setEventHandler(handler: occurred)
                source.setCancelHandler(handler: ended)
                source.resume()
                state.writing = source
            }
            guard let limit else { return false }
            let timer = DispatchSource.makeTimerSource(queue: Self.queue)
            timer.schedule(deadline: .now() + .milliseconds(Int(limit.seconds * 1000)))
            timer.setEventHandler { self.end(hasOccurred: false) }
            timer.resume()
            state.timer = timer
            return false
        }
        if isOver { continuation.resume(returning: false) }
    }

    private var hasOccurred: Bool { state.withLock { $0.hasOccurred == true } }

    private func end(hasOccurred: Bool) {
        state.withLock { state in
            guard state.hasOccurred == nil else { return }
            state.hasOccurred = hasOccurred
            state.reading?.cancel()
            state.writing?.cancel()
            state.timer?.cancel()
        }
    }
}
