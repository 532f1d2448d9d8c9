import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Failures before any transfer: unknown names, several stores, prices.
@Suite(.hangGuard) struct CommandFailureTests {
    @Test func `an unknown name exits with 3 in every command`() async throws {
        let home = try TestHome()
        try await home.fails(
            "install", "nope", exit: 3, code: "product.unknown", saying: ["'nope'", "storectl store add"])
        let search = try await home.must("search", "nope")
        #expect(search.errors == "No products found.\nhint: add a store with 'storectl store add NAME URL'\n")
        for option in ["--root", "--token-file"] {
            try await home.fails(
                "store", "add", "shop", "http://127.0.0.1:1/", option, "no-file", exit: 3, code: "file.unusable",
                saying: ["there is no file 'no-file'"])
        }
        let store = try await TestStore()
        try await store.add("cups", files: ["a.png": TestStore.bytes(10, seed: 1)])
        try await store.publish()
        let origin = try Origin()
        origin.serve(folder: store.publicPath)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.fails("install", "nope", exit: 3, code: "product.unknown", saying: ["'nope'", "'shop'"])
        try await home.fails("info", "nope", exit: 3, code: "product.unknown", saying: ["'nope'"])
        try await home.fails("info", "shop/nope", exit: 3, code: "product.unknown", saying: ["'nope'"])
        for command in ["uninstall", "hold", "unhold", "rollback", "verify", "update"] {
            try await home.fails(command, "nope", exit: 3, code: "pack.not-installed", saying: ["'nope'"])
        }
        try await home.fails("update", "--check", "nope", exit: 3, code: "pack.not-installed", saying: ["'nope'"])
        try await home.fails("verify", "--repair", "nope", exit: 3, code: "pack.not-installed", saying: ["'nope'"])
        try await home.fails("stickers", "show", "nope", exit: 3, code: "pack.not-installed", saying: ["'nope'"])
        try await home.fails("cancel", "nope", exit: 3, code: "download.unknown", saying: ["'nope'"])
        try await home.fails(
            "purchases", "revoke", "nope", exit: 3, code: "entitlement.not-on-list", saying: ["'nope'"])
        for command in [["store", "remove", "no"], ["refresh", "no"], ["install", "cups", "--store", "no"]] {
            let result = try await Programs.run("storectl", command + ["--json"], environment: home.environment)
            #expect(result.exit == 3, "\(command): \(result)")
            #expect(try result.json["error"]?["code"].text == "store.unknown", "\(command): \(result)")
        }

        try await home.must("install", "cups")
        try await home.fails("rollback", "cups", exit: 3, code: "pack.no-previous", saying: ["'cups'"])
        #expect(try await home.packs().keys.sorted() == ["cups"])
        try await home.expectNothingLeft()
    }

    @Test func `wrong usage exits with 2 and refers to the help`() async throws {
        let home = try TestHome()
        let wrong: [[String]] = [
            ["install"], ["frobnicate"], ["install", "--frobnicate", "x"], ["list", "--kind"], ["store", "add", "x"],
            ["store", "add", "x", "nowhere", "--unsigned"], ["watch", "--after", "soon"], ["history", "--limit", "0"],
            ["search", "--sort", "luck"], ["rollback", "a", "b"], ["update", "--check", "--no-wait"],
        ]
        for command in wrong {
            let plain = try await Programs.run("storectl", command, environment: home.environment)
            #expect(plain.exit == 2, "\(command): \(plain)")
            #expect(plain.output == "" && plain.errors.hasPrefix("error: "), "\(command): \(plain)")
            #expect(plain.errors.contains("--help"), "\(command): \(plain)")
            let json = try await Programs.run("storectl", command + ["--json"], environment: home.environment)
            #expect(json.exit == 2, "\(command): \(json)")
            #expect(try json.json["error"]?["code"].text == "usage.invalid", "\(command): \(json)")
        }
        #expect(home.daemonPID == nil, "a command line that makes no sense starts no daemon")
        try await home.fails("store", "add", "../x", "http://127.0.0.1:1/", exit: 2, code: "store.bad-name")
        try await home.fails("config", "set", "downloads.maximumAtOnce", "many", exit: 2, code: "settings.invalid")
        try await home.fails("config", "get", "nope", exit: 2, code: "settings.unknown-key")
    }

