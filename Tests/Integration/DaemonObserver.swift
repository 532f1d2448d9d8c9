import Foundation
import StoreModel
import Synchronization

/// Records all events of a home's daemons from the socket, without the client's code.
///
/// It reconnects to each daemon, and records an event once for each time that it was sent.
final class DaemonObserver: Sendable {
    struct Seen: Sendable {
        let event: JSONValue
        /// The number of the connection, counted from 1.
        let connection: Int
        var sequence: UInt64 { UInt64(event["sequence"].number ?? 0) }
    }

    private struct State {
        var seen: [Seen] = []
        var connections = 0
        var isStopped = false
        var waiting: [(condition: @Sendable ([Seen]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }
    private let state = Mutex(State())
    private let path: String

    init(of home: TestHome) {
        path = home.path + "/run/stored.sock"
        Thread.detachNewThread { [weak self] in
            while let self, !self.state.withLock({ $0.isStopped }) {
                self.readOneConnection()
                // Waits for the next daemon.
                usleep(5000)
            }
        }
    }

    /// All events so far.
    var seen: [Seen] { state.withLock { $0.seen } }

    /// Waits until the recorded events meet a condition.
    func until(_ condition: @escaping @Sendable ([Seen]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if condition(state.seen) { return true }
                state.waiting.append((condition, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    /// Waits until it is connected to a daemon, so that later events are recorded.
    func untilConnected() async {
        await until { _ in true }
        while state.withLock({ $0.connections }) == 0 { try? await Task.sleep(for: .milliseconds(2)) }
    }

    func stop() { state.withLock { $0.isStopped = true } }

    private func readOneConnection() {
        let socket = DaemonWire.connect(path)
        guard socket >= 0 else { return }
        defer { close(socket) }
        guard DaemonWire.send("GET /v1/events HTTP/1.1\r\nHost: stored\r\n\r\n", to: socket) else { return }
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var connection = 0
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            if connection == 0 {
                connection = state.withLock { state in
                    state.connections += 1
                    return state.connections
                }
            }
            pending += buffer[..<count]
            // Each event is a chunk of its own, so its lines are complete.
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = pending[..<end]
                pending.removeSubrange(...end)
                guard line.starts(with: Array("data: ".utf8)),
                    let event = try? JSONDecoder().decode(JSONValue.self, from: Data(line.dropFirst(6)))
                else { continue }
                take(Seen(event: event, connection: connection))
            }
        }
    }

    private func take(_ seen: Seen) {
        let met = state.withLock { state in
            state.seen.append(seen)
            let met = state.waiting.filter { $0.condition(state.seen) }
            state.waiting.removeAll { $0.condition(state.seen) }
            return met
        }
        for (_, continuation) in met { continuation.resume() }
    }
}
