import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests preinstalled skins and skins of a store on the command line.
@Suite(.hangGuard) struct SkinTests {
    private let store: TestStore
    private let home: TestHome

    init() async throws {
        store = try await TestStore()
        let shared = store.folder.path + "/share/storectl"
        try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: true)
        let packs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/packs")
        try FileManager.default.createSymbolicLink(atPath: shared + "/packs", withDestinationPath: packs.path)
        home = try TestHome(settings: ["XDG_DATA_DIRS": store.folder.path + "/share"])
    }

    private func skin(_ identifier: String, version: String = "1", parent: String, _ color: String) throws -> String {
        let folder = store.folder.path + "/" + identifier
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try #"<skin identifier="\#(identifier)" name="At \#(identifier)" version="\#(version)" parent="\#(parent)"/>"#
            .write(toFile: folder + "/skin.xml", atomically: true, encoding: .utf8)
        try """
        <theme><instances><uiview id="header"><operation name="backgroundColor">
        <param name="color" type="color" format="HEX">\(color)</param></operation></uiview></instances></theme>
        """.write(toFile: folder + "/header.xml", atomically: true, encoding: .utf8)
        return folder
    }

    private func inUse() async throws -> String? {
        try await home.must("skin", "list", "--json").json["use"]?["skin"]["identifier"].text
    }

    @Test func `preinstalled skins are listed, and one is in use`() async throws {
        let list = try await home.must("skin", "list")
        #expect(list.output.contains("light") && list.output.contains("dark") && list.output.contains("In Use"))
        #expect(try await inUse() == "light")
        #expect(try await home.must("skin", "use", "dark").output.contains("Using the skin"))
        #expect(try await inUse() == "dark")
        await home.killDaemon()
        #expect(try await inUse() == "dark")
        try await home.must("skin", "reset")
        #expect(try await inUse() == "light")
        let unknown = try await home.storectl("skin", "use", "nothing", "--json")
        #expect(try unknown.exit == 3 && unknown.json["error"]?["code"].text == "skin.not-found")
    }

    @Test func `a skin of a store is inherited, used, updated while in use, and removed`() async throws {
        let folder = try skin("night", parent: "dark", "#010203")
        try await store.storehouse("add", store.path, folder)
        try await store.publish()
        try await home.must("store", "add", "shop", "file://" + store.publicPath + "/", "--unsigned")
        try await home.must("install", "night")
        #expect(try await home.packs()["night"]?["kind"].text == "skin")
        try await home.must("skin", "use", "night")
        let shown = try await home.must("skin", "show", "--json").json
        #expect(shown["inherits"]?.elements.map { $0["identifier"].text } == ["dark", "light"])
        #expect(try await home.must("skin", "css").output.contains("--header-backgroundColor: #010203;"))
        #expect(try await home.must("skin", "css", "--gtk").output.contains("#header"))
        #expect(try await home.packs()["night"]?["state"].elements.first?.text == "In Use")

        _ = try skin("night", version: "2", parent: "dark", "#040506")
        try await store.storehouse("add", store.path, folder)
        try await store.publish()
        let last = try #require(try await home.must("daemon", "status", "--json").json["sequence"]?.number)
        let watching = try home.startStorectl("watch", "--json", "--after", "\(Int(last))")
        try await home.must("update")
        #expect(try await home.must("skin", "css").output.contains("--header-backgroundColor: #040506;"))
        try await home.must("skin", "use", "light")
        try await home.must("skin", "use", "night")

        #expect(try await home.storectl("uninstall", "night").exit == 7)
        try await home.must("uninstall", "night", "--use", "light")
        #expect(try await inUse() == "light")
        #expect(try await home.packs().isEmpty)
        watching.signal(SIGINT)
        let events = try await watching.result().output
        // The event contains the changed values.
        #expect(events.contains("\"--header-backgroundColor\":\"#040506\""))
    }

    @Test func `checking a skin reports file and line, and an unreadable skin is refused`() async throws {
        let folder = try skin("night", parent: "dark", "#010203")
        #expect(try await home.must("skin", "check", folder).output.contains("no problems found"))
        try #"""
        <theme><instances><uiview id="header">
        <operation name="shine"/></uiview></instances></theme>
        """#.write(toFile: folder + "/more.xml", atomically: true, encoding: .utf8)
        let warned = try await home.must("skin", "check", folder)
        #expect(warned.output.contains("more.xml:2:") && warned.output.contains("[skin.unknown-operation]"))
        try "<theme>".write(toFile: folder + "/more.xml", atomically: true, encoding: .utf8)
        let refused = try await home.storectl("skin", "check", folder)
        #expect(refused.exit == 5 && refused.errors.contains("more.xml"))
        let other = try await Programs.run(
            "storehouse", ["add", store.path, folder, "--id", "day"], environment: ["PATH": "/usr/bin:/bin"])
        #expect(other.exit != 0 && other.errors.contains("'night'"))
    }
}
