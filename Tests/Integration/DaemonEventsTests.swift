import Foundation
import StoreClient
import StoreModel
import StoreTestSupport
import Testing

/// Tests event streams across restarts of the daemon.
@Suite struct DaemonEventsTests {
    @Test func `watch prints the states of an installation in order, with one end`() async throws {
        let store = try await UpdateStore("cups")
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        let watch = try home.startStorectl("watch", "--json")
        let one = try home.startStorectl("watch", "cups", "--json")
        try await observers(of: home, are: 2)
        try await home.must("install", "cups")
        try await home.must("uninstall", "cups")

        // A stream for one product ends with its download.
        let ended = try await one.result()
        #expect(ended.exit == 0, "\(ended)")
        let lines = try events(ended.output)
        #expect(lines.allSatisfy { $0["productIdentifier"].text == "cups" })
        let order = ["Initializing", "Downloading", "Downloaded", "Finished"]
        let states = lines.filter { $0["type"].text == "download" }.compactMap { $0["state"].text }
        #expect(states == states.sorted { order.firstIndex(of: $0)! < order.firstIndex(of: $1)! })
        #expect(Set(states) == Set(order))
        #expect(states.count { $0 == "Finished" } == 1)
        #expect(lines.last?["state"].text == "Finished")

        // A stream for all products continues until it is interrupted.
        while !watch.output.contains("\"removed\"") { try await Task.sleep(for: .milliseconds(5)) }
        watch.signal(SIGINT)
        let all = try await watch.result()
        #expect(all.exit == 130)
        let sequences = try events(all.output).compactMap { $0["sequence"].number }
        #expect(sequences == sequences.sorted() && Set(sequences).count == sequences.count)
        let changes = try events(all.output).filter { $0["type"].text == "pack" }.map { $0["change"].text }
        #expect(changes == ["installed", "removed"])
    }

    @Test func `watch of a download that fails or is cancelled has its exit code`() async throws {
        let store = try await TestStore()
        try await store.add("cups", files: ["01.webp": TestStore.bytes(50_000, seed: 1)])
        try await store.publish()
        let origin = try Origin()
        origin.serve(folder: store.publicPath)
        let archive =
            "/archives/" + (try FileManager.default.contentsOfDirectory(atPath: store.publicPath + "/archives"))[0]
        let home = try TestHome(settings: ["STORECTL_DOWNLOADS_ATTEMPTS": "1"])
        try await home.must("store", "add", "shop", origin.url.absoluteString, "--unsigned")
        origin.always(archive, .status(404))
        let failing = try home.startStorectl("watch", "cups", "--json")
        try await observers(of: home, are: 1)
        #expect(try await home.storectl("install", "cups").exit == 4)
        #expect(try await failing.result().exit == 4)

        origin.always(archive, .stallAfter(100))
        let cancelled = try home.startStorectl("watch", "cups")
        try await observers(of: home, are: 1)
        try await home.must("install", "cups", "--no-wait")
        await origin.untilStalled()
        try await home.must("cancel", "cups")
        let result = try await cancelled.result()
        #expect(result.exit != 0 && result.errors.contains("cancelled"), "\(result)")
    }

    @Test func `expired and unknown events are reported as gone`() async throws {
        let home = try TestHome()
        try await home.must("daemon", "start")
        let socket = home.path + "/run/stored.sock"
        let before = try JSONDecoder().decode(
            JSONValue.self, from: Data(body(try DaemonWire.get("/v1/snapshot", at: socket).body).utf8))
        let sequence = Int(try #require(before["sequence"].number))
        for after in [1, sequence - 1, sequence + 1_000_000_000_000] {
            let answer = try DaemonWire.get("/v1/events?after=\(after)", at: socket)
            #expect(answer.status == 410, "after \(after): \(answer)")
            #expect(answer.body.contains("events.gone"))
        }
        let watch = try await home.storectl("watch", "--after", "1")
        #expect(watch.exit != 0)
        #expect(watch.errors.contains("expired") && watch.errors.contains("without '--after'"), "\(watch)")
        #expect(try DaemonWire.get("/v1/events?after=x", at: socket).status == 400)
    }

    @Test(arguments: [SIGKILL, SIGTERM]) func `no event is lost when the daemon exits`(signal: Int32) async throws {
        let store = try await UpdateStore("cups", "pans")
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        let watch = try home.startStorectl("watch", "--json")
        try await observers(of: home, are: 1)
        try await home.must("install", "cups")
        while !watch.output.contains("\"installed\"") { try await Task.sleep(for: .milliseconds(5)) }
        await home.killDaemon(signal)
        // The next command starts a daemon, and the observer finds it.
        try await home.must("install", "pans")
        try await home.must("uninstall", "cups")
        while !watch.output.contains("\"removed\"") { try await Task.sleep(for: .milliseconds(5)) }
        watch.signal(SIGINT)
        let received = try events(try await watch.result().output)
        let sequences = received.compactMap { $0["sequence"].number }
        #expect(sequences == Set(sequences).sorted())
        for product in ["cups", "pans"] {
            let ends = received.count { $0["productIdentifier"].text == product && $0["state"].text == "Finished" }
            #expect(ends == 1, "\(product): \(received)")
        }

        // An observer with an old cursor receives all later events, also after another restart.
        await home.killDaemon(signal)
        try await home.must("daemon", "start")
        #expect(Set(received.compactMap { $0["state"].text }).contains("Downloading"))
        let lasting = received.filter { $0["activity"].text != "transferring" }
        let again = try home.startStorectl("watch", "--json", "--after", "\(Int(sequences[0]))")
        while !again.output.contains("\"removed\"") { try await Task.sleep(for: .milliseconds(5)) }
        again.signal(SIGINT)
        let replayed = try events(try await again.result().output)
        // Superseded progress is not delivered; state changes are.
        #expect(
            replayed.filter { $0["activity"].text != "transferring" }
                == lasting.filter { $0["sequence"].number != sequences[0] })
    }

