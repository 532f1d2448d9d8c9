import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Servers that are unavailable or send invalid documents.
@Suite(.hangGuard) struct BadServerTests {
    @Test func `a store that can't be read is not added, and the reason is reported`() async throws {
        let (origin, closed) = (try Origin(), try ClosedPort())
        let home = try TestHome(settings: TestHome.shortTimeouts.merging(["STORECTL_DOWNLOADS_ATTEMPTS": "2"]) { $1 })
        let shard = StoreDocuments.json(["format": 2, "products": []])
        func index(shardSize: Int, shardHash: String) -> [UInt8] {
            StoreDocuments.json([
                "format": 2, "products": 0,
                "shards": [["url": "/shard.json", "size": shardSize, "sha256": shardHash, "products": 0]],
            ])
        }
        origin.serve("/shard.json", shard)
        origin.serve("/html/catalogue.json", "<!DOCTYPE html><html>Welcome</html>")
        origin.serve("/text/catalogue.json", "products: none")
        origin.serve("/half/catalogue.json", #"{"products": [{"productIdentifier": "#)
        origin.serve("/empty/catalogue.json", "")
        origin.serve("/other/catalogue.json", #"{"colour": "red"}"#)
        origin.serve("/nine/catalogue.json", #"{"format": 9, "products": []}"#)
        origin.serve("/hash/catalogue.json", index(shardSize: shard.count, shardHash: StoreDocuments.hash([1])))
        origin.serve("/size/catalogue.json", index(shardSize: shard.count + 1, shardHash: StoreDocuments.hash(shard)))
        origin.serve("/good/catalogue.json", index(shardSize: shard.count, shardHash: StoreDocuments.hash(shard)))
        origin.always("/broken/catalogue.json", .status(500))
        origin.always("/closed/catalogue.json", .close)
        origin.always("/silent/catalogue.json", .stallBeforeAnswer)

        let cases: [(address: String, exit: Int32, code: String)] = [
            ("http://127.0.0.1:\(closed.port)/", 4, "transfer.unreachable"),
            ("broken", 4, "transfer.http-status"), ("missing", 4, "catalogue.missing"),
            ("closed", 4, "transfer.interrupted"), ("silent", 4, "transfer.timeout"),
            ("html", 5, "catalogue.malformed"), ("text", 5, "catalogue.malformed"),
            ("half", 5, "catalogue.malformed"), ("empty", 5, "catalogue.malformed"),
            ("other", 5, "catalogue.malformed"), ("nine", 5, "catalogue.unsupported-format"),
            ("hash", 5, "catalogue.hash-mismatch"), ("size", 5, "catalogue.hash-mismatch"),
        ]
        for (address, exit, code) in cases {
            let url = address.hasPrefix("http") ? address : origin.address + address + "/"
            try await home.fails(
                "store", "add", "shop", url, "--unsigned", exit: exit, code: code, saying: ["127.0.0.1"])
        }
        // A readable store without a signature is added only with a flag.
        let good = origin.address + "good/"
        try await home.fails("store", "add", "shop", good, exit: 5, code: "store.unsigned", saying: ["--unsigned"])
        #expect(try await home.must("store", "list", "--json").json["stores"]?.elements.isEmpty == true)
        #expect(home.entries("cache/catalogues") == [], "no catalogue of a store that was not added")

        try await home.must("store", "add", "shop", good, "--unsigned")
        try await home.fails(
            "store", "add", "shop", origin.address + "elsewhere/", "--unsigned", exit: 7, code: "conflict.store-exists")
        origin.stop()
    }

    @Test func `with an unreachable store, local commands work and others exit with 4`() async throws {
        let origin = try Origin()
        origin.serve("/1.zip", StoreDocuments.pack(1))
        origin.serve("/2.zip", StoreDocuments.pack(2))
        StoreDocuments.formatTwo(
            [
                StoreDocuments.product("cups", archive: StoreDocuments.pack(1), at: "/1.zip"),
                StoreDocuments.product("mugs", archive: StoreDocuments.pack(2), at: "/2.zip"),
            ], on: origin)
        let home = try TestHome(settings: ["STORECTL_DOWNLOADS_ATTEMPTS": "2"])
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "cups")
        origin.stop()

        try await home.fails("refresh", exit: 4, code: "transfer.unreachable", saying: ["127.0.0.1"])
        let stores = try await home.must("store", "list", "--json").json["stores"]?.elements
        #expect(stores?.first?["error"]["code"].text == "transfer.unreachable")

        let search = try await home.must("search", "--json").json
        #expect(search["products"]?.elements.count == 2)
        #expect(search["warnings"]?.elements.first?.text?.contains("'shop'") == true)
        #expect(try await home.must("search").errors.contains("'shop'"))

        let failed = try await home.fails("install", "mugs", exit: 4, code: "transfer.unreachable", saying: ["2.zip"])
        #expect(failed["results"]?[0]["end"].text == "failed")
        #expect(try await home.history("mugs").map { $0["end"].text } == ["failed"])
        for command in [["update"], ["update", "cups"], ["update", "--check"]] {
            let result = try await Programs.run("storectl", command + ["--json"], environment: home.environment)
            #expect(result.exit == 4, "\(command): \(result)")
            #expect(try result.json["error"]?["code"].text != nil, "\(command): \(result)")
            #expect(result.errors.contains("127.0.0.1"), "\(command): \(result)")
        }

        try await home.must("list")
        try await home.must("verify", "cups")
        try await home.must("stickers", "list")
        try await home.must("hold", "cups")
        #expect(try await home.must("install", "cups", "--json").json["results"]?[0]["end"].text == "finished")
        try await home.must("uninstall", "cups")
        try await home.expectNothingLeft()
    }

    @Test func `an archive that differs from the catalogue is refused`() async throws {
        let origin = try Origin()
        let home = try TestHome(settings: ["STORECTL_DOWNLOADS_ATTEMPTS": "2"])
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(1), on: origin)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "cups")
        let before = home.files(of: "cups.stickers")

        let newer = StoreDocuments.pack(2)
        let lies: [([String: Any], String)] = [
            (["productResourceSHA256": StoreDocuments.hash([0])], "content.hash-mismatch"),
            (["productResourceSize": newer.count + 1], "content.size-mismatch"),
            (["productResourceSize": newer.count - 1], "content.size-mismatch"),
        ]
        for (lie, code) in lies {
            StoreDocuments.formatTwo("cups", version: "2.0.0", archive: newer, on: origin, with: lie)
            try await home.fails("update", exit: 5, code: code, saying: ["2.0.0.zip"])
            try await home.expectNothingLeft()
        }
        // The same applies if the size only differs after the transfer.
        StoreDocuments.formatTwo("cups", version: "2.0.0", archive: newer, on: origin)
        origin.serve("/2.0.0.zip", newer + [0])
        origin.always("/2.0.0.zip", .chunked)
        try await home.fails("update", exit: 5, code: "content.size-mismatch")
        var other = newer
        other[40] ^= 1
        origin.serve("/2.0.0.zip", other)
        try await home.fails("update", exit: 5, code: "content.hash-mismatch")

        #expect(try await home.packs()["cups"]?["version"].text == "1.0.0")
        #expect(home.files(of: "cups.stickers") == before)
        try await home.expectNothingLeft()
        origin.serve("/2.0.0.zip", newer)
        try await home.must("update")
        #expect(try await home.packs()["cups"]?["version"].text == "2.0.0")
    }

