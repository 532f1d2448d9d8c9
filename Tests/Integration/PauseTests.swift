import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests pause, resume, priority and cancel, including their effect after a restart.
@Suite(.hangGuard) struct PauseTests {
    private let origin: Origin
    private let home: TestHome
    private let products = ["a", "b", "c", "d"]

    init() throws {
        origin = try Origin()
        home = try TestHome()
    }

    private static let size = 400_000
    /// Created once, because it takes longer than the installations.
    private static let archives = Dictionary(
        uniqueKeysWithValues: ["a", "b", "c", "d"].enumerated().map {
            ($1, StoreDocuments.pack(UInt64($0), size: size))
        })
    private static let images = ["a", "b", "c", "d"].enumerated().reduce(into: [String: Data]()) { images, product in
        images[product.element] = Data(ImageForge.bytes(size, seed: UInt64(product.offset)))
    }

    /// Returns a store with four products whose archives stall in the middle.
    private func open(_ home: TestHome? = nil) async throws {
        for (product, archive) in Self.archives {
            origin.serve("/\(product).zip", archive)
            origin.always("/\(product).zip", .stallAfter(Self.size / 2))
        }
        StoreDocuments.formatTwo(
            Self.archives.map { StoreDocuments.product($0, archive: $1, at: "/\($0).zip") }, on: origin)
        try await (home ?? self.home).must("store", "add", "shop", origin.address, "--unsigned")
    }

    private func download(_ product: String, _ home: TestHome? = nil) async throws -> JSONValue {
        let downloads = try await (home ?? self.home).must("downloads", "--json").json["downloads"]?.elements ?? []
        return try #require(downloads.last { $0["productIdentifier"].text == product })
    }

    private func expectInstalled(_ product: String) {
        let file = home.path + "/data/packs/\(product).stickers/a.png"
        #expect(FileManager.default.contents(atPath: file) == Self.images[product])
    }

    // MARK: Pause and resume

    @Test func `a paused download stays paused after a SIGKILL, and resumes from its byte as the same operation`()
        async throws
    {
        try await open()
        let begun = try await home.must("install", "a", "--no-wait", "--json").json
        let operation = try #require(begun["results"]?[0]["operation"].text)
        await origin.untilStalled()
        let paused = try await home.must("pause", "a", "--json").json["results"]
        #expect(paused?[0]["operation"].text == operation && paused?[0]["end"] == .null)
        let before = try await download("a")
        #expect(before["state"].text == "Downloading" && before["activity"].text == "paused")
        #expect(before["reason"].text == "paused by the user")
        #expect(before["rate"] == .null && before["secondsLeft"] == .null && before["source"] == .null)
        let bytes = try #require(before["bytesReceived"].number)
        #expect(bytes > 0 && bytes <= Double(Self.size / 2))
        #expect(try await home.storectl("pause", "a").exit == 0, "again is nothing new")
        let kept =
            try FileManager.default.attributesOfItem(
                atPath: home.path + "/cache/partial/\(operation).part")[.size] as? Int

        for signal in [SIGKILL, SIGTERM] {
            await home.killDaemon(signal)
            let after = try await download("a")
            #expect(after["operation"].text == operation && after["activity"].text == "paused")
            #expect(after["reason"].text == "paused by the user" && after["bytesReceived"].number == bytes)
            #expect(after["fraction"].number != nil)
        }
        #expect(origin.requests(to: "/a.zip").count == 1, "a paused download asks for nothing")
        #expect(home.entries("cache/partial") == [operation + ".part"])

        // A repeated request joins the download, and reports what it waits for.
        let install = try home.startStorectl("install", "a")
        try await eventually { install.errors.contains("storectl resume a") }
        #expect(install.isRunning)
        origin.release()
        try await home.must("resume", "a")
        let result = try await install.result()
        #expect(result.exit == 0, "\(result)")
        expectInstalled("a")
        #expect(origin.requests(to: "/a.zip").map(\.range) == [nil, "bytes=\(kept ?? 0)-"])
        let history = try await home.history("a")
        #expect(history.map { $0["operation"].text } == [operation] && history[0]["end"].text == "finished")
        #expect(home.entries("cache/partial").isEmpty)
    }

