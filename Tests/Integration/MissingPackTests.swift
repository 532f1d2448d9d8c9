import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests of what something else than the programs removed from a home: directories of packs, and the database.
@Suite(.hangGuard) struct MissingPackTests {
    private let home: TestHome
    private let store: UpdateStore

    init() async throws {
        home = try TestHome()
        store = try await UpdateStore("cups", "cats")
        try await home.must("store", "add", "shop", "file://\(store.store.publicPath)/", "--unsigned")
        try await home.must("install", "cups", "cats")
    }

    private func removePack() throws {
        try FileManager.default.removeItem(atPath: home.path + "/data/packs/cups.stickers")
    }

    private func list() async throws -> [String: JSONValue] { try await home.must("list", "--json").json }

    @Test func `a pack whose directory vanished is reported, and a repair installs it again`() async throws {
        #expect(try await list()["missing"] == .array([]))
        try removePack()
        let verify = try await home.storectl("verify")
        #expect(verify.exit == 5 && verify.output.contains("cups: its directory is missing\n"), "\(verify)")
        #expect(verify.errors.contains("error: the directory of 'cups' is missing\n"), "\(verify)")
        #expect(try await home.storectl("verify", "cups").exit == 5)
        let listed = try await list()
        #expect(listed["packs"]?.elements.map { $0["productIdentifier"].text } == ["cats"])
        let missing = listed["missing"]?.elements.first
        #expect(missing?["productIdentifier"].text == "cups" && missing?["store"].text == "shop")
        #expect(missing?["version"].text == "1.0.0")
        let warning = "warning: the directory of the installed pack 'cups' is missing"
        #expect(try await home.must("list").errors.contains(warning))
        #expect(try await home.must("daemon", "status").errors.contains(warning))
        #expect(try await home.must("daemon", "logs", "-n", "100").output.contains("pack 'cups' is missing"))

        let repair = try await home.storectl("verify", "--repair")
        #expect(repair.exit == 0 && repair.output.contains("Repaired cups: installed again"), "\(repair)")
        #expect(try store.version(of: "cups", in: home.path + "/data/packs/cups.stickers") == 1)
        #expect(try await list()["missing"] == .array([]))
        #expect(try await home.storectl("verify").exit == 0)
    }

    @Test func `a pack whose directory vanished can be forgotten, or installed by name`() async throws {
        try store.show(2)
        try await home.must("update")
        #expect(home.entries("data/previous") == ["cats.stickers", "cups.stickers"])
        try removePack()
        // Also with a daemon that has not seen it before.
        try await home.must("daemon", "stop")
        #expect(try await home.storectl("verify").exit == 5)
        #expect(try await home.must("uninstall", "cups").output == "Removed cups.\n")
        #expect(try await home.storectl("verify").exit == 0)
        #expect(home.entries("data/previous") == ["cats.stickers"])
        #expect(try await home.history("cups").first?["action"].text == "uninstall")
        try await home.fails("uninstall", "cups", exit: 3, code: "pack.not-installed", saying: ["'cups'"])

        try await home.must("install", "cups")
        try removePack()
        try await home.must("install", "cups")
        #expect(try await list()["missing"] == .array([]))
    }

    @Test func `an uninstalled pack, and one that was replaced by hand, are not missing`() async throws {
        try await home.must("uninstall", "cats")
        try removePack()
        let folder = home.path + "/data/packs/cups.stickers"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try TestStore.bytes(77, seed: 1).write(to: URL(filePath: folder + "/mine.png"))
        #expect(try await list()["missing"] == .array([]))
        #expect(try await home.storectl("verify").exit == 0)
    }

    @Test func `the loss of the database is logged and shown, also after restarts`() async throws {
        try await home.must("purchases", "grant", "cups")
        #expect(!(try await home.must("daemon", "status").errors.contains("library.sqlite")))
        try await home.must("daemon", "stop")
        for name in home.entries("data") where name.hasPrefix("library.sqlite") {
            try FileManager.default.removeItem(atPath: home.path + "/data/" + name)
        }
        for _ in 0..<2 {
            try await home.must("list")
            let status = try await home.must("daemon", "status")
            #expect(status.errors.contains("library.sqlite' was missing and was created again"), "\(status)")
            #expect(status.errors.contains("purchases of products"), "\(status)")
            try await home.must("daemon", "stop")
        }
        #expect(
            try await home.must("daemon", "logs", "-n", "100").output
                .components(separatedBy: "was missing and was created again").count == 2)
    }
}
