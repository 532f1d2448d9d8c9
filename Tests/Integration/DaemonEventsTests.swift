import Foundation
import StoreClient
import StoreModel
import Support
import Testing

/// What observers hear, over the lives of several daemons.
@Suite struct DaemonEventsTests {
    @Test func `watch tells the states of an installation in order, with one end`() async throws {
        let store = try await UpdateStore("cups")
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        let watch = try home.startStorectl("watch", "--json")
        let one = try home.startStorectl("watch", "cups", "--json")
        try await observers(of: home, are: 2)
        try await home.must("install", "cups")
        try await home.must("uninstall", "cups")

        // With a name it ends with the download.
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

        // Without one it goes on until it is interrupted.
        while !watch.output.contains("\"removed\"") { try await Task.sleep(for: .milliseconds(5)) }
        watch.signal(SIGINT)
        let all = try await watch.result()
        #expect(all.exit == 130)
        let sequences = try events(all.output).compactMap { $0["sequence"].number }
        #expect(sequences == sequences.sorted() && Set(sequences).count == sequences.count)
        let changes = try events(all.output).filter { $0["type"].text == "pack" }.map { $0["change"].text }
        #expect(changes == ["installed", "removed"])
    }

    @Test func `watch of a download that fails or is cancelled ends as that did`() async throws {
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

    @Test func `events of a daemon that is no more are gone, and that is said plainly`() async throws {
        let home = try TestHome()
        try await home.must("daemon", "start")
        let socket = home.path + "/run/stored.sock"
        let before = try JSONDecoder().decode(
            JSONPart.self, from: Data(body(try DaemonWire.get("/v1/snapshot", at: socket).body).utf8))
        let sequence = Int(try #require(before["sequence"].number))
        await home.killDaemon()
        try await home.must("daemon", "start")
        for after in [1, sequence, sequence + 1_000_000_000_000] {
            let answer = try DaemonWire.get("/v1/events?after=\(after)", at: socket)
            #expect(answer.status == 410, "after \(after): \(answer)")
            #expect(answer.body.contains("events.gone"))
        }
        let watch = try await home.storectl("watch", "--after", "\(sequence)")
        #expect(watch.exit != 0)
        #expect(watch.errors.contains("snapshot"), "\(watch)")
        #expect(try DaemonWire.get("/v1/events?after=x", at: socket).status == 400)
    }

    @Test func `ten observers know what is installed after every kill`() async throws {
        let store = try await UpdateStore("a", "b", "c")
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        let places = try Places(
            Places.Facts(environment: [:], user: getuid(), passwordHome: nil, currentFolder: "/"), home: home.path)
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
                // Brings everything to its end.
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

    private func events(_ output: String) throws -> [JSONPart] {
        try output.split(separator: "\n").map { try JSONDecoder().decode(JSONPart.self, from: Data($0.utf8)) }
    }

    /// Without the lines of the chunked encoding.
    private func body(_ text: String) -> String {
        guard let start = text.firstIndex(of: "{"), let end = text.lastIndex(of: "}") else { return "" }
        return String(text[start...end])
    }
}

/// A front end that shows what is installed: a snapshot, and the events after it; another snapshot when they are gone.
private actor PackObserver {
    private let client: StoreClient
    private var packs: [String: String] = [:]
    private var waiting: (packs: [String: String], continuation: CheckedContinuation<Void, Never>)?

    init(_ places: Places) throws { client = try StoreClient(home: places, startingDaemon: .never) }

    func run() async {
        while !Task.isCancelled {
            do {
                let snapshot = try await client.snapshot()
                packs = Dictionary(
                    uniqueKeysWithValues: snapshot.packs.map { ($0.productIdentifier, $0.version?.text ?? "") })
                tell()
                for try await event in client.events(after: snapshot.sequence) {
                    guard case .pack(let change) = event.happening else { continue }
                    packs[change.productIdentifier] = change.change == .removed ? nil : change.version?.text ?? ""
                    tell()
                }
            } catch {
                // No daemon now, or another one: everything anew.
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    func until(_ packs: [String: String]) async {
        if self.packs == packs { return }
        await withCheckedContinuation { waiting = (packs, $0) }
    }

    private func tell() {
        guard let waiting, waiting.packs == packs else { return }
        self.waiting = nil
        waiting.continuation.resume()
    }
}
