import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests the removal of packs that depend on each other, on the command line.
@Suite(.hangGuard) struct DependencyTests {
    private let home: TestHome
    private let origin: Origin

    init() async throws {
        home = try TestHome()
        origin = try Origin()
        origin.serve("/a.zip", StoreDocuments.pack())
        let products = ["app": ["base"], "base": ["core"], "core": [], "other": ["core"]].map { name, needed in
            StoreDocuments.product(name, archive: StoreDocuments.pack(), at: "/a.zip", with: ["dependencies": needed])
        }
        StoreDocuments.formatTwo(products, on: origin)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
    }

    @Test(arguments: [["app", "base", "core"], ["core", "base", "app"], ["base", "app", "core"]])
    func `packs that need each other are removed together in any order`(ids: [String]) async throws {
        try await home.must("install", "app", "base", "core")
        let result = try await Programs.run("storectl", ["uninstall"] + ids, environment: home.environment)
        #expect(result.exit == 0 && result.errors.isEmpty, "\(result)")
        #expect(result.output.split(separator: "\n").map(String.init) == ids.map { "Removed \($0)." })
        #expect(try await home.packs().isEmpty)
    }

    @Test func `packs that are installed for another one are named`() async throws {
        let output = try await home.must("install", "app", "other").output
        let lines = output.split(separator: "\n").map { $0.prefix { $0 != ":" } }
        #expect(
            Set(lines) == [
                "Installed base, required by app", "Installed core, required by app", "Installed app",
                "Installed other",
            ], "\(output)")
    }

    @Test func `a pack that another one needs stays, whatever else is removed`() async throws {
        try await home.must("install", "app", "other", "core")
        let result = try await home.storectl("uninstall", "core", "app")
        #expect(result.exit == 10 && result.output == "Removed app.\n", "\(result)")
        #expect(result.errors.contains("'core' is needed by"))
        #expect(result.errors.contains("hint: nothing needs 'base' any more; remove it with 'storectl autoremove'"))
        #expect(!result.errors.contains("needs 'core' any more"))
    }

    @Test func `autoremove removes what was installed for others, and nothing else`() async throws {
        #expect(try await home.must("autoremove").errors == "No unneeded packs.\n")
        try await home.must("install", "other")
        try await home.must("install", "app")
        #expect(try await home.must("autoremove", "--json").json["results"]?.elements.isEmpty == true)
        let removed = try await home.must("uninstall", "app", "--json").json["results"]?[0]
        #expect(removed?["unneeded"].elements.map(\.text) == ["base"])
        let listed = try await home.must("list", "--unneeded", "--json").json["packs"]
        #expect(listed?.elements.map { $0["productIdentifier"].text } == ["base"])

        // The database is rebuilt from the receipts, which know what was installed by name.
        try await home.must("daemon", "stop")
        for name in home.entries("data") where name.hasPrefix("library.sqlite") {
            try FileManager.default.removeItem(atPath: home.path + "/data/" + name)
        }
        #expect(try await home.must("autoremove").output == "Removed base.\n")
        #expect(Set(try await home.packs().keys) == ["other", "core"])

        // 'core' was named after it was installed for 'other'.
        try await home.must("install", "core")
        let silent = try await home.must("uninstall", "other")
        #expect(silent.errors.isEmpty, "\(silent)")
        #expect(try await home.must("autoremove").errors == "No unneeded packs.\n")
        #expect(Set(try await home.packs().keys) == ["core"])
    }

    @Test func `a rollback warns of packs that the restored version needs`() async throws {
        try await home.must("install", "app")
        StoreDocuments.formatTwo("app", version: "2.0.0", archive: StoreDocuments.pack(2), on: origin)
        try await home.must("update")
        #expect(try await home.must("autoremove").output == "Removed base.\nRemoved core.\n")
        let result = try await home.storectl("rollback", "app", "--quiet")
        #expect(result.exit == 0, "\(result)")
        #expect(
            result.errors
                == "warning: 'app' needs 'base', which is not installed; run 'storectl install base'\n", "\(result)")
    }
}
