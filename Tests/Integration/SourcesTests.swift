import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests mirrors, caches, local stores and credentials with the real programs.
@Suite(.hangGuard) struct SourcesTests {
    private let image = TestStore.bytes(50_000, seed: 3)

    private func archive(of store: TestStore) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: store.publicPath + "/archives")
        return "/archives/" + (try #require(names.first))
    }

    @Test func `a store with mirrors is published and used`() async throws {
        let store = try await TestStore()
        try await store.add("cups", files: ["01.png": image])
        let (main, mirror) = (try Origin(), try Origin())
        try await store.storehouse("publish", store.path, "--mirror", mirror.url("/copy").absoluteString)
        main.serve(folder: store.publicPath)
        let archive = try archive(of: store)
        mirror.serve("/copy" + archive, Array(try Data(contentsOf: URL(filePath: store.publicPath + archive))))
        main.always(archive, .status(503))

        // The delay would be an hour.
        let home = try TestHome(settings: ["STORECTL_DOWNLOADS_RETRY_DELAY": "3600000"])
        try await home.must("store", "add", "shop", main.url.absoluteString, "--unsigned")
        try await home.must("install", "cups")
        #expect(mirror.requests.count == 1 && main.requests(to: archive).count == 1)
        #expect(FileManager.default.contents(atPath: home.path + "/data/packs/cups.stickers/01.png") == image)

        // Mirrors are stored until they are removed.
        let index = { try Data(contentsOf: URL(filePath: store.publicPath + "/catalogue.json")) }
        let before = try index()
        try await store.publish()
        #expect(try index() == before)
        try await store.storehouse("publish", store.path, "--no-mirrors")
        #expect(try index() != before)
        for wrong in ["ftp://a.example/", "https://a.example/?x", "nothing"] {
            let result = try await Programs.run(
                "storehouse", ["publish", store.path, "--mirror", wrong], environment: ["PATH": "/usr/bin:/bin"])
            #expect(result.exit == 2, "\(wrong): \(result)")
        }
    }

    @Test func `an archive that was installed once is not fetched again`() async throws {
        let store = try await TestStore()
        try await store.add("cups", files: ["01.png": image])
        try await store.publish()
        let origin = try Origin()
        origin.serve(folder: store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.url.absoluteString, "--unsigned")
        try await home.must("install", "cups")
        let kept = home.entries("cache/archives")
        #expect(kept.count == 1)
        try await home.must("uninstall", "cups")
        await home.killDaemon()
        try await home.must("install", "cups", "--limit-rate", "1M")
        #expect(origin.requests(to: try archive(of: store)).count == 1)
        try await home.must("config", "set", "downloads.keptArchives", "0")
        #expect(home.entries("cache/archives").isEmpty)
        let wrong = try await home.storectl("config", "set", "network.shares", "sticker=50,skin=30")
        #expect(wrong.exit == 2 && wrong.errors.contains("sum to 80"), "\(wrong)")
        try await home.must("config", "set", "network.shares", "sticker=50,skin=50")
    }

    @Test func `a token is sent to its store only and is never printed`() async throws {
        let store = try await TestStore()
        try await store.add("cups", files: ["01.png": image])
        try await store.publish()
        let (origin, elsewhere) = (try Origin(), try Origin())
        origin.serve(folder: store.publicPath)
        let archive = try archive(of: store)
        elsewhere.serve("/moved", Array(try Data(contentsOf: URL(filePath: store.publicPath + archive))))
        origin.always(archive, .redirect(to: elsewhere.url("/moved").absoluteString))
        let home = try TestHome(settings: ["STORECTL_LOG_LEVEL": "trace"])
        let token = home.folder.path + "/token"
        try Data("s3cr3t-t0ken\n".utf8).write(to: URL(filePath: token))
        var said = try await home.must(
            "store", "add", "shop", origin.url.absoluteString, "--unsigned", "--token-file", token
        ).description
        for arguments in [
            ["store", "list", "--json"], ["store", "list"], ["history", "--json"], ["config", "list"],
        ] {
            said += try await Programs.run("storectl", arguments, environment: home.environment).description
        }
        said += try await home.must("install", "cups", "--json").description
        #expect(origin.requests.allSatisfy { $0.headers["authorization"] == "Bearer s3cr3t-t0ken" })
        #expect(elsewhere.requests.count == 1 && elsewhere.requests[0].headers["authorization"] == nil)
        origin.always("/catalogue.json", .status(401))
        said += try await home.storectl("refresh").description
        said += try String(contentsOfFile: home.path + "/cache/stored.log", encoding: .utf8)
        #expect(!said.contains("s3cr3t-t0ken"))
        let file = try FileManager.default.attributesOfItem(atPath: home.path + "/config/credentials.json")
        #expect(file[.posixPermissions] as? Int == 0o600)
        #expect(try await home.storectl("store", "add", "b", "http://a/", "--token-file", "x", "--netrc").exit == 2)
    }

    @Test func `a store on a medium needs no network`() async throws {
        let store = try await TestStore()
        try await store.add("cups", files: ["01.png": image])
        try await store.publish()
        let home = try TestHome()
        try await home.must("store", "add", "stick", URL(filePath: store.publicPath).absoluteString, "--unsigned")
        try await home.must("install", "cups")
        #expect(home.entries("cache/archives").isEmpty, "what lies on this machine is not kept twice")
        try await store.add("cups", version: "2.0.0", files: ["01.png": TestStore.bytes(60_000, seed: 4)])
        try await store.publish()
        try await home.must("update")
        #expect(try await home.packs()["cups"]?["version"].text == "2.0.0")
    }

    @Test func `a file is fetched from its mirrors`() async throws {
        let bytes = OriginBytes.random(3_000_000)
        let hash = SHA256Digest(of: bytes).hex
        let (first, second) = (try Origin(), try Origin())
        for origin in [first, second] { origin.serve("/a.bin", bytes) }
        first.always("/a.bin", .resetAfter(1_000_000))
        let folder = try TemporaryFolder()
        let urls = [first.url("/a.bin").absoluteString, "--mirror", second.url("/a.bin").absoluteString]
        let result = try await Programs.run(
            "stored", ["fetch"] + urls + ["--sha256", hash, "-o", folder.path + "/a", "--json"], environment: [:])
        #expect(result.exit == 0, "\(result)")
        #expect(try result.json["results"]?[0]["source"].text == second.url("/a.bin").absoluteString)
        #expect(try Array(Data(contentsOf: URL(filePath: folder.path + "/a"))) == bytes)
        #expect(first.requests.count == 1 && second.requests.first?.range != nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
    }

    @Test func `without a hash a file is resumed by its entity tag`() async throws {
        let bytes = OriginBytes.random(3_000_000)
        let origin = try Origin()
        origin.serve("/a.bin", bytes)
        origin.script("/a.bin", [[.resetAfter(1_000_000)], []])
        let folder = try TemporaryFolder()
        let arguments = ["fetch", origin.url("/a.bin").absoluteString, "-o", folder.path + "/a", "--attempts", "1"]
        #expect(try await Programs.run("stored", arguments, environment: [:]).exit == 4)
        let result = try await Programs.run("stored", arguments + ["--json"], environment: [:])
        #expect(result.exit == 0, "\(result)")
        #expect(try result.json["results"]?[0]["resumedFrom"].number ?? 0 > 0)
        #expect(origin.requests.last?.headers["if-range"] != nil)
        #expect(try Array(Data(contentsOf: URL(filePath: folder.path + "/a"))) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
    }
}