    @Test func `a queued download can be paused and yields its turn`() async throws {
        let home = try TestHome(settings: ["STORECTL_DOWNLOADS_MAXIMUM_AT_ONCE": "1"])
        try await open(home)
        try await home.must("install", "a", "b", "c", "--no-wait")
        await origin.untilStalled()
        let running = try #require(
            products.first { origin.requests(to: "/\($0).zip").count == 1 })
        let others = products.prefix(3).filter { $0 != running }
        try await home.must("pause", others[0])
        #expect(try await download(others[0], home)["state"].text == "Initializing")
        // The slot of a paused download is given to the waiting one.
        try await home.must("pause", running)
        await origin.untilRequested("/\(others[1]).zip")
        #expect(origin.requests(to: "/\(others[0]).zip").isEmpty)
        origin.release()
        try await home.must("resume", "--all")
        try await home.must("install", "a", "b", "c")
        #expect(try await home.packs().count == 3)
    }

    @Test func `a paused download that is cancelled leaves no files, also after a restart`() async throws {
        try await open()
        for restarts in [false, true] {
            try await home.must("install", "a", "--no-wait")
            await origin.untilStalled()
            try await home.must("pause", "a")
            if restarts { await home.killDaemon() }
            let cancelled = try await home.must("cancel", "a", "--json").json["results"]
            #expect(cancelled?[0]["end"].text == "cancelled")
            try await home.expectNothingLeft()
            #expect(try await home.history("a")[0]["end"].text == "cancelled")
        }
        #expect(try await home.packs().isEmpty)
    }

    @Test func `a daemon with only paused downloads exits, and the next one has them`() async throws {
        let home = try TestHome(settings: ["STORECTL_DAEMON_IDLE_TIMEOUT": "1"])
        try await open(home)
        try await home.must("install", "a", "--no-wait")
        await origin.untilStalled()
        try await home.must("pause", "--all")
        try await eventually { home.daemonPID == nil }
        #expect(try await download("a", home)["activity"].text == "paused")
    }

    @Test func `pause and resume return the exit codes and documents of the contract`() async throws {
        try await open()
        for command in ["pause", "resume"] {
            try await home.fails(command, "nothing", exit: 3, code: "download.unknown", saying: ["nothing"])
            try await home.fails(command, "x", "y", exit: 3, code: "download.unknown", saying: ["x"])
            try await home.fails(command, exit: 2, code: "usage.invalid", saying: ["--all"])
            try await home.fails(command, "a", "--all", exit: 2, code: "usage.invalid", saying: ["--all"])
            let none = try await home.must(command, "--all", "--json").json
            #expect(none["results"]?.elements.isEmpty == true && none["error"] == nil)
        }
        try await home.must("install", "a", "b", "--no-wait")
        await origin.untilStalled(2)
        let some = try await home.fails(
            "pause", "a", "nothing", exit: 10, code: "operation.some-failed", saying: ["nothing"])
        let results = some["results"]?.elements ?? []
        #expect(results.map { $0["productIdentifier"].text } == ["a", "nothing"])
        #expect(results[0]["error"] == .null && results[0]["operation"].text != nil)
        #expect(results[1]["error"]["code"].text == "download.unknown")
        let all = try await home.must("pause", "--all")
        #expect(all.output == "Paused b; resume with 'storectl resume b'.\n", "\(all)")
        #expect(try await home.must("downloads").output.contains("paused by the user"))
        let resumed = try await home.must("resume", "--all", "--json").json["results"]?.elements ?? []
        #expect(Set(resumed.map { $0["productIdentifier"].text }) == ["a", "b"])
        #expect(try await home.must("resume", "a").output == "a is not paused.\n")
        origin.release()
        try await home.must("install", "a", "b")
        expectInstalled("a")
        expectInstalled("b")
        try await home.fails(
            "pause", "a", exit: 7, code: "download.ended", saying: ["show the pack with 'storectl info a'"])
    }

    @Test func `an observer receives a pause as download events, in order`() async throws {
        try await open()
        let observer = DaemonObserver(of: home)
        defer { observer.stop() }
        await observer.untilConnected()
        try await home.must("install", "a", "--no-wait", "--priority", "2")
        await origin.untilStalled()
        try await home.must("pause", "a")
        origin.release()
        try await home.must("resume", "a")
        try await home.must("install", "a")
        try await eventually { observer.seen.contains { $0.event["state"].text == "Finished" } }
        let events = observer.seen.map(\.event).filter { $0["type"].text == "download" }
        var activities: [String] = []
        for event in events where activities.last != event["activity"].text {
            activities.append(event["activity"].text ?? "-")
        }
        #expect(
            activities == [
                "queued", "connecting", "transferring", "paused", "queued", "connecting", "transferring", "unpacking",
                "saving", "-",
            ], "\(activities)")
        #expect(events.allSatisfy { $0["priority"].number == 2 })
        let received = events.compactMap { $0["bytesReceived"].number }
        #expect(received == received.sorted(), "bytes only become more: \(received)")
        let attempts = events.compactMap { $0["attempt"].number }
        #expect(!attempts.isEmpty && attempts.allSatisfy { $0 == 1 }, "a pause is no failure: \(attempts)")
        let sources = Set(events.filter { $0["activity"].text == "transferring" }.map { $0["source"].text })
        #expect(sources == [origin.address + "a.zip"])
        let last = try #require(events.last)
        #expect(last["bytesReceived"] == last["bytesExpected"] && last["fraction"].number == 1)
        #expect(last["rate"] == .null && last["source"] == .null && last["retryAt"] == .null)
    }

    // MARK: Priority

    /// Returns the products in the order in which their archives were requested.
    private func order() -> [String] {
        origin.requests.compactMap { request in products.first { request.path == "/\($0).zip" } }
    }

    @Test(arguments: [false, true])
    func `downloads start in order of priority, then of their requests, also after a restart`(restarts: Bool)
        async throws
    {
        let home = try TestHome(settings: ["STORECTL_DOWNLOADS_MAXIMUM_AT_ONCE": "1"])
        try await open(home)
        try await home.must("install", "a", "--no-wait")
        await origin.untilStalled()
        try await home.must("install", "b", "--no-wait")
        try await home.must("install", "c", "--no-wait", "--priority", "5")
        try await home.must("install", "d", "--no-wait")
        // A repeated request with another priority changes the priority.
        let joined = try await home.must("install", "d", "--no-wait", "--priority", "9", "--json").json
        #expect(joined["results"]?[0]["error"] == .null)
        #expect(try await download("d", home)["priority"].number == 9)
        #expect(try await download("a", home)["priority"].number == 0)
        #expect(try await home.must("downloads").output.contains("(priority 5)"))
        // A running download is not interrupted.
        #expect(order() == ["a"])
        if restarts { await home.killDaemon() }
        origin.release()
        try await home.must("install", "a", "b", "c", "d")
        #expect(order() == (restarts ? ["a", "d", "c", "a", "b"] : ["a", "d", "c", "b"]))
    }

    @Test func `a waiting download reports the time of its next attempt`() async throws {
        let home = try TestHome(settings: ["STORECTL_DOWNLOADS_RETRY_DELAY": "600000"])
        try await open(home)
        origin.always("/a.zip", .status(503))
        try await home.must("install", "a", "--no-wait")
        try await eventually { try await download("a", home)["activity"].text == "waiting" }
        let waiting = try await download("a", home)
        let retryAt = try #require(waiting["retryAt"].text)
        let date = try #require(try? Date(retryAt, strategy: .iso8601))
        #expect(date > Date() && date < Date() + 700)
        #expect(waiting["reason"].text?.contains("503") == true)
        #expect(try await home.must("downloads").output.contains("next attempt at"))
        // A repeated request ends the wait.
        try await home.must("pause", "a")
        #expect(try await download("a", home)["retryAt"] == .null)
        origin.script("/a.zip", [])
        try await home.must("resume", "a")
        try await home.must("install", "a")
    }
}
