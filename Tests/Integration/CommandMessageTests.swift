import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests that messages of `storectl` name what the user named, and say what to do.
@Suite(.hangGuard) struct CommandMessageTests {
    private let home: TestHome
    private let origin: Origin

    init() async throws {
        home = try TestHome()
        origin = try Origin()
        StoreDocuments.formatTwo("org.trial.dots", archive: StoreDocuments.pack(), on: origin)
    }

    private func addStore() async throws {
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
    }

    @Test func `a product in a store that was not added is answered with the stores that have it`() async throws {
        try await addStore()
        for command in ["install", "info"] {
            try await home.fails(
                command, "nope/org.trial.dots", exit: 3, code: "product.unknown",
                saying: ["no store 'nope' was added", "'storectl store list'", "'shop/org.trial.dots'"])
        }
    }

    @Test func `without a store, a refresh says so`() async throws {
        let result = try await Programs.run("storectl", ["refresh"], environment: home.environment)
        #expect(result.exit == 0 && result.output.isEmpty, "\(result)")
        #expect(result.errors == "No stores.\nhint: add one with 'storectl store add NAME URL'\n")
        for option in ["--quiet", "--json"] {
            let silent = try await Programs.run("storectl", ["refresh", option], environment: home.environment)
            #expect(silent.exit == 0 && silent.errors.isEmpty, "\(silent)")
        }
    }

    @Test func `an empty list says of what`() async throws {
        #expect(try await home.must("list").errors == "No packs installed.\n")
        let mistyped = try await home.must("list", "--kind", "stiker")
        #expect(mistyped.errors == "No packs of the kind 'stiker' are installed.\nhint: did you mean 'sticker'?\n")
        let unneeded = try await home.must("list", "--kind", "skin", "--unneeded")
        #expect(unneeded.errors == "No unneeded packs of the kind 'skin'.\n")
        #expect(try await home.must("history").errors == "No history yet.\n")
        #expect(try await home.must("history", "cups").errors == "Nothing is recorded for 'cups'.\n")
    }

    @Test func `a contact sheet is written to a PNG file only, and errors name that file`() async throws {
        try await addStore()
        try await home.must("install", "org.trial.dots")
        let folder = home.folder.path
        try await home.fails(
            "stickers", "show", "org.trial.dots", "--picture", folder + "/x.jpg", exit: 2, code: "usage.invalid",
            saying: ["'\(folder)/x.jpg'", ".png"])
        #expect(!FileManager.default.fileExists(atPath: folder + "/x.jpg"))
        try FileManager.default.createDirectory(atPath: folder + "/taken.png", withIntermediateDirectories: true)
        let taken = try await home.storectl("stickers", "show", "org.trial.dots", "--picture", folder + "/taken.png")
        #expect(taken.exit != 0 && !taken.errors.contains(".new"), "\(taken)")
        for name in ["sheet.PNG", "sheet"] {
            try await home.must("stickers", "show", "org.trial.dots", "--picture", folder + "/" + name)
        }
    }

    @Test func `a repair that fails has the exit code of its failure, also beside intact packs`() async throws {
        let archive = StoreDocuments.pack()
        origin.serve("/a.zip", archive)
        StoreDocuments.formatTwo(
            ["cats", "dogs"].map { StoreDocuments.product($0, archive: archive, at: "/a.zip") }, on: origin)
        let home = try TestHome(settings: [
            "STORECTL_DOWNLOADS_KEPT_ARCHIVES": "0", "STORECTL_DOWNLOADS_ATTEMPTS": "1",
        ])
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "cats", "dogs")
        let pack = home.path + "/data/packs/cats.stickers/"
        try FileManager.default.removeItem(atPath: pack + "a.png")
        try Data("mine".utf8).write(to: URL(filePath: pack + "mine.png"))
        let found = try await home.storectl("verify")
        #expect(found.exit == 5)
        #expect(found.errors.contains("'cats' has 1 missing file and 1 added file\n"), "\(found)")
        origin.remove("/a.zip")
        #expect(try await home.storectl("verify", "--repair").exit == 4)
    }

    @Test func `settings are listed with their units, which JSON has apart`() async throws {
        try await home.must("config", "set", "network.stallTimeout", "60")
        let list = try await home.must("config", "list").output.split(separator: "\n")
        let row = try #require(list.first { $0.hasPrefix("network.bandwidth ") })
        #expect(row.split(separator: " ").prefix(3) == ["network.bandwidth", "0", "bytes/s"])
        #expect(list.contains { $0.hasPrefix("network.connectTimeout ") && $0.contains(" 3600 s ") }, "\(list)")
        let setting = try await home.must("config", "get", "network.connectTimeout", "--json").json
        #expect(setting["value"]?.text == "3600" && setting["unit"]?.text == "seconds")
        #expect(try await home.must("config", "get", "network.connectTimeout").output == "3600\n")
    }

    @Test func `a file of certificates that can't be used is refused`() async throws {
        let file = home.folder.path + "/ca.pem"
        try await home.fails(
            "config", "set", "network.certificates", file, exit: 2, code: "settings.invalid",
            saying: ["network.certificates", "does not exist"])
        try Data("nothing".utf8).write(to: URL(filePath: file))
        try await home.fails(
            "config", "set", "network.certificates", file, exit: 2, code: "settings.invalid", saying: ["no certificate"]
        )
        #expect(try await home.must("config", "get", "network.certificates").output == "\n")
        try Data("-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n".utf8).write(to: URL(filePath: file))
        let set = try await home.must("config", "set", "network.certificates", file, "--quiet")
        #expect(set.output.isEmpty)
        #expect(set.errors == "warning: network.certificates takes effect after 'storectl daemon restart'\n")
    }

    @Test func `a daemon goes on if its home was opened to others before a restart`() async throws {
        try await home.must("daemon", "start")
        let pid = home.daemonPID
        chmod(home.path, 0o777)
        try await home.fails(
            "daemon", "restart", exit: 8, code: "home.open", saying: ["other users can write", "chmod go-w"])
        #expect(home.daemonPID == pid && pid != nil)
        chmod(home.path, 0o700)
        try await home.must("daemon", "restart")
        #expect(home.daemonPID != pid)
    }

    @Test func `updates that were not found are not said to come from a cached catalogue`() async throws {
        let home = try TestHome(settings: ["STORECTL_UPDATES_REFRESH_AFTER": "0"])
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "org.trial.dots")
        origin.always("/catalogue.json", .status(404))
        let check = try await home.storectl("update", "--check")
        #expect(check.errors.contains("could not reach the store 'shop': "), "\(check)")
        let search = try await home.storectl("search")
        #expect(search.errors.contains("using its cached catalogue"), "\(search)")
    }

    @Test func `a log that is missing is answered with where there may be one`() async throws {
        try await home.must("daemon", "start")
        try FileManager.default.removeItem(atPath: home.path + "/cache/stored.log")
        let logs = try await home.storectl("daemon", "logs")
        #expect(logs.exit == 3 && !logs.errors.contains("no command has started"), "\(logs)")
    }
}
