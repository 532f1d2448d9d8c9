import StoreEvents
import StoreModel

/// An asynchronous sequence of the current value of some state and then its value after each change.
///
/// Each element differs from the one before. A slow reader receives the newest value and none of those in between. The
/// sequence ends when the ``StoreManager`` is closed, and when the task that reads it is cancelled. Each iterator
/// observes the state independently.
public struct CurrentValueSequence<Value: Sendable & Equatable>: AsyncSequence, Sendable {
    public typealias Element = Value

    let observations: Observations
    let read: @Sendable () async throws -> Value

    public func makeAsyncIterator() -> Iterator {
        Iterator(observations: observations.makeAsyncIterator(), read: read)
    }

    /// The iterator of a ``CurrentValueSequence``, which yields a state's current value and each changed one.
    public struct Iterator: AsyncIteratorProtocol {
        var observations: Observations.Iterator
        let read: @Sendable () async throws -> Value
        private var last: Value?

        init(observations: Observations.Iterator, read: @escaping @Sendable () async throws -> Value) {
            self.observations = observations
            self.read = read
        }

        /// Returns the next value of the observed state; `nil` at the end.
        ///
        /// - Throws: the error of reading the value. The next call waits for the next change.
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
    /// Whether the observed event may have changed the list of installed packs.
    fileprivate var mayChangePacks: Bool {
        switch self {
        case .snapshot: true
        case .event(let event): if case .pack = event.happening { true } else { false }
        }
    }
}
