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
        let home = try TestHome(settings: ["STORECTL_DAEMON_IDLE_TIMEOUT": "0", "STORECTL_LOG_LEVEL": "warning"])
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        let socket = home.path + "/run/stored.sock"
        let daemon = try #require(home.daemonPID)

        let readers = (0..<10).map { SoakReader(socket, hangsUpAfter: $0 < 3 ? 200 * ($0 + 1) : nil) }
        // A reader that connects later would not know the running downloads.
        for reader in readers { while !reader.isConnected { try await Task.sleep(for: .milliseconds(5)) } }
        let growth = SoakGrowth(socket)
        let end = soakMinutes.map { ContinuousClock.now + .seconds(60 * $0) }
        let calls = SoakCalls(socket, until: end)
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

        // Remaining downloads end or stay paused.
        let last = try SoakClient(0, SoakConnection(socket), calls)
        for product in Self.shared { try last.ask("DELETE", "/v1/downloads/\(product)") }
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
        let metrics = try MetricsDocument(String(decoding: try last.ask("GET", "/metrics").body, as: UTF8.self))
        #expect(metrics["stored_request_errors_total", "code=internal.unexpected"] == nil)
        #expect(metrics["stored_download_errors_total", "code=internal.unexpected"] == nil)
        growth.expectNone()

        await home.killDaemon(SIGTERM)
        while kill(daemon, 0) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        // The daemon ends regularly and is not killed.
        #expect(FileManager.default.contents(atPath: home.path + "/data/stored.lock")?.isEmpty == true)
        #expect(home.entries("data/staging").isEmpty)
    }

    /// Installs, updates and uninstalls a pack that no other client changes.
    private static func installUpdateUninstall(_ product: String, _ client: SoakClient) throws {
        let wanted = #"{"productIdentifier":"\#(product)","store":"shop"}"#
        try client.finish(client.must("POST", "/v1/downloads", wanted)["operation"])
        for result in try client.must("POST", "/v1/updates", #"{"productIdentifiers":["\#(product)"]}"#)["results"]
            .elements
        {
            try client.finish(result["operation"])
        }
        try client.must("PATCH", "/v1/packs/\(product)", #"{"held":true}"#)
        try client.must("PATCH", "/v1/packs/\(product)", #"{"held":false}"#)
        // There is a previous version only if an update was available.
        try client.ask("POST", "/v1/packs/\(product)/rollback")
        let damages = try client.must("POST", "/v1/packs/\(product)/verify")["damages"]
        if !damages.elements.isEmpty { try client.finish(.string("damaged: \(damages)")) }
        try client.must("DELETE", "/v1/packs/\(product)")
    }

    private static func askAnything(of store: String, _ client: SoakClient) throws {
        let product = shared.randomElement(using: &client.generator)!
        let (method, path, body) = questions(product, store).randomElement(using: &client.generator)!
        try client.ask(method, path, body)
    }

    /// Returns requests for every resource, including invalid ones.
    ///
    /// The store "spare" is the same as "shop", with lower priority.
    private static func questions(_ product: String, _ store: String) -> [(method: String, path: String, body: String?)]
    {
        let reading = [
            "/v1/status", "/metrics", "/v1/snapshot", "/v1/stores", "/v1/stores/shop", "/v1/stores/spare",
            "/v1/products", "/v1/products?words=shared&sort=newest", "/v1/products?kind=sticker&free=true",
            "/v1/products/shop/\(product)", "/v1/products/\(product)", "/v1/products/shop/none",
            "/v1/products/shop/\(product)/previews/0", "/v1/downloads", "/v1/downloads/\(product)",
            "/v1/operations?limit=20", "/v1/operations?product=\(product)", "/v1/operations/none", "/v1/packs",
            "/v1/packs?updatable=true", "/v1/packs/\(product)", "/v1/packs/\(product)/files/VERSION",
            "/v1/packs/\(product)/files/01.webp", "/v1/packs/\(product)/files/none", "/v1/updates", "/v1/purchases",
            "/v1/stickers", "/v1/stickers/\(product)", "/v1/config", "/v1/config/log.level", "/v1/config/none",
            "/v1/nothing", "/v1/packs/%zz", "/v1/operations?limit=many", "/v1/events?after=x",
        ]
        let wanted = #"{"productIdentifier":"\#(product)"}"#
        return reading.map { ("GET", $0, nil) } + [
            ("HEAD", "/v1/packs/\(product)", nil), ("HEAD", "/v1/packs/\(product)/files/01.webp", nil),
            ("POST", "/v1/downloads", wanted), ("POST", "/v1/downloads", wanted), ("POST", "/v1/downloads", wanted),
            ("POST", "/v1/downloads", #"{"productIdentifier":"none"}"#), ("POST", "/v1/downloads", "{"),
            ("PATCH", "/v1/downloads/\(product)", #"{"paused":true}"#),
            ("PATCH", "/v1/downloads/\(product)", #"{"paused":false,"priority":3}"#),
            ("PATCH", "/v1/downloads/\(product)", #"{"colour":1}"#), ("DELETE", "/v1/downloads/\(product)", nil),
            ("PATCH", "/v1/packs/\(product)", #"{"held":true}"#), ("PATCH", "/v1/packs/\(product)", #"{"held":false}"#),
            ("DELETE", "/v1/packs/\(product)", nil), ("DELETE", "/v1/packs/\(product)", nil),
            ("POST", "/v1/packs/\(product)/rollback", nil), ("POST", "/v1/packs/\(product)/verify", nil),
            ("POST", "/v1/packs/\(product)/repair", nil),
            ("POST", "/v1/updates", #"{"productIdentifiers":["\#(product)"]}"#), ("POST", "/v1/refresh", nil),
            ("POST", "/v1/stores", #"{"name":"spare","url":"\#(store)","unsigned":true,"priority":-1}"#),
            ("DELETE", "/v1/stores/spare", nil),
            ("PUT", "/v1/purchases/\(product)", nil), ("DELETE", "/v1/purchases/\(product)", nil),
            ("PUT", "/v1/config/log.level", #"{"value":"error"}"#), ("PUT", "/v1/config/log.level", #"{"value":"x"}"#),
            ("PUT", "/v1/status", nil),
        ]
    }
}
