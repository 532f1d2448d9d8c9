import Foundation
import StoreModel
import Synchronization

/// A client that reads the events of a daemon until the daemon ends.
final class EventWitness: Sendable {
    private struct State {
        var events: [ReceivedEvent] = []
        var problem: String?
        var isOver = false
        var waiting: CheckedContinuation<Void, Never>?
    }
    private let state = Mutex(State())

    /// Subscribes to the events of a home's daemon.
    ///
    /// - Parameter record: a recording in which each event is noted when it is received.
    init(of home: String, record: String? = nil) {
        Thread.detachNewThread { self.read(home, record) }
    }

    private func read(_ home: String, _ record: String?) {
        do {
            let stream = try WireEvents("/v1/events", at: home + "/run/stored.sock")
            while let text = try stream.next() {
                guard let event = ReceivedEvent(Data(text.utf8)) else { continue }
                if let record { try RecordedCall.note(.received, Data(text.utf8), in: record) }
                state.withLock { $0.events.append(event) }
            }
        } catch {
            state.withLock { $0.problem = "\(error)" }
        }
        let waiting = state.withLock { state in
            state.isOver = true
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Waits for the end of the daemon, and returns the received events.
    func received() async throws -> [ReceivedEvent] {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.waiting = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
        return try state.withLock { state in
            if let problem = state.problem { throw CrashWorker.Wrong(description: "the client of events: \(problem)") }
            return state.events
        }
    }
}

/// The events of a daemon after a crash.
extension CrashWorker {
    /// Subscribes to the events of the running daemon, and returns once the daemon has the subscription.
    func startWitness(record: String? = nil) async throws -> EventWitness {
        let witness = EventWitness(of: home, record: record)
        let deadline = ContinuousClock.now + Self.patience
        while try await client.status().observers != 1 {
            guard ContinuousClock.now < deadline else { throw Hangs(what: "the client of events is not there") }
            try await Task.sleep(for: .milliseconds(2))
        }
        return witness
    }

    /// Checks that no event's number was used twice, and that a client which continues misses no event in silence.
    ///
    /// - Parameters:
    ///   - received: the events that a client had received before the crash.
    ///   - mayBeGone: whether the daemon may report that earlier events have expired.
    func checkEvents(_ received: [ReceivedEvent], mayBeGone: Bool) async throws {
        let known = Dictionary(received.map { ($0.sequence, $0) }) { first, _ in first }
        guard known.count == received.count else { throw Wrong(description: "an event's number twice: \(received)") }
        guard let last = received.last?.sequence, let first = received.first?.sequence else { return }
        let newest = try await client.status().sequence ?? 0
        guard newest >= last else {
            throw Wrong(description: "numbers begin again at \(newest), and a client has received \(last)")
        }
        for event in journaledEvents() where event.sequence <= last {
            guard known[event.sequence]?.json ?? event.json == event.json else {
                throw Wrong(description: "another event \(event), a client has received \(known[event.sequence]!)")
            }
        }
        for cursor in [first, received[received.count / 2].sequence, last] {
            try checkReplay(after: cursor, received.filter { $0.sequence > cursor }, mayBeGone: mayBeGone)
        }
    }

    private func checkReplay(after cursor: UInt64, _ expected: [ReceivedEvent], mayBeGone: Bool) throws {
        let expected = expected.filter { !$0.isProgress }
        let stream = try WireEvents(
            "/v1/events?after=\(cursor)", at: home + "/run/stored.sock", limit: Int(Self.patience.components.seconds))
        switch try stream.status() {
        case 200: break
        case 410 where mayBeGone: return
        case let status: throw Wrong(description: "a client that continues after \(cursor) is answered \(status)")
        }
        var rest = expected[...]
        while let wanted = rest.first {
            guard let event = try stream.next().flatMap({ ReceivedEvent(Data($0.utf8)) }) else {
                throw Wrong(description: "after \(cursor), the event is missing: \(wanted)")
            }
            guard event.sequence > cursor, event.sequence <= wanted.sequence else {
                throw Wrong(description: "after \(cursor), \(wanted) is skipped: \(event)")
            }
            if event.sequence == wanted.sequence {
                guard event.json == wanted.json else {
                    throw Wrong(description: "after \(cursor), \(wanted) is another event now: \(event)")
                }
                rest.removeFirst()
            } else if !event.isProgress {
                throw Wrong(description: "after \(cursor), an event that was not published: \(event)")
            }
        }
    }

    /// Returns the events in the files of the event journal.
    private func journaledEvents() -> [ReceivedEvent] {
        ["events.0", "events.1"].flatMap { name in
            let data = FileManager.default.contents(atPath: home + "/data/" + name) ?? Data()
            // A header, then on each line a number, the event's subject and the event.
            return data.split(separator: UInt8(ascii: "\n")).compactMap { line in
                line.firstIndex(of: UInt8(ascii: "{")).flatMap { ReceivedEvent(Data(line[$0...])) }
            }
        }
    }
}