    @Test func `texts that are no products are explained`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("org.example.cups", archive: StoreDocuments.pack(), on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        for command in ["install", "info"] {
            try await home.fails(
                command, "nostore/nothing", exit: 3, code: "product.unknown", saying: ["'nostore'", "store list"])
            try await home.fails(
                command, "nostore/org.example.cups", exit: 3, code: "product.unknown",
                saying: ["'shop/org.example.cups'"])
            try await home.fails(
                command, "cups", exit: 3, code: "product.unknown", saying: ["'shop/org.example.cups'"])
        }
        let folder = home.folder.path + "/own"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await home.fails(
            "install", folder, exit: 3, code: "file.unusable", saying: ["directory", "ZIP"])
        let archive = ZipForge().file("a.txt", Array("text".utf8)).build()
        try Data(archive).write(to: URL(filePath: folder + "/text.zip"))
        try await home.fails(
            "install", "--unsigned", folder + "/text.zip", exit: 5, code: "kind.unknown", saying: ["pack.json"])
        #expect(try await home.packs().isEmpty)
    }

    @Test func `watching a product that nobody knows fails`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("org.example.cups", archive: StoreDocuments.pack(), on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.fails(
            "watch", "cups", exit: 3, code: "product.unknown", saying: ["'shop/org.example.cups'"])
        try await home.fails("watch", "nothing", "--after", "1", exit: 3, code: "product.unknown")
        // One that no store offers any more, but that has a history, is watched.
        try await home.must("install", "org.example.cups")
        let before = try await home.must("daemon", "status", "--json").json["sequence"]?.number ?? 0
        try await home.must("uninstall", "org.example.cups")
        try await home.must("store", "remove", "shop")
        let watch = try home.startStorectl(
            "watch", "org.example.cups", "--after", "\(Int(before))", "--json")
        try await eventually { watch.output.contains("removed") }
        watch.signal(SIGKILL)
        _ = try await watch.result()
    }

