import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests what makes the command line convenient: suggestions, aliases, versions, categories, columns, logs.
@Suite(.hangGuard) struct EverydayCommandsTests {
    private let home: TestHome
    private let origins: [Origin]

    init() async throws {
        home = try TestHome()
        origins = [try Origin(), try Origin()]
        serve([("org.example.cups", "1.0.0", ["Kitchen"]), ("spoons", "1.0.0", ["kitchen", "Metal"])], on: origins[0])
        serve([("org.example.cups", "2.0.0", ["Tea"])], on: origins[1])
        try await home.must("store", "add", "old", origins[0].address, "--unsigned", "--priority", "5")
        try await home.must("store", "add", "new", origins[1].address, "--unsigned")
    }

    private func serve(_ products: [(id: String, version: String, categories: [String])], on origin: Origin) {
        let documents = products.enumerated().map { index, product in
            let archive = StoreDocuments.pack(UInt64(index + product.version.count), size: 2000 + 1000 * index)
            origin.serve("/\(product.id).zip", archive)
            return StoreDocuments.product(
                product.id, version: product.version, archive: archive, at: "/\(product.id).zip",
                with: ["categories": product.categories])
        }
        StoreDocuments.formatTwo(documents, on: origin)
    }

    private func identifiers(_ arguments: String...) async throws -> [String?] {
        let found = try await Programs.run("storectl", arguments + ["--json"], environment: home.environment)
        return try found.json["products"]?.elements.map { $0["productIdentifier"].text } ?? []
    }

    @Test func `mistyped commands and identifiers are answered with similar ones`() async throws {
        try await home.fails(
            "instal", "cups", exit: 2, code: "usage.invalid",
            saying: ["no such command 'instal'", "did you mean 'install'?"])
        try await home.fails("store", "ad", exit: 2, code: "usage.invalid", saying: ["did you mean 'add'?"])
        let help = try await home.storectl("help", "instal")
        #expect(help.exit == 2 && help.errors.contains("did you mean 'install'?"), "\(help)")
        try await home.fails("list", "--knd", "x", exit: 2, code: "usage.invalid", saying: ["'--kind'"])
        try await home.fails(
            "list", "--home", "", exit: 2, code: "usage.invalid", saying: ["--home needs a directory"])

        try await home.must("install", "spoons")
        let asked = origins.map { $0.requests.count }
        try await home.fails(
            "uninstall", "spons", exit: 3, code: "pack.not-installed", saying: ["did you mean 'spoons'?"])
        for command in ["hold", "rollback", "verify"] {
            try await home.fails(
                command, "spons", exit: 3, code: "pack.not-installed", saying: ["did you mean 'spoons'?"])
        }
        #expect(origins.map { $0.requests.count } == asked, "no store is contacted")
        let search = try await home.must("search", "--kind", "stickers")
        #expect(search.errors.contains("did you mean --kind sticker?"), "\(search)")
        for command in ["install", "info", "show"] {
            try await home.fails(
                command, "org.example.cusp", exit: 3, code: "product.unknown",
                saying: ["did you mean 'org.example.cups'?"])
        }
        for words in [["get", "netwrk.proxy"], ["set", "netwrk.proxy", "http://p:1"], ["unset", "netwrk.proxy"]] {
            let result = try await Programs.run("storectl", ["config"] + words, environment: home.environment)
            #expect(result.errors.contains("did you mean 'network.proxy'?"), "\(result)")
        }
        // Nothing is similar, so the general advice stays.
        try await home.fails("uninstall", "teapot", exit: 3, code: "pack.not-installed", saying: ["storectl list"])
    }

    @Test func `a mistyped store is answered with a similar one`() async throws {
        let commands = [
            ["search", "--store", "odl"], ["categories", "--store", "odl"], ["info", "spoons", "--store", "odl"],
            ["install", "spoons", "--store", "odl"], ["refresh", "odl"], ["store", "remove", "odl"],
        ]
        for command in commands {
            let result = try await Programs.run("storectl", command, environment: home.environment)
            #expect(result.exit == 3 && result.errors.contains("hint: did you mean 'old'?"), "\(command): \(result)")
        }
        try await home.fails(
            "install", "odl/teapot", exit: 3, code: "product.unknown", saying: ["did you mean 'old'?"])
        try await home.fails("refresh", "elsewhere", exit: 3, code: "store.unknown", saying: ["storectl store list"])
    }

