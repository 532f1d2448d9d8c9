import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests names `STORE/ID`, as 'search' prints them, in the commands that take a product's identifier.
@Suite(.hangGuard) struct StoreAndIdentifierTests {
    private let home: TestHome
    private let origins: [Origin]
    private static let size = 400_000

    init() async throws {
        home = try TestHome()
        origins = [try Origin(), try Origin()]
        let large = StoreDocuments.pack(7, size: Self.size)
        for origin in origins {
            origin.serve("/cats.zip", StoreDocuments.pack())
            origin.serve("/large.zip", large)
            origin.always("/large.zip", .stallAfter(Self.size / 2))
            StoreDocuments.formatTwo(
                [
                    StoreDocuments.product("org.example.cats", archive: StoreDocuments.pack(), at: "/cats.zip"),
                    StoreDocuments.product("large", archive: large, at: "/large.zip"),
                ], on: origin)
        }
        try await home.must("store", "add", "main", origins[0].address, "--unsigned", "--priority", "1")
        try await home.must("store", "add", "other", origins[1].address, "--unsigned")
    }

    @Test func `commands on packs accept the pack's own store`() async throws {
        let name = "main/org.example.cats"
        try await home.must("info", name)
        try await home.must("install", name)
        let held = try await home.must("hold", name, "org.example.cats", "--json").json["results"]?.elements
        #expect(held?.map { $0["productIdentifier"].text } == ["org.example.cats"], "one pack has one result")
        #expect(try await home.packs()["org.example.cats"]?["held"] == .bool(true))
        try await home.must("unhold", name)
        #expect(try await home.packs()["org.example.cats"]?["held"] == .bool(false))
        try await home.must("update", name)
        try await home.must("update", name, "--check")
        #expect(try await home.must("verify", name).output == "org.example.cats: intact.\n")
        #expect(try await home.must("stickers", "show", name, "--json").json["count"]?.number == 2)
        #expect(try await home.must("history", name, "--json").json["operations"]?.elements.count == 1)
        #expect(try await home.must("history", "other/org.example.cats", "--json").json["operations"]?.elements == [])
        try await home.fails("rollback", name, exit: 3, code: "pack.no-previous")
        try await home.must("purchases", "grant", name)
        let granted = try await home.must("purchases", "list", "--json").json["purchases"]?.elements
        #expect(granted?.map { $0["productIdentifier"].text } == ["org.example.cats"])
        try await home.must("purchases", "revoke", name)
        // The name stays valid where the store is not in use any more.
        try await home.must("store", "remove", "main")
        try await home.must("uninstall", name)
        #expect(try await home.packs().isEmpty)
    }

    @Test(arguments: ["uninstall", "update", "hold", "unhold", "rollback", "verify", "stickers show"])
    func `another store than the pack's own is an error that names its store`(command: String) async throws {
        try await home.must("install", "main/org.example.cats")
        let words = command.split(separator: " ").map(String.init) + ["other/org.example.cats", "--json"]
        let result = try await Programs.run("storectl", words, environment: home.environment)
        #expect(result.exit == 3, "\(result)")
        #expect(try result.json["error"]?["code"].text == "pack.not-installed")
        #expect(
            result.errors.contains(
                "error: 'org.example.cats' was installed from the store 'main', not from 'other'\n"
                    + "hint: name it 'main/org.example.cats'"), "\(result)")
        #expect(try await home.packs()["org.example.cats"]?["held"] == .bool(false), "nothing is changed")
        try await home.fails("hold", "main/large", exit: 3, code: "pack.not-installed", saying: ["'large' is not"])
    }

    @Test func `commands on downloads accept the download's own store`() async throws {
        try await home.must("install", "main/large", "--no-wait")
        await origins[0].untilStalled()
        try await home.fails(
            "pause", "other/large", exit: 3, code: "download.unknown", saying: ["from the store 'main', not from"])
        let paused = try await home.must("pause", "main/large")
        #expect(paused.output == "Paused large; resume with 'storectl resume large'.\n")
        #expect(try await home.must("resume", "main/large").output == "Resumed large.\n")
        let watch = try home.startStorectl("watch", "main/large")
        try await eventually { try await home.must("daemon", "status", "--json").json["observers"]?.number == 1 }
        #expect(try await home.must("cancel", "main/large").output == "Cancelled large.\n")
        let watched = try await watch.result()
        #expect(watched.exit == 1 && watched.output.contains("Cancelled"), "\(watched)")
    }
}