    @Test func `a server that fails occasionally is retried`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(1, size: 40_000), on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        origin.script("/1.0.0.zip", [[.status(503)], [.resetAfter(10_000)], [.resetAfter(20_000)]])
        try await home.must("install", "cups")
        #expect(origin.requests(to: "/1.0.0.zip").count == 4)
        try await home.expectNothingLeft()
    }

    @Test func `a stalled server or missing content fails the download, and the installed pack stays`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(1), on: origin)
        let home = try TestHome(settings: TestHome.shortTimeouts.merging(["STORECTL_DOWNLOADS_ATTEMPTS": "2"]) { $1 })
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "cups")
        let before = home.files(of: "cups.stickers")
        StoreDocuments.formatTwo("cups", version: "2.0.0", archive: StoreDocuments.pack(2), on: origin)
        // No attempt receives any bytes; an attempt that does is followed by another.
        for (faults, code) in [
            ([OriginFault.stallAfter(0)], "transfer.timeout"), ([.stallInHeaders], "transfer.timeout"),
            ([.status(500)], "transfer.http-status"), ([.status(404)], "transfer.http-status"),
            ([.resetAfter(0)], "transfer.interrupted"),
        ] {
            origin.script("/2.0.0.zip", [faults, faults])
            try await home.fails("update", exit: 4, code: code, saying: ["2.0.0.zip"])
            #expect(home.files(of: "cups.stickers") == before)
            try await home.expectNothingLeft()
        }
        try await home.must("update")
        #expect(try await home.packs()["cups"]?["version"].text == "2.0.0")
    }

    @Test func `a catalogue that becomes invalid leaves the cached one in use`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(1), on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        origin.serve("/catalogue.json", "<html>Closed for the night</html>")
        try await home.fails("refresh", exit: 5, code: "catalogue.malformed", saying: ["127.0.0.1"])
        #expect(try await home.must("search", "--json").json["products"]?.elements.count == 1)
        try await home.must("install", "cups")
        try await home.fails("update", exit: 5, code: "catalogue.malformed")
        #expect(try await home.packs()["cups"] != nil)
        try await home.expectNothingLeft()
    }
}
