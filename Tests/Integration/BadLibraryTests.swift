import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Packs that others changed, and unusual identifiers.
@Suite(.hangGuard) struct BadLibraryTests {
    @Test func `an unmanaged pack is listed and never changed`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(), on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        #expect(try await home.packs().isEmpty)
        // The daemon is running now.
        let folder = home.path + "/data/packs/cups.stickers"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let content = TestStore.bytes(77, seed: 1)
        try content.write(to: URL(filePath: folder + "/mine.png"))

        let pack = try #require(try await home.packs()["cups"])
        #expect(pack["store"] == .null && pack["size"].number == 77 && pack["path"].text == folder)
        #expect(pack["kind"].text == "sticker" && pack["state"].elements.map(\.text) == ["Downloaded"])
        let stickers = try await home.must("stickers", "list", "--json").json["packs"]?.elements ?? []
        #expect(stickers.map { $0["productIdentifier"].text } == ["cups"])
        #expect(stickers.first?["count"].number == 1)

        for command in [
            ["install"], ["uninstall"], ["hold"], ["update"], ["verify"], ["rollback"], ["verify", "--repair"],
        ] {
            let result = try await Programs.run(
                "storectl", command + ["cups", "--json"], environment: home.environment)
            #expect(result.exit == 7, "\(command): \(result)")
            #expect(try result.json["error"]?["code"].text == "conflict.by-hand", "\(command): \(result)")
            #expect(result.errors.contains(folder), "\(command): \(result)")
        }
        #expect(try await home.storectl("update").exit == 0)
        #expect(try await home.storectl("verify").exit == 0)
        #expect(home.files(of: "cups.stickers") == ["mine.png": content])