    @Test func `a store that is added twice, and swapped arguments, are noticed`() async throws {
        let again = try await home.must("store", "add", "again", origins[0].address + "catalogue.json", "--unsigned")
        #expect(again.errors.contains("warning: the store 'old' has the same URL"), "\(again)")
        #expect(again.output.hasPrefix("Added store again"))
        let changed = try await home.must("store", "add", "old", origins[0].address, "--unsigned", "--priority", "2")
        #expect(changed.output.hasPrefix("Changed store old"), "\(changed)")
        let other = try await home.must("store", "add", "new", origins[1].address, "--unsigned")
        #expect(!other.errors.contains("warning:"), "the store itself is no other one: \(other)")
        try await home.fails(
            "store", "add", origins[0].address, "swapped", exit: 2, code: "usage.invalid",
            saying: ["did you mean 'storectl store add swapped \(origins[0].address)'?"])
        #expect(try await home.must("help", "store", "add").output.contains("file:///"))
    }

    @Test func `one word names what is installed, and withdrawn products are counted apart`() async throws {
        try await home.must("install", "spoons")
        let search = try await home.must("search", "spoons").output
        let info = try await home.must("info", "spoons").output
        #expect(search.contains("Installed") && !search.contains("Downloaded"), "\(search)")
        #expect(info.contains("Installed") && !info.contains("Downloaded"), "\(info)")

        #expect(try await home.must("refresh", "old").output == "old: 2 products.\n")
        let archive = StoreDocuments.pack(7, size: 2000)
        origins[0].serve("/a.zip", archive)
        StoreDocuments.formatTwo(
            [
                StoreDocuments.product("spoons", version: "1.0.0", archive: archive, at: "/a.zip"),
                StoreDocuments.product(
                    "forks", version: "1.0.0", archive: archive, at: "/a.zip", with: ["withdrawn": true]),
            ], on: origins[0])
        #expect(try await home.must("refresh", "old").output == "old: 1 product, 1 withdrawn.\n")
        let store = try await home.must("refresh", "old", "--json").json["stores"]?.elements.first
        #expect(store?["products"].number == 2 && store?["withdrawn"].number == 1)
    }

    @Test func `packs that are not updated because of one store have one error`() async throws {
        let third = try Origin()
        serve([("plates", "1.0.0", [])], on: third)
        try await home.must("store", "add", "third", third.address, "--unsigned")
        try await home.must("install", "spoons", "old/org.example.cups", "plates")
        origins[0].stop()
        serve([("plates", "1.1.0", [])], on: third)
        let update = try await home.storectl("update", "--quiet")
        #expect(update.exit != 0, "\(update)")
        #expect(update.errors.components(separatedBy: "error: ").count == 2, "\(update)")
        #expect(try await home.packs()["plates"]?["version"].text == "1.1.0")
    }

    @Test func `holding and releasing a pack twice says that it was so already`() async throws {
        try await home.must("install", "spoons")
        #expect(try await home.must("unhold", "spoons").output == "spoons was not held.\n")
        #expect(try await home.must("hold", "spoons").output == "Held spoons.\n")
        #expect(try await home.must("hold", "spoons").output == "spoons was held already.\n")
        #expect(try await home.packs()["spoons"]?["held"] == .bool(true))
        #expect(try await home.must("unhold", "spoons").output == "Released spoons.\n")
    }

    @Test func `a purchase of a product that no store offers is warned of`() async throws {
        let mistyped = try await home.must("purchases", "grant", "spons")
        #expect(mistyped.errors.contains("warning: no store offers a product 'spons'"), "\(mistyped)")
        #expect(mistyped.errors.contains("hint: did you mean 'spoons'? Remove this purchase with"), "\(mistyped)")
        #expect(mistyped.output == "Recorded the purchase of spons.\n")
        let unknown = try await home.must("purchases", "grant", "completely.different", "--json")
        #expect(unknown.errors == "warning: no store offers a product 'completely.different'\n", "\(unknown)")
        #expect(try unknown.json["productIdentifier"]?.text == "completely.different")
        let elsewhere = try await home.must("purchases", "grant", "new/spoons")
        #expect(elsewhere.errors == "warning: the store 'new' does not offer a product 'spoons'\n", "\(elsewhere)")
        for known in ["spoons", "old/spoons", "new/org.example.cups"] {
            #expect(try await home.must("purchases", "grant", known).errors.isEmpty)
        }
    }

