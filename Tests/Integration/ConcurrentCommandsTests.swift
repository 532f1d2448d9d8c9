import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Concurrent commands, and commands that are cancelled.
@Suite(.hangGuard) struct ConcurrentCommandsTests {
    /// Returns a server that stalls `cups` after its first bytes, and a home that uses it.
    private func halting() async throws -> (origin: Origin, home: TestHome) {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(), on: origin)
        origin.always("/1.0.0.zip", .stallAfter(100))
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        return (origin, home)
    }

    private func untilWatched(by observers: Double, _ home: TestHome) async throws {
        try await eventually {
            try await home.must("daemon", "status", "--json").json["observers"]?.number == observers
        }
    }

    /// Starts a program that handles Ctrl-C, whether or not the test process ignores that signal.
    private func interruptible(_ home: TestHome, _ arguments: String...) throws -> Programs.Running {
        try Programs.start(
            "/usr/bin/env", ["--default-signal=INT", Programs.path("storectl")] + arguments,
            environment: home.environment)
    }

    @Test func `two installations of one product are one task`() async throws {
        let (origin, home) = try await halting()
        let first = try home.startStorectl("install", "cups", "--json")
        await origin.untilStalled()
        let second = try home.startStorectl("install", "cups", "--json")
        try await untilWatched(by: 2, home)
        // The second command joins the task of the first.
        let third = try await home.must("install", "cups", "--no-wait", "--json").json["results"]?[0]
        origin.release()
        let (one, two) = (try await first.result(), try await second.result())
        #expect(one.exit == 0 && two.exit == 0, "\(one)\n\(two)")
        let operations =
            try [one, two].map { try $0.json["results"]?[0]["operation"].text } + [third?["operation"].text]
        #expect(Set(operations).count == 1 && operations[0] != nil)
        #expect(third?["end"] == .null)
        #expect(try await home.history("cups").map { $0["operation"].text } == [operations[0]])
        #expect(origin.requests(to: "/1.0.0.zip").count == 1)
        #expect(try await home.must("downloads", "--json").json["downloads"]?.elements.count == 1)
        try await home.expectNothingLeft()
    }

    @Test func `many concurrent installs succeed with one operation for each product`() async throws {
        let origin = try Origin()
        // Each product has other bytes, because a cached archive would not be fetched again.
        let archives = (1...6).map { (name: "p\($0)", bytes: StoreDocuments.pack($0, size: 5000)) }
        let names = archives.map(\.name)
        for (name, bytes) in archives { origin.serve("/\(name).zip", bytes) }
        StoreDocuments.formatTwo(
            archives.map { StoreDocuments.product($0.name, archive: $0.bytes, at: "/\($0.name).zip") }, on: origin)
        let home = try TestHome()
        // The daemon is not running yet, so each command tries to start it.
        let adds = try (1...3).map { try home.startStorectl("store", "add", "shop\($0)", origin.address, "--unsigned") }
        for add in adds { #expect(try await add.result().exit == 0) }
        let runs = try (0..<4).map { _ in
            try Programs.start(
                "storectl", ["install", "--store", "shop1", "--json"] + names, environment: home.environment)
        }
        for run in runs {
            let result = try await run.result()
            #expect(result.exit == 0, "\(result)")
            #expect(try result.json["results"]?.elements.map { $0["end"].text } == names.map { _ in "finished" })
        }
        for name in names {
            #expect(try await home.history(name).map { $0["end"].text } == ["finished"])
            #expect(origin.requests(to: "/\(name).zip").count == 1)
        }
        try await home.expectNothingLeft()
    }

    @Test func `one command for several products has a result for each, and its exit code reports a partial failure`()
        async throws
    {
        let origin = try Origin()
        origin.serve("/good.zip", StoreDocuments.pack())
        StoreDocuments.formatTwo(
            [
                StoreDocuments.product("good", archive: StoreDocuments.pack(), at: "/good.zip"),
                StoreDocuments.product("gone", archive: StoreDocuments.pack(2), at: "/gone.zip"),
                StoreDocuments.product(
                    "gold", archive: StoreDocuments.pack(3), at: "/gold.zip", with: ["productPrice": "1 EUR"]),
            ], on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        let some = try await home.storectl("install", "gone", "good", "nope", "gold", "good", "--json")
        #expect(some.exit == 10, "\(some)")
        let document = try some.json
        #expect(document["error"]?["code"].text == "operation.some-failed")
        let results = document["results"]?.elements ?? []
        #expect(results.map { $0["productIdentifier"].text } == ["gone", "good", "nope", "gold"])
        #expect(
            results.map { $0["error"]["code"].text }
                == ["transfer.http-status", nil, "product.unknown", "entitlement.missing"])
        #expect(results.map { $0["end"].text } == ["failed", "finished", nil, nil])
        for name in ["gone", "'nope'", "'gold'"] { #expect(some.errors.contains(name), "\(some)") }

        try await home.fails("install", "no", "none", exit: 3, code: "product.unknown", saying: ["'no'", "'none'"])
        try await home.fails("uninstall", "no", "none", exit: 3, code: "pack.not-installed")
        let mixed = try await home.storectl("uninstall", "good", "none", "--json")
        #expect(mixed.exit == 10)
        #expect(try mixed.json["results"]?.elements.map { $0["end"].text } == ["finished", nil])
        #expect(try await home.packs().isEmpty)
        try await home.expectNothingLeft()
    }

    @Test func `progress is printed line by line and never decreases`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(), on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        let order = ["queued", "connecting", "transferring", "unpacking", "saving", "done"]
        for _ in 0..<5 {
            let result = try await home.must("install", "cups")
            let steps = result.errors.split(separator: "\n").map { line in
                order.firstIndex { line.hasPrefix("cups: \($0)") } ?? -1
            }
            #expect(steps == steps.sorted() && steps.first != -1 && steps.last == order.count - 1, "\(result)")
            #expect(result.output.hasPrefix("Installed cups"), "\(result)")
            try await home.must("uninstall", "cups")
        }
    }

    @Test func `an installed product is not installed again`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(), on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        let first = try await home.must("install", "cups", "--json").json["results"]?[0]
        let again = try await home.must("install", "cups", "--json").json["results"]?[0]
        #expect(again == first)
        #expect(try await home.must("install", "cups").output.contains("already installed"))
        #expect(try await home.history("cups").count == 1)
        #expect(origin.requests(to: "/1.0.0.zip").count == 1)
    }

    @Test func `a product that is being installed can only be cancelled`() async throws {
        let (origin, home) = try await halting()
        let install = try home.startStorectl("install", "cups", "--json")
        await origin.untilStalled()
        try await home.fails(
            "uninstall", "cups", exit: 7, code: "conflict.busy", saying: ["'cups'", "storectl cancel"])
        try await home.fails("rollback", "cups", exit: 7, code: "conflict.busy", saying: ["'cups'"])
        let status = try #require(try await home.must("downloads", "--json").json["downloads"]?[0])
        #expect(status["state"].text == "Downloading" && status["activity"].text == "transferring", "\(status)")
        #expect(status["bytesExpected"].number == Double(StoreDocuments.pack().count))

        try await home.must("cancel", "cups")
        let result = try await install.result()
        #expect(result.exit == 1, "\(result)")
        #expect(try result.json["error"]?["code"].text == "operation.cancelled")
        #expect(try result.json["results"]?[0]["end"].text == "cancelled")
        let history = try await home.history("cups")
        #expect(history.map { $0["end"].text } == ["cancelled"] && history.first?["error"] == .null)
        #expect(try await home.packs().isEmpty)
        try await home.expectNothingLeft()
        try await home.fails("cancel", "cups", exit: 7, code: "download.ended")
        try await home.fails("uninstall", "cups", exit: 3, code: "pack.not-installed")
        origin.release()
        try await home.must("install", "cups")
    }

    @Test func `a cancelled update keeps the installed version`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(1), on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "cups")
        let before = home.files(of: "cups.stickers")
        StoreDocuments.formatTwo("cups", version: "2.0.0", archive: StoreDocuments.pack(2), on: origin)
        origin.always("/2.0.0.zip", .stallAfter(100))
        let update = try home.startStorectl("update", "--json")
        await origin.untilStalled()
        try await home.fails("uninstall", "cups", exit: 7, code: "conflict.busy")
        try await home.must("cancel", "cups")
        #expect(try await update.result().exit == 1)
        #expect(home.files(of: "cups.stickers") == before)
        #expect(try await home.packs()["cups"]?["version"].text == "1.0.0")
        try await home.expectNothingLeft()
    }

    @Test func `with --no-wait the operation is printed and its end can be queried later`() async throws {
        let (origin, home) = try await halting()
        let begun = try await home.must("install", "cups", "--no-wait", "--json").json["results"]?[0]
        let operation = try #require(begun?["operation"].text)
        #expect(begun?["end"] == .null && begun?["error"] == .null)
        #expect(try await home.history("cups")[0]["end"] == .null)
        // Later commands wait for the same operation.
        let watch = try home.startStorectl("watch", "cups", "--json")
        try await untilWatched(by: 1, home)
        origin.release()
        #expect(try await watch.result().exit == 0)
        let record = try await home.history("cups")[0]
        #expect(record["operation"].text == operation && record["end"].text == "finished")
        #expect(record["endedAt"].text != nil)
    }

    @Test func `Ctrl-C leaves the download running, and says so`() async throws {
        let (origin, home) = try await halting()
        let install = try interruptible(home, "install", "cups", "--json")
        await origin.untilStalled()
        try await untilWatched(by: 1, home)
        install.signal(SIGINT)
        let result = try await install.result()
        #expect(result.exit == 130, "\(result)")
        #expect(result.errors.contains("the daemon continues with") && result.errors.contains("cups"), "\(result)")
        #expect(try result.json["results"]?[0]["operation"].text != nil)
        origin.release()
        try await eventually { try await home.history("cups")[0]["end"].text == "finished" }
        #expect(try await home.packs()["cups"] != nil)
    }

    @Test func `Ctrl-C cancels the download with --cancel-on-interrupt`() async throws {
        let (origin, home) = try await halting()
        let install = try interruptible(home, "install", "cups", "--cancel-on-interrupt")
        await origin.untilStalled()
        try await untilWatched(by: 1, home)
        install.signal(SIGINT)
        let result = try await install.result()
        #expect(result.exit == 130 && result.errors.contains("cancelled"), "\(result)")
        #expect(try await home.history("cups").map { $0["end"].text } == ["cancelled"])
        #expect(try await home.packs().isEmpty)
        try await home.expectNothingLeft()
    }
}
