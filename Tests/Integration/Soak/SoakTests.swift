import Foundation
import Glibc
import StoreModel
import StoreTestSupport
import Testing

private let soakMinutes = ProcessInfo.processInfo.environment["STORECTL_TEST_SOAK"].flatMap { Int($0) }

/// Runs a hundred clients with all kinds of requests while packs are installed, changed and removed, with observers.
///
/// `STORECTL_TEST_SOAK` sets the duration in minutes (`scripts/soak`); without it each client runs for some seconds.
@Suite(.timeLimit(.minutes((soakMinutes ?? 0) + 20))) struct SoakTests {
    private static let clients = 100
    private static let workers = 4
    /// Products that only the workers install.
    private static let own = (0..<workers).map { "own-\($0)" }
    /// Products that all clients change.
    private static let shared = (0..<8).map { "shared-\($0)" }

    @Test func `a daemon under load neither fails nor grows`() async throws {
        let store = try await UpdateStore(Self.own + Self.shared) { identifier, version in
            [
                "VERSION": Data("\(version)".utf8),
                "01.webp": TestStore.bytes(20_000, seed: UInt64(identifier.utf8.reduce(0) { $0 + Int($1) } + version)),
            ]
        }
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try TestHome(settings: [
            "STORECTL_DAEMON_IDLE_TIMEOUT": "0", "STORECTL_LOG_LEVEL": "warning",
            // What a thread has freed and keeps for itself counts as allocated (mallinfo(3)), and differs from one
            // measurement to the next by more than the growth that a run excludes.
            "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0",
        ])
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        let socket = home.path + "/run/stored.sock"
        let daemon = try #require(home.daemonPID)

        let readers = (0..<10).map { SoakReader(socket, hangsUpAfter: $0 < 3 ? 200 * ($0 + 1) : nil) }
        // A reader that connects later would not know the running downloads.
        for reader in readers { while !reader.isConnected { try await Task.sleep(for: .milliseconds(5)) } }
        let rest = SoakRest()
        let growth = SoakGrowth(socket, rest, every: soakMinutes == nil ? 1 : 5)
        let end = soakMinutes.map { ContinuousClock.now + .seconds(60 * $0) }
        let calls = SoakCalls(socket, rest, until: end)
        let publisher = Task {
            // Each version stays published for a while, so that updates are available now and then.
            for number in 0..<Int.max {
                try store.show(number % 2 + 1)
                try await Task.sleep(for: .milliseconds(300))
            }
        }
        async let changing: Void = calls.run(Self.workers, rounds: 8) { client in
            try Self.installUpdateUninstall(Self.own[client.number], client)
        }
        async let asking: Void = calls.run(Self.clients, rounds: 40) { client in
            try Self.askAnything(of: server.url, client)
        }
        _ = await (changing, asking)
        publisher.cancel()
        try growth.stop()

        #expect(calls.faults.isEmpty, "of \(calls.calls): \(calls.faults.joined(separator: "\n"))")
        print("soak: \(calls.calls) calls, \(readers[9].known.events) events; \(growth)")
        if soakMinutes != nil { print("soak: seconds and allocated bytes: \(growth.series)") }
        print("soak: \(readers.map(\.known.restarts).reduce(0, +)) restarts of readers")

        // Remaining downloads end or stay paused.
        let last = try SoakClient(0, SoakConnection(socket), calls)
        for product in Self.shared { try last.ask(.cancel(product)) }
        let snapshot = try last.must("GET", "/v1/snapshot")
        let truth = Dictionary(
            uniqueKeysWithValues: snapshot["packs"].elements.map {
                ($0["productIdentifier"].text ?? "", $0["version"].text ?? "")
            })
        let operations = snapshot["downloads"].elements.compactMap { $0["operation"].text }
        #expect(Set(operations).count == operations.count, "each download is listed once")
        let sequence = UInt64(try #require(snapshot["sequence"].number))
        for reader in readers {
            while reader.known.last < sequence, reader.known.contradictions.isEmpty {
                try await Task.sleep(for: .milliseconds(5))
            }
            let known = reader.known
            #expect(known.contradictions.isEmpty)
            #expect(known.running.isEmpty)
            #expect(known.packs == truth)
            reader.stop()
        }
        let metrics = try MetricsDocument(
            String(decoding: try last.ask(SoakQuestion("GET", "/metrics")).body, as: UTF8.self))
        #expect(metrics["stored_request_errors_total", "code=internal.unexpected"] == nil)
        #expect(metrics["stored_download_errors_total", "code=internal.unexpected"] == nil)
        try growth.expectNone(isHour: soakMinutes.map { $0 >= 60 } ?? false)

        await home.killDaemon(SIGTERM)
        while kill(daemon, 0) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        // The daemon ends regularly and is not killed.
        #expect(FileManager.default.contents(atPath: home.path + "/data/stored.lock")?.isEmpty == true)
        #expect(home.entries("data/staging").isEmpty)
    }

    /// Installs, updates and uninstalls a pack that no other client changes.
    private static func installUpdateUninstall(_ product: String, _ client: SoakClient) throws {
        let wanted = #"{"productIdentifier":"\#(product)","store":"shop"}"#
        try client.finish(client.must("POST", "/v1/downloads", wanted))
        for result in try client.must("POST", "/v1/updates", #"{"productIdentifiers":["\#(product)"]}"#)["results"]
            .elements
        {
            // The installed version may be the newest.
            if result["operation"] != .null || result["error"] != .null { try client.finish(result) }
        }
        try client.must("PATCH", "/v1/packs/\(product)", #"{"held":true}"#)
        try client.must("PATCH", "/v1/packs/\(product)", #"{"held":false}"#)
        // There is a previous version only if an update was available.
        try client.ask(SoakQuestion("POST", "/v1/packs/\(product)/rollback", or: [.noPrevious]))
        let damages = try client.must("POST", "/v1/packs/\(product)/verify")["damages"]
        if !damages.elements.isEmpty { client.fault("damaged: \(damages)") }
        try client.must("DELETE", "/v1/packs/\(product)")
    }

    private static func askAnything(of store: String, _ client: SoakClient) throws {
        let product = shared.randomElement(using: &client.generator)!
        try client.ask(SoakQuestion.all(product, store).randomElement(using: &client.generator)!)
    }
}
