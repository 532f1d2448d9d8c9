import Synchronization

/// The bounded buffer of a streamed response's bytes, between the engine's thread and the reader of the stream.
///
/// The engine's thread never waits: it pauses the transfer when the buffer is full.
final class StreamBuffer: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isPaused = false
        var end: Result<Void, any Error>?
        var readers: [CheckedContinuation<[UInt8]?, any Error>] = []
    }
    private let state = Mutex(State())

    /// The transfer of a streamed response pauses once this many bytes are buffered.
    static let capacity = 256 << 10

    /// Appends received bytes to the stream's buffer; returns `false`, and appends nothing, where it is full.
    ///
    /// The transfer then has to pause until ``next(_:)`` resumes it.
    func offer(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            guard state.bytes.count < StreamBuffer.capacity else {
                state.isPaused = true
                return false
            }
            if state.readers.isEmpty {
                state.bytes.append(contentsOf: bytes)
            } else {
                // Resuming under the lock can't deadlock: it only schedules the reader, and no cancellation takes this lock.
                state.readers.removeFirst().resume(returning: Array(bytes))
            }
            return true
        }
    }

    /// Ends the stream after the buffered bytes, with an error or, for `nil`, successfully.
    func finish(_ failure: (any Error)?) {
        state.withLock { state in
            let end: Result<Void, any Error> = failure.map { .failure($0) } ?? .success(())
            state.end = end
            for reader in state.readers { reader.resume(with: end.map { nil }) }
            state.readers.removeAll()
        }
    }

    /// Removes and returns all buffered bytes of the stream, or waits for some; returns `nil` at the end of the stream.
    ///
    /// - Parameter more: called when the transfer was paused and may continue.
    /// - Throws: the error with which the stream ended, once all bytes are read.
    func next(_ more: @Sendable () -> Void) async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { continuation in
            let mayResume = state.withLock { state in
                if !state.bytes.isEmpty {
                    continuation.resume(returning: state.bytes)
                    state.bytes = []
                } else if let end = state.end {
                    continuation.resume(with: end.map { nil })
                } else {
                    state.readers.append(continuation)
                }
                defer { state.isPaused = false }
                return state.isPaused
            }
            if mayResume { more() }
        }
    }
}
