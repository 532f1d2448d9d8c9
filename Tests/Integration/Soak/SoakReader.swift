import Foundation
import Glibc
import StoreModel
import Synchronization

/// Reads events for hours, and keeps only the state that results from them.
final class SoakReader: Sendable {
    struct Known: Sendable {
        /// The running downloads.
        var running: Set<String> = []
        /// The version of each pack.
        var packs: [String: String] = [:]
        var last: UInt64 = 0
        var events = 0
        /// How often the reader was so far behind that it had to begin with a snapshot.
        var restarts = 0
        /// Events that contradict the state.
        var contradictions: [String] = []
    }
    private let state = Mutex((known: Known(), isConnected: false, isStopped: false))

    var known: Known { state.withLock { $0.known } }
    var isConnected: Bool { state.withLock { $0.isConnected } }

    /// Connects to a daemon.
    ///
    /// On a busy machine it may be behind by more events than the daemon keeps. Then it begins anew, as clients do.
    ///
    /// - Parameter hangsUpAfter: the number of events after which it reconnects, with the last one as cursor.
    init(_ socket: String, hangsUpAfter: Int? = nil) {
        Thread.detachNewThread { [weak self] in
            while let self, !self.state.withLock({ $0.isStopped }) {
                self.read(socket, atMost: hangsUpAfter ?? Int.max)
                usleep(2000)
            }
        }
    }

    func stop() { state.withLock { $0.isStopped = true } }

    private func read(_ socket: String, atMost limit: Int) {
        let descriptor = DaemonWire.connect(socket)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // A short timeout, so that it notices soon when it is stopped.
        var wait = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        let last = known.last
        let after = last > 0 ? "Last-Event-ID: \(last)\r\n" : ""
        guard DaemonWire.send("GET /v1/events HTTP/1.1\r\nHost: stored\r\n\(after)\r\n", to: descriptor) else { return }
        var pending = Data()
        var received = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !state.withLock({ $0.isStopped }) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EAGAIN || errno == EINTR { continue }
            guard count > 0 else { return }
            state.withLock { $0.isConnected = true }
            pending += buffer[..<count]
            // Each event is a chunk of its own, so its lines are complete.
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let line = pending[..<end]
                if line.starts(with: Data("data: ".utf8)) {
                    let event = try? JSONDecoder().decode(JSONValue.self, from: line.dropFirst(6))
                    state.withLock { $0.known.apply(event ?? .null) }
                    received += 1
                } else if line.starts(with: Data("HTTP/1.1 410 ".utf8)) {
                    return restart(socket, after: last)
                } else if line.starts(with: Data("HTTP/1.1 ".utf8)), !line.starts(with: Data("HTTP/1.1 200".utf8)) {
                    state.withLock {
                        $0.known.contradictions.append("after \(last): " + String(decoding: line, as: UTF8.self))
                        $0.isStopped = true
                    }
                }
                pending = Data(pending[(end + 1)...])
            }
            if received >= limit { return }
        }
    }

    /// Takes the state from a snapshot, after the daemon has refused to send the events after an old one.
    private func restart(_ socket: String, after last: UInt64) {
        do {
            let snapshot = try SoakConnection(socket).ask("GET", "/v1/snapshot").json
            state.withLock { $0.known.restart(from: snapshot, after: last) }
        } catch {
            state.withLock { $0.known.contradictions.append("no snapshot: \(error)") }
        }
    }
}

extension SoakReader.Known {
    /// The number of events that the daemon keeps at least.
    private static let keptEvents: UInt64 = 10_000

    fileprivate mutating func restart(from snapshot: JSONValue, after last: UInt64) {
        self.last = UInt64(snapshot["sequence"].number ?? 0)
        if self.last < last + Self.keptEvents {
            contradictions.append("events after \(last) were not kept, although \(self.last) is the last")
        }
        restarts += 1
        let downloads = snapshot["downloads"].elements.filter { !Self.ends.contains($0["state"].text ?? "") }
        running = Set(downloads.compactMap { $0["operation"].text })
        packs = Dictionary(
            uniqueKeysWithValues: snapshot["packs"].elements.map {
                ($0["productIdentifier"].text ?? "", $0["version"].text ?? "")
            })
    }

    private static let ends = ["Finished", "Cancelled", "Failed"]

    fileprivate mutating func apply(_ event: JSONValue) {
        events += 1
        let sequence = UInt64(event["sequence"].number ?? 0)
        if sequence <= last { contradictions.append("\(sequence) after \(last)") }
        last = sequence
        let product = event["productIdentifier"].text ?? ""
        switch event["type"].text {
        case "download":
            let operation = event["operation"].text ?? ""
            if !Self.ends.contains(event["state"].text ?? "") {
                running.insert(operation)
            } else if running.remove(operation) == nil {
                contradictions.append("\(product): \(operation) ended twice, or never began")
            }
        case "pack":
            switch event["change"].text {
            case "removed": packs[product] = nil
            case "installed", "updated": packs[product] = event["version"].text ?? ""
            default: break
            }
        default: break
        }
    }
}