    @Test func `aliases do what the commands do`() async throws {
        try await home.must("install", "spoons", "old/org.example.cups")
        #expect(try await home.must("ls", "--json").output == home.must("list", "--json").output)
        #expect(try await home.must("show", "spoons").output == home.must("info", "spoons").output)
        #expect(try await home.must("upgrade").output == "")
        try await home.must("remove", "spoons")
        #expect(try await home.packs().keys.sorted() == ["org.example.cups"])
        let help = try await home.must("--help").output
        for line in ["uninstall, remove", "update, upgrade", "list, ls", "info, show"] { #expect(help.contains(line)) }
    }

    @Test func `a version is installed from a store that offers it`() async throws {
        // The other store has a lower priority.
        try await home.must("install", "org.example.cups@2.0.0")
        let pack = try #require(try await home.packs()["org.example.cups"])
        #expect(pack["version"].text == "2.0.0" && pack["store"].text == "new")
        try await home.must("install", "org.example.cups@2.0.0")
        try await home.fails(
            "install", "org.example.cups@1.0.0", exit: 7, code: "conflict.other-version",
            saying: ["version 1.0.0", "version 2.0.0 is installed", "storectl uninstall"])
        try await home.must("uninstall", "org.example.cups")

        try await home.must("install", "old/org.example.cups@1.0.0")
        #expect(try await home.packs()["org.example.cups"]?["version"].text == "1.0.0")
        try await home.fails(
            "install", "org.example.cups@2.0.0", exit: 7, code: "conflict.other-version", saying: ["storectl update"])
    }

    @Test func `a version that no store offers fails with those that are offered`() async throws {
        try await home.fails(
            "install", "org.example.cups@3", exit: 3, code: "product.version-unknown",
            saying: ["version 3 of 'org.example.cups'", "'new/org.example.cups@2.0.0', 'old/org.example.cups@1.0.0'"])
        try await home.fails(
            "install", "new/org.example.cups@1.0.0", exit: 3, code: "product.version-unknown",
            saying: ["'new/org.example.cups@2.0.0'"])
        try await home.fails(
            "install", "org.example.cusp@1.0.0", exit: 3, code: "product.unknown",
            saying: ["did you mean 'org.example.cups'?"])
        // The other product is installed.
        try await home.fails("install", "spoons@9", "spoons@1", exit: 10, code: "operation.some-failed")
        #expect(try await home.packs().keys.sorted() == ["spoons"])
    }

    @Test func `an identifier may contain an at sign`() async throws {
        serve([("cups@2", "1.0.0", []), ("cups", "2.0.0", [])], on: origins[0])
        try await home.must("install", "cups@2", "cups@2@1.0.0")
        #expect(try await home.packs().keys.sorted() == ["cups@2"])
        try await home.must("install", "cups@2.0.0")
        #expect(try await home.packs().keys.sorted() == ["cups", "cups@2"])
    }

    @Test func `a search is limited to a store and a number of products`() async throws {
        #expect(try await identifiers("search", "--store", "new") == ["org.example.cups"])
        #expect(try await identifiers("search", "--store", "old", "--sort", "name").count == 2)
        #expect(try await identifiers("search", "--store", "old", "--limit", "1") == ["org.example.cups"])
        let limited = try await home.must("search", "--limit", "1")
        #expect(limited.output.split(separator: "\n").count == 2 && limited.errors.contains("--limit"))
        try await home.fails("search", "--store", "nope", exit: 3, code: "store.unknown", saying: ["'nope'"])
        for limit in ["0", "1001", "x"] {
            try await home.fails("search", "--limit", limit, exit: 2, code: "usage.invalid")
        }
    }

    @Test func `categories are listed with the number of their products`() async throws {
        let all = try await home.must("categories", "--json").json["categories"]?.elements ?? []
        #expect(all.map { $0["name"].text } == ["Kitchen", "Metal", "Tea"])
        #expect(all.map { $0["products"].number } == [2, 1, 1])
        let table = try await home.must("categories", "--store", "new").output
        #expect(table == "NAME  PRODUCTS\nTea          1\n")
        try await home.fails("categories", "--store", "nope", exit: 3, code: "store.unknown")
    }

    @Test func `a list has the chosen columns in the chosen order`() async throws {
        try await home.must("install", "spoons", "new/org.example.cups")
        let output = try await home.must("list", "--columns", "version,id", "--sort", "size").output
        #expect(output == "VERSION  ID\n1.0.0    spoons\n2.0.0    org.example.cups\n")
        let paths = try await home.must("list", "--columns", "path", "--sort", "version").output
        #expect(
            paths.split(separator: "\n").dropFirst().map { $0.split(separator: "/").last } == [
                "spoons.stickers", "org.example.cups.stickers",
            ])
        let sorted = try await home.must("list", "--sort", "size", "--json").json["packs"]?.elements ?? []
        #expect(sorted.map { $0["productIdentifier"].text } == ["spoons", "org.example.cups"])
        try await home.fails("list", "--columns", "colour", exit: 2, code: "usage.invalid", saying: ["'colour'"])
        try await home.fails("list", "--columns", "id", exit: 2, code: "usage.invalid", saying: ["--columns"])
    }

