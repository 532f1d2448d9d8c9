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
        try FileManager.default.createSymbolicLink(atPath: shared + "/packs", withDestinationPath: Self.packs.path)
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
        for form in [[], ["--gtk"]] {
            let arguments = ["skin", "css", "dark"] + form
            let sheet = try await Programs.run("storectl", arguments, environment: home.environment)
            let document = try await Programs.run("storectl", arguments + ["--json"], environment: home.environment)
            let text = try #require(try document.json["css"]?.text)
            #expect(sheet.output == text || sheet.output == text + "\n", "the lines of \(arguments) are kept")
            #expect(sheet.output.split(separator: "\n").count > 20, "\(sheet.output.prefix(500))")
        }
        for command in ["use", "show"] {
            let mistyped = try await home.storectl("skin", command, "drak")
            #expect(mistyped.errors.contains("did you mean 'dark'?"), "\(mistyped)")
        }
        let unknown = try await home.storectl("skin", "use", "nothing", "--json")
        #expect(try unknown.exit == 3 && unknown.json["error"]?["code"].text == "skin.not-found")
    }

    /// The preinstalled skins of the repository.
    private static let packs = DocumentedErrorCodes.sources.deletingLastPathComponent().appending(path: "config/packs")

    /// Copies the programs into a directory.
    ///
    /// - Returns: the path of the copy of the command line, which finds the daemon beside itself.
    private func copyPrograms(to directory: String) throws -> String {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for name in ["storectl", "stored"] { try Programs.copy(name, to: directory + "/" + name) }
        return directory + "/storectl"
    }

    @Test func `the programs of the build directory find the preinstalled skins`() async throws {
        let home = try TestHome(settings: ["XDG_DATA_DIRS": store.folder.path + "/none"])
        let list = try await home.must("skin", "list", "--json").json
        #expect(list["use"]?["skin"]["identifier"].text == "light" && list["use"]?["problem"] == .null)
        #expect(list["skins"]?.elements.map { $0["identifier"].text } == ["dark", "light"])
    }

    @Test(arguments: [("copy", "copy/packs"), ("prefix/bin", "prefix/share/storectl/packs")])
    func `programs that were copied with their skins find them`(programs: String, packs: String) async throws {
        let folder = try TemporaryFolder()
        let home = try TestHome(settings: ["XDG_DATA_DIRS": folder.path + "/none"])
        let storectl = try copyPrograms(to: folder.path + "/" + programs)
        let target = URL(filePath: folder.path + "/" + packs)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Self.packs, to: target)
        let list = try await Programs.run(storectl, ["skin", "list", "--json"], environment: home.environment)
        #expect(try list.json["use"]?["skin"]["identifier"].text == "light", "\(list)")
        let paths = try list.json["skins"]?.elements.map { $0["path"].text }
        #expect(paths == ["dark", "light"].map { "\(target.path)/\($0).theme" })
    }

    @Test func `programs that were copied without their skins warn, and fail where a skin is needed`() async throws {
        let folder = try TemporaryFolder()
        let home = try TestHome(settings: ["XDG_DATA_DIRS": folder.path + "/none"])
        let storectl = try copyPrograms(to: folder.path + "/copy")
        let searched = folder.path + "/copy/packs"
        func run(_ arguments: String...) async throws -> Programs.Result {
            try await Programs.run(storectl, arguments, environment: home.environment)
        }
        let list = try await run("skin", "list")
        #expect(list.exit == 0 && list.errors.contains("warning: no skins found in \(searched)"), "\(list)")
        #expect(list.errors.contains("\nhint: "), "\(list)")
        let sheet = try await run("skin", "css", "--json")
        #expect(try sheet.exit == 3 && sheet.json["error"]?["code"].text == "skin.not-found", "\(sheet)")
        #expect(sheet.errors.contains(searched), "\(sheet)")
        let warnings = try await run("daemon", "status", "--json").json["warnings"]?.elements ?? []
        #expect(warnings.contains { $0.text?.contains(searched) == true }, "\(warnings)")
        let log = try String(contentsOfFile: home.path + "/cache/stored.log", encoding: .utf8)
        #expect(log.contains("warning no skins found in \(searched)"), "\(log)")
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
        try await home.must("skin", "use", "shop/night")

        #expect(try await home.storectl("uninstall", "night").exit == 7)
        try await store.storehouse("add", store.path, skin("day", parent: "light", "#070809"))
        try await store.publish()
        try await home.must("install", "day")
        try await home.must("uninstall", "shop/night", "--use", "shop/day")
        #expect(try await inUse() == "day")
        try await home.must("uninstall", "day", "--use", "light")
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
