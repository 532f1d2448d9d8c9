import StoreModel
import Synchronization

/// The operations that users began, by whatever program, and the programs that show their ends; a notification reports the
/// ends that no program shows.
///
/// A program that shows the ends of the operations that it begins sends a name of its own with its requests
/// (`StoreAPI.viewerHeader`). It shows an end while it follows the events: a terminal that was closed, or a command that was
/// interrupted, shows nothing. The user of a web page may have left it, so that no page counts.
final class BegunOperations: Sendable {
    /// Who shows the end of an operation.
    private enum Viewers {
        /// The programs with these names; none for an operation that was begun without a name.
        case named(Set<String>)
        /// Any program that shows ends: a previous process of the daemon began the operation, and its program's name is lost.
        case any
    }

    /// A period in which a program followed the events.
    private struct Presence {
        let number: Int
        let viewer: String
        /// The number of the last event before the first one that the program gets.
        let start: UInt64
        /// The number of the last event when the program disconnected; `nil` while it is connected.
        var end: UInt64?
    }

    private struct State {
        var isReporting = false
        var operations: [OperationID: Viewers] = [:]
        /// In the order in which they began.
        var presences: [Presence] = []
        var lastNumber = 0

        mutating func makeRoom() {
            if operations.count >= BegunOperations.maximumCount { operations = [:] }
        }
    }

    /// The maximum number of operations; when it is reached, all are discarded, because one whose end comes before the request
    /// that began it has ended may never be removed.
    private static let maximumCount = 10_000
    /// The maximum number of periods that have ended and are kept: of an end that was published meanwhile, the notification
    /// is due later.
    private static let maximumEndedPresences = 1_000

    private let state = Mutex(State())

    /// Begins to record: without a desktop no end is reported, and nothing is kept.
    func beginReporting() { state.withLock { $0.isReporting = true } }

    /// Adds an operation that a request began or joined; nothing for `nil`.
    ///
    /// - Parameter viewer: the name of the program that sent the request; `nil` if it shows nothing.
    func insert(_ operation: OperationID?, viewer: String? = nil) {
        guard let operation else { return }
        state.withLock { state in
            guard state.isReporting else { return }
            state.makeRoom()
            var names: Set<String> = []
            if case .named(let known) = state.operations[operation] { names = known }
            if let viewer { names.insert(viewer) }
            state.operations[operation] = .named(names)
        }
    }

    /// Adds operations that a previous process of the daemon began, unless they are known.
    func insertResumed(_ operations: [OperationID]) {
        state.withLock { state in
            for operation in operations where state.operations[operation] == nil {
                state.makeRoom()
                state.operations[operation] = .any
            }
        }
    }

    /// Records that a program follows the events.
    ///
    /// - Parameters:
    ///   - viewer: the name of the program.
    ///   - sequence: the number of the last event before the first one that it gets.
    /// - Returns: the number for ``endPresence(_:at:)``.
    func beginPresence(of viewer: String, after sequence: UInt64) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            guard state.isReporting else { return state.lastNumber }
            state.presences.append(Presence(number: state.lastNumber, viewer: viewer, start: sequence))
            return state.lastNumber
        }
    }

    /// Records that a program has disconnected.
    ///
    /// - Parameter sequence: the number of the last event.
    func endPresence(_ number: Int, at sequence: UInt64) {
        state.withLock { state in
            guard let index = state.presences.firstIndex(where: { $0.number == number }) else { return }
            state.presences[index].end = sequence
            var excess = state.presences.count { $0.end != nil } - Self.maximumEndedPresences
            state.presences.removeAll { presence in
                guard presence.end != nil, excess > 0 else { return false }
                excess -= 1
                return true
            }
        }
    }

    /// Removes an operation that has ended, and returns whether its end has to be reported: a user began it, and no program
    /// shows its end.
    ///
    /// - Parameter sequence: the number of the event of its end.
    func remove(_ operation: OperationID, endedAt sequence: UInt64) -> Bool {
        state.withLock { state in
            guard let viewers = state.operations.removeValue(forKey: operation) else { return false }
            return !state.presences.contains { presence in
                guard presence.start < sequence, presence.end.map({ sequence <= $0 }) ?? true else { return false }
                return switch viewers {
                case .any: true
                case .named(let names): names.contains(presence.viewer)
                }
            }
        }
    }
}