    @Test func `all downloads are cancelled`() async throws {
        for origin in origins {
            for path in ["/spoons.zip", "/org.example.cups.zip"] { origin.always(path, .stallBeforeAnswer) }
        }
        try await home.must("install", "spoons", "org.example.cups", "--no-wait")
        for command in ["pause", "cancel"] {
            try await home.fails(
                command, "spons", exit: 3, code: "download.unknown", saying: ["did you mean 'spoons'?"])
        }
        let result = try await home.must("cancel", "--all")
        #expect(
            result.output.split(separator: "\n").sorted() == ["Cancelled org.example.cups.", "Cancelled spoons."])
        #expect(try await home.must("cancel", "--all").errors.contains("No downloads to cancel."))
        try await home.fails("cancel", exit: 2, code: "usage.invalid", saying: ["--all"])
        try await home.fails("cancel", "--all", "spoons", exit: 2, code: "usage.invalid")
    }

    @Test func `the log of the daemon is shown and followed`() async throws {
        try await home.must("config", "set", "log.level", "info")
        try await home.must("install", "spoons")
        try await eventually { try await home.must("daemon", "logs").output.contains("product=spoons") }
        let last = try await home.must("daemon", "logs", "-n", "1", "--json").json
        #expect(last["path"]?.text == home.path + "/cache/stored.log" && last["lines"]?.elements.count == 1)

        let following = try home.startStorectl("daemon", "logs", "--follow", "-n", "1")
        // From then on, no line is missed.
        try await eventually { !following.output.isEmpty }
        try await home.must("install", "org.example.cups")
        try await eventually { following.output.contains("product=org.example.cups") }
        following.signal(SIGINT)
        #expect(try await following.result().exit == 130)

        let other = try TestHome()
        try await other.fails("daemon", "logs", exit: 3, code: "file.unusable", saying: ["journalctl"])
        #expect(!FileManager.default.fileExists(atPath: other.path), "no daemon is started")
    }

    @Test func `info shows the changes of an update, and the addresses of images`() async throws {
        try await home.must("install", "spoons")
        let (archive, image) = (StoreDocuments.pack(9), ImageForge.png(3, 2))
        let hash = StoreDocuments.hash(image)
        let previews = ["one", "two"].map {
            ["url": "/\($0).png", "size": image.count, "sha256": hash] as [String: Any]
        }
        origins[0].serve("/spoons.zip", archive)
        StoreDocuments.formatTwo(
            [
                StoreDocuments.product(
                    "spoons", version: "1.5.0", archive: archive, at: "/spoons.zip",
                    with: [
                        "dependencies": ["org.example.cups"], "productResourceImageURL": "/icon.png",
                        "productResourceImageSize": image.count, "productResourceImageSHA256": hash,
                        "productDetailsPreviewImagesURLsArray": previews,
                    ])
            ], on: origins[0])
        let lines = try await home.must("info", "spoons").output.split(separator: "\n").map(String.init)
        for line in [
            "Update:     1.0.0 → 1.5.0", "Changes:    also requires org.example.cups",
            "Icon:       \(origins[0].address)icon.png", "Preview:    \(origins[0].address)one.png",
            "Preview:    \(origins[0].address)two.png",
        ] { #expect(lines.contains(line), "\(line): \(lines)") }
        #expect(lines.contains { $0.hasPrefix("Cover:      \(home.path)/data/packs/spoons.stickers/") })
        try await home.must("update")
        #expect(try await !home.must("info", "spoons").output.contains("Update:"))
    }
}
