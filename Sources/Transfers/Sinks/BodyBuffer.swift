import Synchronization

/// The bytes between the engine's thread, which never waits, and a reader that may take its time.
final class BodyBuffer: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var isPaused = false
        var end: Result<Void, any Error>?
        var readers: [CheckedContinuation<[UInt8]?, any Error>] = []
    }
    private let state = Mutex(State())

    /// No more is taken while this many bytes wait.
    static let capacity = 256 << 10

    /// `false` where the buffer is full; the transfer is then to pause until ``take(_:)`` asks for more.
    func offer(_ bytes: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            guard state.bytes.count < BodyBuffer.capacity else {
                state.isPaused = true
                return false
            }
            if state.readers.isEmpty {
                state.bytes.append(contentsOf: bytes)
            } else {
                // Resuming schedules the reader, under a lock of the runtime's. No cancellation asks for this lock.
                state.readers.removeFirst().resume(returning: Array(bytes))
            }
            return true
        }
    }

    func finish(_ failure: (any Error)?) {
        state.withLock { state in
            let end: Result<Void, any Error> = failure.map { .failure($0) } ?? .success(())
            state.end = end
            for reader in state.readers { reader.resume(with: end.map { nil }) }
            state.readers.removeAll()
        }
    }

    /// All that has come, or waits for something to come; `nil` at the end.
    ///
    /// - Parameter more: called where the transfer was paused and may go on.
    func take(_ more: @Sendable () -> Void) async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { continuation in
            let mayGoOn = state.withLock { state in
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
            if mayGoOn { more() }
        }
    }
}

/// Puts a body into a buffer, and tells of the answer as soon as its headers are here.
final class StreamSink: BodySink {
    private let request: TransferRequest
    private let buffer: BodyBuffer
    private var waiting: CheckedContinuation<TransferResponse, any Error>?
    private var count = 0

    init(_ request: TransferRequest, _ buffer: BodyBuffer, waiting: CheckedContinuation<TransferResponse, any Error>) {
        self.request = request
        self.buffer = buffer
        self.waiting = waiting
    }

    func begin(_ response: TransferResponse) throws {
        waiting?.resume(returning: response)
        waiting = nil
    }

    func receive(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        if let limit = request.sizeLimit, count + bytes.count > limit {
            throw TransferError.tooLong(request.url, limit: limit)
        }
        guard buffer.offer(bytes) else { return false }
        count += bytes.count
        return true
    }

    func end(_ failure: (any Error)?) {
        buffer.finish(failure)
        waiting?.resume(
            throwing: failure ?? TransferError.badAnswer(request.url, "it has no headers", isTransient: true))
        waiting = nil
    }
}
