import FoundationEssentials
import StoreEvents
import StoreModel
import Synchronization

/// Decides whether the user learns of the end of an installation without a notification.
///
/// A command in a terminal, or a chat application, reads events at the socket and shows the end itself. A user who began
/// an installation on a web page may have left the page, so that its end is always reported.
final class InstallFollowers: Sendable {
    /// A reader of events at the socket.
    struct Reader: Sendable {
        fileprivate let number: Int
    }

    private struct Reading {
        let filter: EventFilter
        /// When the reader stopped; `nil` while it reads.
        var end: Date?
    }

    private struct State {
        var readings: [Int: Reading] = [:]
        var last = 0
        var operationsOfPages: Set<OperationID> = []
    }

    /// The number of operations of pages from which on they are forgotten: those that ended are never removed singly.
    private static let maximumOperations = 10_000
    /// The time for which it is known what a reader that stopped has received.
    private static let memory: TimeInterval = 120

    private let state = Mutex(State())

    /// Records that a reader at the socket receives the events that match a filter, until ``endReading(_:at:)``.
    func beginReading(_ filter: EventFilter) -> Reader {
        state.withLock { state in
            state.last += 1
            state.readings[state.last] = Reading(filter: filter)
            return Reader(number: state.last)
        }
    }

    /// Records that a reader at the socket has stopped.
    func endReading(_ reader: Reader, at time: Date = Date()) {
        state.withLock { state in
            state.readings[reader.number]?.end = time
            state.readings = state.readings.filter { time.timeIntervalSince($0.value.end ?? time) < Self.memory }
        }
    }

    /// Records that an operation was begun on a web page.
    func beganOnPage(_ operation: OperationID) {
        state.withLock { state in
            if state.operationsOfPages.count >= Self.maximumOperations { state.operationsOfPages = [] }
            state.operationsOfPages.insert(operation)
        }
    }

    /// Returns whether the end of a download has to be reported to the user.
    ///
    /// A reader that stopped after the event has received it: a command ends with it.
    func needsReport(of event: Event) -> Bool {
        guard case .download(let status) = event.happening else { return false }
        return state.withLock { state in
            state.operationsOfPages.contains(status.operation)
                || !state.readings.values.contains { reading in
                    reading.filter.matches(event) && (reading.end.map { $0 >= event.time } ?? true)
                }
        }
    }
}