    @Test func `a second rollback fails and says how to return to the newer version`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(1), on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "cups")
        StoreDocuments.formatTwo("cups", version: "2.0.0", archive: StoreDocuments.pack(2), on: origin)
        try await home.must("update")
        try await home.must("rollback", "cups")
        try await home.fails("rollback", "cups", exit: 3, code: "pack.no-previous", saying: ["storectl update cups"])
        #expect(try await home.packs()["cups"]?["version"].text == "1.0.0")
        try await home.must("update", "cups")
        #expect(try await home.packs()["cups"]?["version"].text == "2.0.0")
    }

    // MARK: Several stores

    @Test func `a product of two stores is installed from the named or preferred one`() async throws {
        let (first, second) = (try Origin(), try Origin())
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(1), on: first)
        StoreDocuments.formatTwo("cups", version: "2.0.0", archive: StoreDocuments.pack(2), on: second)
        let home = try TestHome()
        try await home.must("store", "add", "one", first.address, "--unsigned")
        try await home.must("store", "add", "two", second.address, "--unsigned")
        try await home.fails(
            "install", "cups", exit: 7, code: "conflict.several-stores",
            saying: ["'one', 'two'", "--store", "--priority"])
        #expect(try await home.packs().isEmpty)
        // Nothing has to be chosen to look at it.
        let info = try await home.must("info", "cups").output
        for fact in ["Store:      one", "Version:    1.0.0", "Store:      two", "Version:    2.0.0"] {
            #expect(info.contains(fact), "\(info)")
        }
        let document = try await home.must("info", "cups", "--json").json
        #expect(document["store"]?.text == "one" && document["others"]?.elements.map { $0["store"].text } == ["two"])
        #expect(try await home.must("info", "two/cups", "--json").json["others"] == nil)

        try await home.must("install", "cups", "--store", "one")
        #expect(try await home.packs()["cups"]?["store"].text == "one")
        try await home.must("uninstall", "cups")
        try await home.must("install", "two/cups")
        #expect(try await home.packs()["cups"]?["store"].text == "two")
        try await home.must("uninstall", "cups")

        try await home.must("store", "add", "one", first.address, "--unsigned", "--priority", "1")
        try await home.must("install", "cups")
        #expect(try await home.packs()["cups"]?["version"].text == "1.0.0")
        #expect(try await home.must("info", "cups", "--json").json["store"]?.text == "one")
        // Only the copy that is installed says so.
        let copies = try await home.must("search", "cups", "--json").json["products"]?.elements ?? []
        #expect(copies.map { $0["store"].text } == ["one", "two"])
        #expect(copies.map { $0["state"].elements.map(\.text) } == [["Downloaded", "Free"], ["Free"]])
        // Adding the store again without a priority keeps the priority.
        let again = try await home.must("store", "add", "one", first.address, "--unsigned", "--json").json
        #expect(again["priority"]?.number == 1)
        try await home.expectNothingLeft()
    }

    @Test func `a pack is updated from the store that it came from`() async throws {
        let (first, second) = (try Origin(), try Origin())
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(1), on: first)
        StoreDocuments.formatTwo("cups", version: "9.0.0", archive: StoreDocuments.pack(9), on: second)
        let home = try TestHome()
        try await home.must("store", "add", "one", first.address, "--unsigned")
        try await home.must("install", "cups")
        try await home.must("store", "add", "two", second.address, "--unsigned", "--priority", "10")

        for named in [["cups", "--store", "two"], ["two/cups"]] {
            let result = try await Programs.run(
                "storectl", ["install", "--json"] + named, environment: home.environment)
            #expect(result.exit == 7, "\(result)")
            #expect(try result.json["error"]?["code"].text == "conflict.other-store")
            #expect(result.errors.contains("'one'") && result.errors.contains("'two'"), "\(result)")
        }
        #expect(try await home.must("install", "cups", "--json").json["results"]?[0]["end"].text == "finished")
        #expect(try await home.storectl("update", "--check").exit == 0)
        #expect(try await home.must("update").output == "")
        #expect(try await home.packs()["cups"]?["version"].text == "1.0.0")

        StoreDocuments.formatTwo("cups", version: "1.1.0", archive: StoreDocuments.pack(3), on: first)
        #expect(try await home.storectl("update", "--check").exit == 11)
        try await home.must("update")
        let pack = try #require(try await home.packs()["cups"])
        #expect(pack["version"].text == "1.1.0" && pack["store"].text == "one")

        // Without its store the version can't be compared, and no other store's version replaces it.
        try await home.must("store", "remove", "one")
        #expect(try await home.must("update").output == "")
        try await home.fails("update", "cups", exit: 3, code: "store.unknown", saying: ["'cups'", "'one'"])
        #expect(try await home.packs()["cups"]?["version"].text == "1.1.0")
        try await home.expectNothingLeft()
    }

    // MARK: Prices

    @Test func `a product with a price must be purchased first`() async throws {
        let store = try await TestStore()
        try await store.add("gold", price: "1.99 EUR", files: ["a.png": TestStore.bytes(10, seed: 1)])
        try await store.add("lead", files: ["a.png": TestStore.bytes(10, seed: 2)])
        try await store.publish()
        let origin = try Origin()
        origin.serve(folder: store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")

        try await home.fails(
            "install", "gold", exit: 9, code: "entitlement.missing", saying: ["'gold'", "1.99 EUR", "purchases grant"])
        try await home.must("purchases", "grant", "gold")
        try await home.must("install", "gold")
        #expect(try await home.packs()["gold"]?["state"].elements.map(\.text) == ["Downloaded", "Purchased"])
        let list = try await home.must("purchases", "list", "--json").json["purchases"]?.elements
        #expect(list?.map { $0["productIdentifier"].text } == ["gold"])

        // A pack whose purchase was revoked stays installed, and can't be installed again.
        try await home.must("purchases", "revoke", "gold")
        #expect(try await home.packs()["gold"]?["state"].elements.map(\.text) == ["Downloaded", "Not Purchased"])
        try await home.must("uninstall", "gold")
        try await home.fails("install", "gold", exit: 9, code: "entitlement.missing")

        try await store.storehouse("price", store.path, "gold", "free")
        try await store.storehouse("price", store.path, "lead", "0.49 EUR")
        try await store.publish()
        try await home.must("install", "gold")
        try await home.fails("install", "lead", exit: 9, code: "entitlement.missing", saying: ["0.49 EUR"])
        try await home.expectNothingLeft()
    }
}
