import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Signed stores from `storehouse` to `storectl`, by the programs as publishers and users run them.
@Suite(.hangGuard) struct SignedClientTests {
    private let shop: SignedStore
    private let home: TestHome
    private let pack = "org.example.cups"
    init() throws {
        shop = try SignedStore()
        home = try TestHome()
    }

    private var published: String { shop.path + "/public" }
    private var root: String { published + "/metadata/1.root.json" }

    private func publish(_ version: Int) async throws {
        try await shop.addPack(version)
        try await shop.run(["publish", shop.path])
    }

    /// Makes a signed store with one pack, and serves it.
    private func serve() async throws -> NginxServer {
        try await shop.run(["init", shop.path, "--sign"])
        try await publish(1)
        return try await NginxServer(serving: published)
    }

    private func fingerprint() async throws -> String {
        try #require(try await shop.run(["key", "list", shop.path, "--json"]).json["fingerprint"]?.text)
    }

    /// Replaces what is served by a copy that was made before, as a server does that went back to yesterday's state.
    private func restore(_ copy: String) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: copy) {
            let file = URL(filePath: copy + "/" + name)
            if try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true { continue }
            try Data(contentsOf: file).write(to: URL(filePath: published + "/" + name))
            // Servers make entity tags of size and time, which must not be those of today's file.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -86_400)], ofItemAtPath: published + "/" + name)
        }
    }

    @Test func `a signed store is added with its root, installed from, and shown`() async throws {
        let server = try await serve()
        let fingerprint = try await fingerprint()
        let wrong = String(repeating: "0", count: 64)
        try await home.fails(
            "store", "add", "shop", server.url, "--root", root, "--fingerprint", wrong, exit: 5,
            code: "trust.fingerprint", saying: [fingerprint, "do not trust it"])
        try await home.fails(
            "store", "add", "shop", server.url, exit: 5, code: "trust.root-needed", saying: ["--root", fingerprint])
        #expect(try await home.must("store", "list", "--json").json["stores"]?.elements.isEmpty == true)
        let added = try await home.must(
            "store", "add", "shop", server.url, "--root", root, "--fingerprint", fingerprint)
        #expect(added.output.contains("verified with the root \(fingerprint.prefix(4)) "), "\(added)")
        try await home.must("install", pack)
        let listed = try #require(try await home.packs()[pack])
        #expect(listed["signed"] == .bool(true), "\(listed)")
        let trust = try await home.must("store", "trust", "shop", "--json").json
        #expect(trust["signature"]?["fingerprint"].text == fingerprint && trust["signed"] == .bool(true), "\(trust)")
        #expect(trust["roles"]?.elements.count == 4 && trust["refusal"] == .null, "\(trust)")
        let shown = try await home.must("store", "trust", "shop")
        #expect(shown.output.contains("timestamp") && shown.output.contains("ed25519"), "\(shown)")
        #expect(
            shown.output.contains(
                "if no newer state of the store can be verified, warns after 3 days, and installs nothing from it after 14 days"
            ), "\(shown)")
        // The daemon can fetch the root, and a fingerprint is enough for the root of the server.
        try await home.must("store", "add", "two", server.url, "--root", server.url + "metadata/1.root.json")
        try await home.must("store", "add", "three", server.url, "--fingerprint", fingerprint)
        // A fingerprint may be pasted as it is shown, in groups.
        let groups = stride(from: 0, to: 64, by: 4).map { String(fingerprint.dropFirst($0).prefix(4)) }
        let grouped = try await Programs.run(
            "storectl", ["store", "add", "four", server.url, "--fingerprint"] + groups, environment: home.environment)
        #expect(grouped.exit == 0, "\(grouped)")
        for words in [["--fingerprint", "abcd"], ["--fingerprint", groups[0], "more"], ["more"]] {
            let wrong = try await Programs.run(
                "storectl", ["store", "add", "five", server.url] + words, environment: home.environment)
            #expect(wrong.exit == 2, "\(wrong)")
        }
    }

    @Test func `yesterday's metadata is refused, also after a restart and with an empty cache`() async throws {
        let server = try await serve()
        let copy = shop.folder.path + "/yesterday"
        try FileManager.default.copyItem(atPath: published, toPath: copy)
        try await home.must("store", "add", "shop", server.url, "--root", root)
        try await publish(2)
        try await home.must("refresh")
        try restore(copy)
        let refused = try await home.storectl("refresh")
        #expect(refused.exit == 5 && refused.errors.contains("seen before"), "\(refused)")
        #expect(refused.errors.contains("someone may be attacking"), "\(refused)")
        try await home.fails("install", pack, exit: 5, code: "trust.rollback")
        await home.killDaemon()
        try FileManager.default.removeItem(atPath: home.path + "/cache")
        // Now there is no catalogue either.
        try await home.fails("install", pack, exit: 5, code: "store.unavailable", saying: ["seen before"])
        // The publisher's next state is accepted.
        try await publish(3)
        try await home.must("install", pack)
    }

    @Test func `other bytes and mixed states are refused, and what is installed stays`() async throws {
        let server = try await serve()
        try await home.must("store", "add", "shop", server.url, "--root", root)
        try await home.must("install", pack)
        let snapshot = try Data(contentsOf: URL(filePath: published + "/metadata/1.snapshot.json"))
        try await publish(2)
        let metadata = published + "/metadata/"
        let good = try Data(contentsOf: URL(filePath: metadata + "2.snapshot.json"))
        try snapshot.write(to: URL(filePath: metadata + "2.snapshot.json"))
        let mixed = try await home.storectl("update", pack)
        #expect(mixed.exit == 5, "\(mixed)")
        try good.write(to: URL(filePath: metadata + "2.snapshot.json"))
        let names = try FileManager.default.contentsOfDirectory(atPath: published).filter {
            $0.hasSuffix(".catalogue.json")
        }
        #expect(!names.isEmpty)
        for name in names { try Data("{}".utf8).write(to: URL(filePath: published + "/" + name)) }
        let wrong = try await home.storectl("update", pack)
        #expect(wrong.exit == 5, "\(wrong)")
        #expect(try await home.packs()[pack]?["version"].text == "1.0.0")
        #expect(try await home.must("verify").exit == 0)
    }

    @Test func `expired metadata is told from an attack, and search works without the store`() async throws {
        try await shop.run(["init", shop.path, "--sign"], ago: 90_000)
        try await shop.addPack(1)
        try await shop.run(["publish", shop.path], ago: 90_000)
        let server = try await NginxServer(serving: published)
        try await home.fails(
            "store", "add", "shop", server.url, "--root", root, exit: 5, code: "trust.expired",
            saying: ["expired on", "tell the publisher to renew"])
        try await shop.run(["renew", shop.path])
        try await home.must("store", "add", "shop", server.url, "--root", root)
        await home.killDaemon()
        try FileManager.default.moveItem(atPath: published, toPath: published + ".away")
        let found = try await home.must("search", "--json").json
        #expect(found["products"]?[0]["signed"] == .bool(true), "\(found)")
    }

    @Test func `an unsigned store is told once that it is signed, is upgraded in place, and never falls back`()
        async throws
    {
        try await shop.run(["init", shop.path])
        try await publish(1)
        let server = try await NginxServer(serving: published)
        try await home.must("store", "add", "shop", server.url, "--unsigned", "--priority", "7")
        try await home.must("install", pack)
        #expect(try await home.must("list").output.contains("unsigned"))
        #expect(try await home.must("info", pack).output.contains("shop (unsigned)"))
        try await shop.run(["key", "init", shop.path])
        try await publish(2)
        // The daily check is due.
        await home.killDaemon()
        try? FileManager.default.removeItem(atPath: home.path + "/cache/catalogues/shop/signature.json")
        let told = try await home.must("refresh")
        #expect(told.errors.contains("is signed, but") && told.errors.contains("--root FILE"), "\(told)")
        let again = try await home.must("refresh")
        #expect(!again.errors.contains("is signed"), "\(again)")
        let trust = try await home.must("store", "trust", "shop")
        #expect(trust.errors.contains("publishes signed metadata"), "\(trust)")
        #expect(try await home.must("store", "list").output.contains("unsigned, but signed metadata exists"))
        let upgraded = try await home.must("store", "add", "shop", server.url, "--root", root, "--json").json
        #expect(upgraded["unsigned"] == .bool(false) && upgraded["priority"]?.number == 7, "\(upgraded)")
        #expect(try await home.packs()[pack]?["signed"] == .bool(true))
        try await home.fails(
            "store", "add", "shop", server.url, "--unsigned", exit: 7, code: "trust.downgrade", saying: ["remove"])
        try FileManager.default.removeItem(atPath: published + "/metadata")
        try await home.fails("update", pack, exit: 4, code: "trust.missing")
        try await home.must("store", "remove", "shop")
        #expect(home.entries("data/trust") == [])
    }

    @Test func `after a time without verification nothing is installed, but everything stays usable`() async throws {
        let home = try TestHome(settings: ["STORECTL_TRUST_WARN_AFTER": "1", "STORECTL_TRUST_REFUSE_AFTER": "2"])
        var server: NginxServer? = try await serve()
        try await home.must("store", "add", "shop", server?.url ?? "", "--root", root)
        try await home.must("install", pack)
        server = nil
        try await Task.sleep(for: .seconds(3))
        let search = try await home.must("search")
        #expect(search.errors.contains("was last verified on"), "\(search)")
        let trust = try await home.must("store", "trust", "shop", "--json").json
        #expect(trust["refusal"]?["code"].text == "trust.stale", "\(trust)")
        let shown = try await home.must("store", "trust", "shop")
        #expect(shown.output.contains("the last refresh failed: could not connect to"), "\(shown)")
        let uninstalled = try await home.must("uninstall", pack)
        #expect(uninstalled.exit == 0)
        try await home.fails("install", pack, exit: 5, code: "trust.stale", saying: ["installed packs stay usable"])
    }
}
