import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests the documents and exit codes that other programs rely on.
@Suite(.hangGuard) struct CommandLineContractTests {
    private func has(_ part: JSONValue?, _ members: String...) -> Bool {
        if case .object(let object)? = part { Set(object.keys).isSuperset(of: members) } else { false }
    }

    @Test func `list, search, downloads, history and results have the members of the contract`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo(
            "cups", archive: StoreDocuments.pack(), on: origin,
            with: ["productName": ["en": "Cups", "pt": "Chávenas"], "categories": ["kitchen"]])
        let home = try TestHome(settings: ["LANG": "pt_PT.UTF-8"])
        try await home.must("store", "add", "shop", origin.address, "--unsigned")

        let found = try await home.must("search", "chávenas", "--category", "kitchen", "--json").json["products"]
        let product = try #require(found?.elements.count == 1 ? found?[0] : nil)
        #expect(
            has(product, "productIdentifier", "store", "kind", "name", "version", "price", "size", "state"))
        #expect(product["name"].text == "Chávenas" && product["price"].text == "free")
        #expect(product["size"].number == Double(StoreDocuments.pack().count))
        #expect(product["state"].elements.map(\.text) == ["Free"])

        let results = try await home.must("install", "cups", "--json").json
        #expect(has(results["results"]?[0], "productIdentifier", "operation", "end", "error"))
        #expect(results["error"] == nil)
        let operation = try #require(results["results"]?[0]["operation"].text)

        let pack = try #require(try await home.packs()["cups"])
        #expect(
            has(
                pack, "productIdentifier", "store", "kind", "name", "version", "path", "size", "installedAt", "held",
                "state"))
        #expect(pack["name"].text == "Chávenas" && pack["kind"].text == "sticker" && pack["store"].text == "shop")
        #expect(pack["size"].number == 2050 && pack["held"] == .bool(false) && pack["version"].text == "1.0.0")
        #expect(pack["state"].elements.map(\.text) == ["Downloaded", "Free"])
        #expect(pack["installedAt"].text?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) != nil)

        let download = try #require(try await home.must("downloads", "--json").json["downloads"]?[0])
        #expect(
            has(
                download, "operation", "productIdentifier", "store", "state", "activity", "reason", "attempt",
                "bytesReceived",
                "bytesExpected", "fraction", "error"))
        #expect(download["state"].text == "Finished" && download["fraction"].number == 1)
        #expect(download["activity"] == .null && download["reason"] == .null && download["error"] == .null)

        try await home.must("uninstall", "cups")
        let history = try await home.history("cups")
        for record in history {
            #expect(
                has(
                    record, "operation", "action", "productIdentifier", "store", "version", "startedAt", "endedAt",
                    "end", "error"))
            #expect(record["end"].text == "finished" && record["store"].text == "shop")
        }
        #expect(history.map { $0["action"].text } == ["uninstall", "install"])
        #expect(history[1]["operation"].text == operation)
        // Everything persists after a restart.
        try await home.must("daemon", "stop")
        #expect(try await home.history("cups") == history)
        #expect(try await home.must("downloads", "--json").json["downloads"]?.elements.isEmpty == true)
    }

    @Test func `a failure is one document on standard output, whatever failed`() async throws {
        let home = try TestHome()
        let document = try await home.fails("install", "a", "b", exit: 3, code: "product.unknown")
        #expect(has(document["error"], "code", "message"))
        let results = try #require(document["results"]).elements
        #expect(results.count == 2)
        for result in results {
            #expect(has(result, "productIdentifier", "operation", "end", "error"))
            #expect(has(result["error"], "code", "message"))
        }
        // Common flags may precede the command, and --quiet does not hide errors.
        let quiet = try await home.storectl("--quiet", "--json", "uninstall", "a")
        #expect(quiet.exit == 3 && quiet.errors.contains("'a'"))
        let elsewhere = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: elsewhere.path + "/h", withIntermediateDirectories: false)
        let other = try await home.storectl("--home", elsewhere.path + "/h", "list", "--json")
        #expect(other.exit == 0 && FileManager.default.fileExists(atPath: elsewhere.path + "/h/data/packs"))
        try await home.must("--home", elsewhere.path + "/h", "daemon", "stop")
    }

    // MARK: Events

    @Test func `watch prints every state in order and exactly one end`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(1, size: 60_000), on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        let watch = try Programs.start(
            "/usr/bin/env", ["--default-signal=INT", Programs.path("storectl"), "watch", "--json"],
            environment: home.environment)
        try await eventually { try await home.must("daemon", "status", "--json").json["observers"]?.number == 1 }
        try await home.must("install", "cups")
        StoreDocuments.formatTwo("cups", version: "2.0.0", archive: StoreDocuments.pack(2), on: origin)
        try await home.must("update")
        try await home.must("uninstall", "cups")
        try await eventually { watch.output.contains("removed") }
        watch.signal(SIGINT)
        let ended = try await watch.result()
        #expect(ended.exit == 130, "\(ended)")

        let events = try ended.output.split(separator: "\n").map {
            try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
        }
        let numbers = events.compactMap { $0["sequence"].number }
        #expect(numbers.count == events.count && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
        #expect(events.allSatisfy { $0["time"].text != nil })
        #expect(Set(events.map { $0["type"].text }) == ["download", "pack", "catalogue", "store"])
        let changes = events.filter { $0["type"].text == "pack" }.map { $0["change"].text }
        #expect(changes.filter { $0 != "changed" } == ["installed", "updated", "removed"])

        let order = ["Initializing", "Downloading", "Downloaded", "Finished"]
        let downloads = events.filter { $0["type"].text == "download" }
        let operations = Set(downloads.map { $0["operation"].text })
        #expect(operations.count == 2)
        for operation in operations {
            let own = downloads.filter { $0["operation"].text == operation }
            let places = own.compactMap { event in order.firstIndex { $0 == event["state"].text } }
            #expect(places.count == own.count && places == places.sorted())
            #expect(Set(places) == [0, 1, 2, 3], "no state is left out: \(own)")
            #expect(places.filter { $0 == 3 }.count == 1 && own.last?["state"].text == "Finished")
            let bytes = own.compactMap { $0["bytesReceived"].number }
            #expect(bytes == bytes.sorted() && bytes.last == own.last?["bytesExpected"].number)
            let activities = Set(own.compactMap { $0["activity"].text })
            #expect(
                activities.isSubset(of: [
                    "queued", "connecting", "transferring", "paused", "waiting", "verifying", "unpacking", "saving",
                ]))
        }
        // A later subscriber can replay all events.
        let first = Int(try #require(numbers.first)) - 1
        let again = try await home.startStorectl("watch", "cups", "--after", "\(first)", "--json").result()
        #expect(again.exit == 0, "\(again)")
        #expect(again.output.contains("\"Finished\""))
    }

    @Test func `watching one product ends with the outcome of its download`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo(
            "cups", archive: StoreDocuments.pack(), on: origin, with: ["productResourceSHA256": StoreDocuments.hash([])]
        )
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        let watch = try home.startStorectl("watch", "cups", "--json")
        try await eventually { try await home.must("daemon", "status", "--json").json["observers"]?.number == 1 }
        try await home.fails("install", "cups", exit: 5, code: "content.hash-mismatch")
        let ended = try await watch.result()
        #expect(ended.exit == 5, "\(ended)")
        let last = try #require(ended.output.split(separator: "\n").last)
        let event = try JSONDecoder().decode(JSONValue.self, from: Data(last.utf8))
        #expect(event["state"].text == "Failed" && event["error"]["code"].text == "content.hash-mismatch")
    }

    // MARK: Local files

    @Test func `a local ZIP is installed after confirmation or with a flag`() async throws {
        let home = try TestHome()
        let folder = home.folder.path
        let information = #"{"productIdentifier": "org.example.cups", "name": {"en": "Cups"}, "version": "1.2.0"}"#
        let archive = ZipForge().file("pack.json", Array(information.utf8)).file("a.png", ImageForge.gif()).build()
        try Data(archive).write(to: URL(filePath: folder + "/pack.zip"))
        try Data(StoreDocuments.pack()).write(to: URL(filePath: folder + "/plain.zip"))
        try Data(archive.dropLast(5)).write(to: URL(filePath: folder + "/bad.zip"))

        try await home.fails(
            "install", folder + "/pack.zip", exit: 5, code: "file.unsigned", saying: ["pack.zip", "--unsigned"])
        #expect(try await home.packs().isEmpty)
        let installed = try await home.must("install", folder + "/pack.zip", "--unsigned", "--json").json["results"]?[0]
        #expect(installed?["productIdentifier"].text == "org.example.cups" && installed?["end"].text == "finished")
        let pack = try #require(try await home.packs()["org.example.cups"])
        #expect(pack["version"].text == "1.2.0" && pack["name"].text == "Cups" && pack["store"].text == "local")

        try await home.must("install", folder + "/plain.zip", "--unsigned")
        #expect(try await home.packs()["plain"]?["version"] == .null)
        #expect(FileManager.default.fileExists(atPath: folder + "/plain.zip"), "the file stays")
        try await home.fails(
            "install", "--unsigned", folder + "/bad.zip", exit: 5, code: "archive.no-end-record", saying: ["bad.zip"])
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]).write(
            to: URL(filePath: folder + "/image.zip"))
        try await home.fails(
            "install", "--unsigned", folder + "/image.zip", exit: 5, code: "archive.no-end-record",
            saying: ["image.zip", "not a ZIP file, but a PNG image"])
        try await home.fails(
            "install", "--unsigned", folder + "/absent.zip", exit: 3, code: "file.unusable",
            saying: ["neither a file", "absent.zip"])
        try await home.must("verify")
        try await home.must("update")
        // A pack of a store is not replaced by a local file with the same name, nor the other way round.
        let origin = try Origin()
        StoreDocuments.formatTwo("plain", version: "7.0.0", archive: StoreDocuments.pack(7), on: origin)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.fails(
            "install", "shop/plain", exit: 7, code: "conflict.other-store", saying: ["'local'", "'shop'"])
        try await home.must("uninstall", "plain")
        try await home.must("install", "plain")
        try await home.fails(
            "install", "--unsigned", folder + "/plain.zip", exit: 7, code: "conflict.other-store", saying: ["'shop'"])
        #expect(try await home.packs()["plain"]?["version"].text == "7.0.0")
        try await home.must("uninstall", "org.example.cups", "plain")
        try await home.expectNothingLeft()
    }

    @Test func `storehouse check reports what clients would accept`() async throws {
        let folder = try TemporaryFolder()
        let cases: [(String, [UInt8], String?)] = [
            ("good", StoreDocuments.pack(), nil), ("cut", StoreDocuments.pack().dropLast(9), "archive.no-end-record"),
            ("climbs", ZipForge().file("../a.png").build(), "archive.traversal"),
            ("link", ZipForge().symlink("a.png", to: "b").build(), "archive.link"),
        ]
        for (name, bytes, _) in cases { try Data(bytes).write(to: URL(filePath: "\(folder.path)/\(name).zip")) }
        let broken = ZipForge().file("pack.json", Array("[".utf8)).build()
        try Data(broken).write(to: URL(filePath: folder.path + "/broken.zip"))
        let environment = ["PATH": "/usr/bin"]
        func check(_ arguments: String...) async throws -> Programs.Result {
            try await Programs.run("storehouse", ["check"] + arguments, environment: environment)
        }

        let all = try await Programs.run(
            "storehouse", ["check", "--json"] + cases.map { "\(folder.path)/\($0.0).zip" }, environment: environment)
        #expect(all.exit == 5, "\(all)")
        let lines = try all.output.split(separator: "\n").map {
            try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))
        }
        #expect(lines.map { $0["code"].text } == cases.map(\.2))
        #expect(lines.map { $0["verdict"].text } == ["accepted", "refused", "refused", "refused"])
        #expect(lines.allSatisfy { has($0, "file", "verdict", "code", "message") })
        #expect(lines[0]["file"].text == folder.path + "/good.zip")

        #expect(try await check(folder.path + "/good.zip", "--kind", "sticker").exit == 0)
        #expect(try await check(folder.path + "/broken.zip").exit == 0, "only the rules for archives")
        #expect(try await check(folder.path + "/broken.zip", "--kind", "sticker").exit == 5)
        let absent = folder.path + "/absent.zip"
        #expect(try await check(absent).exit == 3)
        #expect(try await check(folder.path + "/good.zip", absent).exit == 3)
        #expect(try await check(folder.path + "/cut.zip", absent).exit == 5)
        #expect(try await check().exit == 2)
    }

    // MARK: Previews

    @Test(.needs("/usr/bin/script", debian: "bsdutils"))
    func `info shows previews where the terminal can, and their addresses elsewhere`() async throws {
        let origin = try Origin()
        let (picture, other) = (ImageForge.png(3, 2), ImageForge.png(4, 2))
        origin.serve("/one.png", picture)
        origin.serve("/two.png", other + [0])
        let previews = [("one", picture), ("two", other)].map { name, image in
            ["url": "/\(name).png", "size": image.count, "sha256": StoreDocuments.hash(image)] as [String: Any]
        }
        StoreDocuments.formatTwo(
            "cups", archive: StoreDocuments.pack(), on: origin, with: ["productDetailsPreviewImagesURLsArray": previews]
        )
        let home = try TestHome(settings: ["TERM": "xterm-kitty"])
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        let plain = try await home.must("info", "cups", "--previews").output
        #expect(plain.contains(origin.address + "one.png") && plain.contains(origin.address + "two.png"))
        func shown() async throws -> Programs.Result {
            try await Programs.run(
                "/usr/bin/script", ["-qec", Programs.path("storectl") + " info cups --previews", "/dev/null"],
                environment: home.environment)
        }
        let lying = try await shown()
        #expect(lying.exit == 5, "\(lying)")
        #expect(lying.output.contains(Data(picture).base64EncodedString()) && lying.output.contains("two.png"))
        origin.serve("/two.png", other)
        #expect(try await shown().exit == 0)
    }

    // MARK: Withdrawn products and dependencies

    @Test func `a withdrawn product stays installed and can't be installed any more`() async throws {
        let store = try await TestStore()
        try await store.add("cups", files: ["a.png": TestStore.bytes(10, seed: 1)])
        try await store.publish()
        let origin = try Origin()
        origin.serve(folder: store.publicPath)
        let (home, other) = (try TestHome(), try TestHome())
        for one in [home, other] { try await one.must("store", "add", "shop", origin.address, "--unsigned") }
        try await home.must("install", "cups")
        try await store.storehouse("withdraw", store.path, "cups")
        try await store.publish()

        try await home.must("refresh")
        let state = try await home.packs()["cups"]?["state"].elements.map(\.text)
        #expect(state == ["Downloaded", "Free", "Withdrawn"])
        #expect(try await home.storectl("update", "--check").exit == 0)
        #expect(try await home.must("update").output == "")
        try await home.must("verify", "cups")
        try await other.fails("install", "cups", exit: 3, code: "product.withdrawn", saying: ["'cups'", "'shop'"])

        try await home.must("uninstall", "cups")
        try await home.fails("install", "cups", exit: 3, code: "product.withdrawn")
        try await store.add("cups", version: "2.0.0", files: ["a.png": TestStore.bytes(10, seed: 2)])
        try await store.publish()
        try await home.must("install", "cups")
        try await home.expectNothingLeft()
    }

    @Test func `a pack's dependencies are installed with it and stay while they are needed`() async throws {
        let store = try await TestStore()
        func information(_ needs: String...) -> String {
            #"{"dependencies": [\#(needs.map { "\"\($0)\"" }.joined(separator: ", "))]}"#
        }
        let files = ["a.png": TestStore.bytes(10, seed: 1)]
        try await store.add("base", files: files)
        try await store.add("middle", information: information("base"), files: files)
        try await store.add("top", information: information("middle", "base"), files: files)
        try await store.add("astray", information: information("nope"), files: files)
        try await store.add("round", information: information("about"), files: files)
        try await store.add("about", information: information("round"), files: files)
        try await store.add("priced", price: "1 EUR", files: files)
        try await store.add("cheap", information: information("priced"), files: files)
        try await store.publish()
        let origin = try Origin()
        origin.serve(folder: store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")

        try await home.must("install", "top")
        #expect(try await home.packs().keys.sorted() == ["base", "middle", "top"])
        try await home.fails(
            "uninstall", "base", exit: 7, code: "conflict.needed", saying: ["'base'", "'middle'", "'top'"])
        try await home.fails("uninstall", "middle", exit: 7, code: "conflict.needed", saying: ["'top'"])
        try await home.must("uninstall", "top")
        try await home.must("uninstall", "middle")
        try await home.must("uninstall", "base")

        try await home.fails("install", "astray", exit: 3, code: "product.unknown", saying: ["'nope'", "'astray'"])
        try await home.fails("install", "cheap", exit: 9, code: "entitlement.missing", saying: ["'priced'"])
        #expect(try await home.packs().isEmpty)
        // Two products that depend on each other are installed together.
        try await home.must("install", "round")
        #expect(try await home.packs().keys.sorted() == ["about", "round"])
        // They are uninstalled one after the other.
        try await home.must("uninstall", "round")
        try await home.must("uninstall", "about")
        try await home.expectNothingLeft()
    }
}
