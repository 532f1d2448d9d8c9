import Foundation
import Glibc
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

/// Connects a thousand event readers to one daemon, of which a hundred never read.
@Suite(.hangGuard) struct ManyReadersTests {
    private static let readers = 900
    private static let silent = 100

    @Test func `a client that never reads affects neither other clients nor the shutdown`() async throws {
        let products = (1...30).map { "pack-\($0)" }
        let store = try await TestStore()
        for (place, product) in products.enumerated() {
            try await store.add(product, files: ["01.webp": TestStore.bytes(30_000, seed: UInt64(place))])
        }
        try await store.publish()
        let server = try await NginxServer(serving: store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        let socket = home.path + "/run/stored.sock"

        let silent = try (0..<Self.silent).map { _ in try Self.open(socket) }
        defer { for descriptor in silent { close(descriptor) } }
        let crowd = try ReaderCrowd((0..<Self.readers).map { _ in try Self.open(socket) })
        let all = Double(Self.readers + Self.silent)
        while try await home.must("daemon", "status", "--json").json["observers"]?.number != all {}
        let daemon = try #require(home.daemonPID)
        let before = try Self.memory(of: daemon)

        for product in products { try await home.must("install", product, "--no-wait", "--quiet") }
        // The last event of all.
        for product in products {
            while try await home.must("info", product, "--json").json["pack"]?["productIdentifier"].text != product {}
        }
        try await home.must("uninstall", products[0])
        await crowd.until { $0.hasReceivedEnd }

        let received = crowd.received
        #expect(received.count == Self.readers)
        for product in products {
            let states = received[0].states[product] ?? []
            #expect(states.last == "Finished" && states.count { $0 == "Finished" } == 1, "\(product): \(states)")
        }
        // All readers received the same states of each download in the same order, with increasing numbers.
        for one in received {
            #expect(one.states == received[0].states)
            #expect(one.isInOrder)
        }
        // About 100 KiB for each connection, if all are behind; the events are in memory once for all of them.
        let (after, limit) = (try Self.memory(of: daemon), (Self.readers + Self.silent) * 128 << 10)
        #expect(!Sanitizers.canCheckMemory() || after - before < limit, "from \(before) to \(after) bytes")

        // The clients that never read are still connected.
        #expect(try await home.must("daemon", "status", "--json").json["observers"]?.number == all)
        await home.killDaemon(SIGTERM)
        while kill(daemon, 0) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        await crowd.until { $0.isEnded }
        // The daemon ends regularly and is not killed.
        #expect(FileManager.default.contents(atPath: home.path + "/data/stored.lock")?.isEmpty == true)
    }

    private static func open(_ socket: String) throws -> Int32 {
        let descriptor = DaemonWire.connect(socket)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        guard DaemonWire.send("GET /v1/events HTTP/1.1\r\nHost: stored\r\n\r\n", to: descriptor) else {
            throw POSIXError(.EPIPE)
        }
        return descriptor
    }

    /// Returns the resident memory of a process in bytes.
    private static func memory(of pid: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.filter(\.isNumber))) * 1024
    }
}

/// Many event readers on one thread.
private final class ReaderCrowd: Sendable {
    struct ReceivedEvents: Sendable {
        /// The states by product, without progress.
        var states: [String: [String]] = [:]
        var last = 0.0
        var isInOrder = true
        var hasReceivedEnd = false
        var isEnded = false
    }
    private let state: Mutex<[ReceivedEvents]>

    var received: [ReceivedEvents] { state.withLock { $0 } }

    init(_ descriptors: [Int32]) {
        state = Mutex(descriptors.map { _ in ReceivedEvents() })
        Thread.detachNewThread { [weak self] in
            var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            var pending = descriptors.map { _ in [UInt8]() }
            var known: [[UInt8]: JSONValue] = [:]
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while polled.contains(where: { $0.fd >= 0 }) {
                guard poll(&polled, nfds_t(polled.count), 100) >= 0, let self else { break }
                for place in polled.indices where polled[place].fd >= 0 && polled[place].revents != 0 {
                    let count = recv(polled[place].fd, &buffer, buffer.count, 0)
                    guard count > 0 else {
                        close(polled[place].fd)
                        polled[place].fd = -1
                        self.state.withLock { $0[place].isEnded = true }
                        continue
                    }
                    pending[place] += buffer[..<count]
                    self.record(&pending[place], at: place, &known)
                }
            }
            for entry in polled where entry.fd >= 0 { close(entry.fd) }
        }
    }

    /// Each event is a chunk of its own, so its lines are complete.
    ///
    /// All readers receive the same bytes, which are decoded once.
    private func record(_ pending: inout [UInt8], at place: Int, _ known: inout [[UInt8]: JSONValue]) {
        var rest = pending[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(rest[..<end])
            rest = rest[(end + 1)...]
            guard line.starts(with: "data: ".utf8) else { continue }
            let event =
                known[line] ?? (try? JSONDecoder().decode(JSONValue.self, from: Data(line.dropFirst(6)))) ?? .null
            known[line] = event
            state.withLock { $0[place].apply(event) }
        }
        pending = Array(rest)
    }

    func until(_ condition: @Sendable (ReceivedEvents) -> Bool) async {
        while !state.withLock({ $0.allSatisfy(condition) }) { try? await Task.sleep(for: .milliseconds(10)) }
    }
}

extension ReaderCrowd.ReceivedEvents {
    fileprivate mutating func apply(_ event: JSONValue) {
        let sequence = event["sequence"].number ?? 0
        isInOrder = isInOrder && sequence > last
        last = sequence
        if event["change"].text == "removed" { hasReceivedEnd = true }
        guard event["type"].text == "download", event["activity"].text != "transferring",
            let product = event["productIdentifier"].text, let state = event["state"].text
        else { return }
        states[product, default: []].append(state)
    }
}