    @Test func `a filter by kind delivers only events of that kind`() async throws {
        let store = try await TestStore()
        try await store.add("cups", files: ["01.webp": TestStore.bytes(100, seed: 1)])
        try await store.add("dark", kind: "skin", files: ["skin.xml": Data("<theme/>".utf8)])
        try await store.publish()
        let server = try await NginxServer(serving: store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        let places = try HomePaths(
            HomePaths.Facts(environment: [:], user: getuid(), passwordHome: nil, currentFolder: "/"), home: home.path)
        let client = StoreClient(home: places, startingDaemon: .never)
        let snapshot = try await client.snapshot()
        try await home.must("install", "cups", "dark")
        try await home.must("uninstall", "dark")
        var received: [Event] = []
        for try await event in client.events(after: snapshot.sequence, kind: .skin) {
            received.append(event)
            if case .pack(let change) = event.happening, change.change == .removed { break }
        }
        #expect(received.allSatisfy { $0.productIdentifier == "dark" && $0.kind == .skin })
        #expect(received.count > 4)
    }

    @Test func `a daemon that checks for updates announces new versions once`() async throws {
        let store = try await UpdateStore("cups", "pans")
        let origin = try Origin()
        origin.serve(folder: store.store.publicPath)
        let home = try TestHome(settings: ["STORECTL_UPDATES_CHECK_EVERY": "1"])
        try await home.must("store", "add", "shop", origin.url.absoluteString, "--unsigned")
        try await home.must("install", "cups", "pans")
        let watch = try home.startStorectl("watch", "--json")
        try await observers(of: home, are: 1)
        try store.show(2)
        while !watch.output.contains("\"updates\"") { try await Task.sleep(for: .milliseconds(5)) }
        // Later checks find nothing new, and neither does an explicit one.
        let asked = origin.requests.count
        while origin.requests.count < asked + 2 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(try await home.storectl("update", "--check").exit == 11)
        try await home.must("uninstall", "pans")
        while !watch.output.contains("\"removed\"") { try await Task.sleep(for: .milliseconds(5)) }
        watch.signal(SIGINT)
        let news = try events(try await watch.result().output).filter { $0["type"].text == "updates" }
        #expect(news.count == 1)
        let updates = news[0]["updates"].elements
        #expect(updates.compactMap { $0["productIdentifier"].text }.sorted() == ["cups", "pans"])
        #expect(updates.allSatisfy { $0["available"].text == "2.0.0" && $0["installed"].text == "1.0.0" })
    }

    @Test func `ten observers know the installed packs after every kill`() async throws {
        let store = try await UpdateStore("a", "b", "c")
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        let places = try HomePaths(
            HomePaths.Facts(environment: [:], user: getuid(), passwordHome: nil, currentFolder: "/"), home: home.path)
        var random = KillRandom()
        print("observers: seed \(random.seed)")
        try await withThrowingTaskGroup(of: Void.self) { group in
            let observers = try (0..<10).map { _ in try PackObserver(places) }
            for observer in observers { group.addTask { await observer.run() } }
            for round in 0..<10 {
                try store.show(round % 2 + 1)
                let command =
                    round % 3 == 2
                    ? ["uninstall", "a", "b"] : round % 3 == 1 ? ["update"] : ["install", "a", "b", "c"]
                let running = try Programs.start("storectl", command, environment: home.environment)
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...250, using: &random)))
                await home.killDaemon()
                _ = try await running.result()
                // Waits for the end of all downloads.
                try await home.must("install", "a", "b", "c", "--quiet")
                let packs = try await home.packs().mapValues { $0["version"].text ?? "" }
                for observer in observers { await observer.until(packs) }
            }
            group.cancelAll()
        }
    }

    private func observers(of home: TestHome, are count: Int) async throws {
        while try await home.must("daemon", "status", "--json").json["observers"]?.number != Double(count) {}
    }

    private func events(_ output: String) throws -> [JSONValue] {
        try output.split(separator: "\n").map { try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8)) }
    }

    /// Returns the body without the lines of the chunked encoding.
    private func body(_ text: String) -> String {
        guard let start = text.firstIndex(of: "{"), let end = text.lastIndex(of: "}") else { return "" }
        return String(text[start...end])
    }
}

/// A front end that shows the installed packs, from a snapshot and the events after it.
private actor PackObserver {
    private let client: StoreClient
    private var packs: [String: String] = [:]
    private var waiting: (packs: [String: String], continuation: CheckedContinuation<Void, Never>)?

    init(_ places: HomePaths) throws { client = StoreClient(home: places, startingDaemon: .never) }

    func run() async {
        while !Task.isCancelled {
            do {
                let snapshot = try await client.snapshot()
                packs = Dictionary(
                    uniqueKeysWithValues: snapshot.packs.map { ($0.productIdentifier, $0.version?.text ?? "") })
                notifyWaiters()
                for try await event in client.events(after: snapshot.sequence) {
                    guard case .pack(let change) = event.happening else { continue }
                    packs[change.productIdentifier] = change.change == .removed ? nil : change.version?.text ?? ""
                    notifyWaiters()
                }
            } catch {
                // The daemon exited or was replaced, so the observer starts over.
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    func until(_ packs: [String: String]) async {
        if self.packs == packs { return }
        await withCheckedContinuation { waiting = (packs, $0) }
    }

    private func notifyWaiters() {
        guard let waiting, waiting.packs == packs else { return }
        self.waiting = nil
        waiting.continuation.resume()
    }
}
