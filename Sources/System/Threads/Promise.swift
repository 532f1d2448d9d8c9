import Synchronization

/// A value that is set once, and for which one task waits, which may be cancelled.
public final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case kept(Value)
        case givenUp
    }
    private let state = Mutex(State.open)

    public init() {}

    /// Sets the promised value and resumes the task that waits for it; later calls have no effect.
    public func keep(_ value: Value) {
        let awaiting: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .open:
                state = .kept(value)
                return nil
            case .awaited(let continuation):
                state = .kept(value)
                return continuation
            case .kept, .givenUp: return nil
            }
        }
        awaiting?.resume(returning: value)
    }

    /// Waits until the promised value is set, and returns it; to be called once.
    ///
    /// - Throws: `CancellationError` where the task is cancelled before the value is set.
    public func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = state.withLock { state in
                    switch state {
                    case .open where !Task.isCancelled:
                        state = .awaited(continuation)
                        return nil
                    case .kept(let value): return .success(value)
                    case .open, .awaited, .givenUp: return .failure(CancellationError())
                    }
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let awaiting: CheckedContinuation<Value, any Error>? = state.withLock { state in
                switch state {
                case .open:
                    state = .givenUp
                    return nil
                case .awaited(let continuation):
                    state = .givenUp
                    return continuation
                case .kept, .givenUp: return nil
                }
            }
            awaiting?.resume(throwing: CancellationError())
        }
    }
}
