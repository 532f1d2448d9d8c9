import StoreEvents
import StoreModel

/// What something is now, and what it is after each change: the present value first, then each that differs from the one
/// before. A reader that takes long gets the latest and none of those in between.
///
/// Ends when the engine is closed, and when the task that reads it is cancelled. Each iterator is an observer of its own.
public struct CurrentValueSequence<Value: Sendable & Equatable>: AsyncSequence, Sendable {
    public typealias Element = Value

    let observations: Observations
    let read: @Sendable () async throws -> Value

    public func makeAsyncIterator() -> Iterator {
        Iterator(observations: observations.makeAsyncIterator(), read: read)
    }

    public struct Iterator: AsyncIteratorProtocol {
        var observations: Observations.Iterator
        let read: @Sendable () async throws -> Value
        private var last: Value?

        init(observations: Observations.Iterator, read: @escaping @Sendable () async throws -> Value) {
            self.observations = observations
            self.read = read
        }

        /// The next value; `nil` at the end.
        ///
        /// - Throws: what reading it throws. Asking again waits for the next change.
        public mutating func next() async throws -> Value? {
            while let observation = try await observations.next() {
                guard observation.mayChangePacks else { continue }
                let value = try await read()
                if value == last { continue }
                last = value
                return value
            }
            return nil
        }
    }
}

extension Observation {
    /// Whether what is installed may be another than before.
    fileprivate var mayChangePacks: Bool {
        switch self {
        case .snapshot: true
        case .event(let event): if case .pack = event.happening { true } else { false }
        }
    }
}