        try FileManager.default.removeItem(atPath: folder)
        #expect(try await home.packs().isEmpty)
        try await home.must("install", "cups")
        try await home.expectNothingLeft()
    }

    @Test func `an unmanaged directory that appears during an installation is not overwritten`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(), on: origin)
        origin.always("/1.0.0.zip", .stallAfter(100))
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        let install = try home.startStorectl("install", "cups", "--json")
        await origin.untilStalled()
        let folder = home.path + "/data/packs/cups.stickers"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data("mine".utf8).write(to: URL(filePath: folder + "/mine.png"))
        origin.release()
        let result = try await install.result()
        #expect(result.exit == 7, "\(result)")
        #expect(try result.json["error"]?["code"].text == "conflict.by-hand")
        #expect(home.files(of: "cups.stickers") == ["mine.png": Data("mine".utf8)])
        try await home.expectNothingLeft()
    }

    // MARK: Identifiers

    /// The identifiers, and the directories that the contract assigns to them.
    static let names: [String: String] = [
        "../../x": "%2E.%2F..%2Fx", "..": "%2E.", ".": "%2E", ".hidden": "%2Ehidden", "-dash": "-dash",
        "a/b": "a%2Fb", "/abs": "%2Fabs", "a%2Fb": "a%252Fb", "100%": "100%25", "with space": "with%20space",
        "🙂": "%F0%9F%99%82", "Chávena": "Ch%C3%A1vena", "quo\"te's": "quo%22te%27s", "a?b#c&d=e": "a%3Fb%23c%26d%3De",
        "back\\slash": "back%5Cslash", "*": "%2A", "~": "%7E", "UPPER_low.1-2": "UPPER_low.1-2",
        String(repeating: "a", count: 300):
            String(repeating: "a", count: 120) + "~"
            + StoreDocuments.hash(Array(repeating: UInt8(ascii: "a"), count: 300)),
        String(repeating: "é", count: 60):
            String(repeating: "%C3%A9", count: 20) + "~"
            + StoreDocuments.hash(Array(String(repeating: "é", count: 60).utf8)),
    ]

    @Test func `any identifier is accepted, and its directory stays among the packs`() async throws {
        let store = try await TestStore()
        let identifiers = Self.names.keys.sorted()
        func publish(_ version: String) async throws {
            for (place, identifier) in identifiers.enumerated() {
                let pack = store.folder.path + "/pack"
                try FileManager.default.createDirectory(atPath: pack, withIntermediateDirectories: true)
                try TestStore.bytes(100 + place, seed: UInt64(version.count)).write(to: URL(filePath: pack + "/a.png"))
                try await store.storehouse("add", store.path, pack, "--id=" + identifier, "--version", version)
            }
            try await store.publish()
        }
        try await publish("1.0.0")
        let server = try await NginxServer(serving: store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", server.url, "--unsigned")

        func all(_ words: String...) async throws -> [JSONValue] {
            let result = try await Programs.run(
                "storectl", words + ["--json", "--"] + identifiers, environment: home.environment)
            #expect(result.exit == 0, "\(words): \(result)")
            let results = try result.json["results"]?.elements ?? []
            #expect(results.map { $0["productIdentifier"].text } == identifiers)
            return results
        }
        #expect(try await all("install").allSatisfy { $0["end"].text == "finished" })
        func expectFolders(_ version: String) async throws {
            #expect(home.entries("data/packs") == Self.names.values.map { $0 + ".stickers" }.sorted())
            let packs = try await home.packs()
            #expect(packs.keys.sorted() == identifiers)
            for (place, identifier) in identifiers.enumerated() {
                let path = home.path + "/data/packs/" + Self.names[identifier]! + ".stickers"
                #expect(packs[identifier]?["path"].text == path)
                #expect(packs[identifier]?["version"].text == version, "\(identifier)")
                #expect(packs[identifier]?["size"].number == Double(100 + place), "\(identifier)")
            }
        }
        try await expectFolders("1.0.0")
        #expect(try await all("verify").allSatisfy { $0["intact"] == .bool(true) })
        try await publish("1.0.10")
        #expect(try await all("update").allSatisfy { $0["end"].text == "finished" })
        try await expectFolders("1.0.10")
        for identifier in identifiers {
            try await home.must("rollback", "--", identifier)
            #expect(try await home.history(identifier).map { $0["action"].text } == ["rollback", "update", "install"])
            #expect(try await home.must("info", "--json", "--", identifier).json["store"]?.text == "shop")
            #expect(
                try await home.must("stickers", "show", "--json", "--", identifier).json["count"]?.number == 1)
        }
        try await expectFolders("1.0.0")
        _ = try await all("uninstall")
        #expect(home.entries("data/packs") == [])
        #expect(home.entries("data/previous") == [])
        #expect(home.entries("") == ["cache", "config", "data", "run"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.folder.path) == ["home"])
        try await home.expectNothingLeft()
    }

    // MARK: Damage

    @Test func `verify reports and repairs changed, missing and added files`() async throws {
        let origin = try Origin()
        let archive = ZipForge().file("a.png", ImageForge.bytes(500)).file("b.png", ImageForge.gif()).file(
            "sub/c.png", ImageForge.gif()
        ).file("d.png", ImageForge.gif())
            .build()
        StoreDocuments.formatTwo("cups", archive: archive, on: origin)
        // A cached archive would repair the pack without the server.
        let home = try TestHome(settings: ["STORECTL_DOWNLOADS_KEPT_ARCHIVES": "0"])
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "cups")
        let before = home.files(of: "cups.stickers")
        #expect(try await home.must("verify", "--json").json["results"]?[0]["intact"] == .bool(true))

        let folder = home.path + "/data/packs/cups.stickers/"
        var changed = try #require(before["a.png"])
        changed[250] ^= 1
        try changed.write(to: URL(filePath: folder + "a.png"))
        try FileManager.default.removeItem(atPath: folder + "sub/c.png")
        try Data("new".utf8).write(to: URL(filePath: folder + "e.png"))
        try FileManager.default.removeItem(atPath: folder + "d.png")
        try FileManager.default.createSymbolicLink(atPath: folder + "d.png", withDestinationPath: "/etc/passwd")

        let found = try await home.fails(
            "verify", exit: 5, code: "pack.damaged", saying: ["'cups'", "verify --repair"])
        let damages = found["results"]?[0]["damages"].elements.map {
            "\($0["path"].text ?? "") \($0["damage"].text ?? "")"
        }
        #expect(damages == ["a.png changed", "d.png replaced", "e.png added", "sub/c.png missing"])
        #expect(try await home.storectl("verify", "cups").exit == 5)

        // A failed repair leaves the pack unchanged.
        origin.always("/1.0.0.zip", .status(404))
        try await home.fails("verify", "--repair", exit: 4, code: "transfer.http-status", saying: ["1.0.0.zip"])
        #expect(try await home.storectl("verify").exit == 5)
        try await home.expectNothingLeft()

        origin.always("/1.0.0.zip")
        let repaired = try await home.must("verify", "--repair", "--json").json["results"]?[0]
        #expect(repaired?["end"].text == "finished" && repaired?["error"] == .null)
        #expect(home.files(of: "cups.stickers") == before)
        try await home.must("verify")
        #expect(try await home.history("cups").map { $0["action"].text } == ["repair", "repair", "install"])
        #expect(home.entries("data/previous") == [])
        try await home.expectNothingLeft()
    }

    @Test func `a pack whose receipt was removed is damaged, and repaired`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(), on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "cups")
        let receipt = home.path + "/data/packs/cups.stickers/.receipt.json"
        try FileManager.default.removeItem(atPath: receipt)
        for _ in 0..<2 {
            let found = try await home.fails("verify", exit: 5, code: "pack.damaged", saying: ["verify --repair"])
            let damages = found["results"]?[0]["damages"]
            #expect(damages?[0]["path"].text == ".receipt.json" && damages?[0]["damage"].text == "missing")
            #expect(try await home.packs()["cups"]?["store"].text == "shop")
            // The next daemon knows it, too.
            try await home.must("daemon", "stop")
        }
        try await home.must("verify", "--repair")
        try await home.must("verify", "cups")
        #expect(FileManager.default.fileExists(atPath: receipt))
    }

    @Test func `a pack that the user put in place of an installed one is unmanaged, and in the way until it is moved`()
        async throws
    {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(), on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "cups")
        let folder = home.path + "/data/packs/cups.stickers"
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data("mine".utf8).write(to: URL(filePath: folder + "/1.png"))
        #expect(try await home.storectl("verify", "cups").exit != 0)
        try await home.must("daemon", "stop")
        #expect(try await home.packs()["cups"]?["store"] == .null)
        try await home.fails("install", "cups", exit: 7, code: "conflict.by-hand", saying: [folder])
        try FileManager.default.removeItem(atPath: folder)
        try await home.must("install", "cups")
        try await home.must("verify", "cups")
    }
}
