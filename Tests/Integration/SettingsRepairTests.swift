import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests that `storectl config` keeps the settings file valid, and repairs one that keeps the daemon from starting.
@Suite(.hangGuard) struct SettingsRepairTests {
    private let home: TestHome
    private var file: String { home.path + "/config/settings.json" }

    init() throws { home = try TestHome() }

    private func write(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: home.path + "/config", withIntermediateDirectories: true)
        try text.write(toFile: file, atomically: true, encoding: .utf8)
    }

    @Test func `a proxy that no store could be reached through is rejected`() async throws {
        try await home.fails(
            "config", "set", "network.proxy", "htp:/x", exit: 2, code: "settings.invalid", saying: ["[scheme://]host"])
        #expect(!FileManager.default.fileExists(atPath: file))
        try await home.must("config", "set", "network.proxy", "socks5h://127.0.0.1:9050")
    }

    @Test func `sizes take suffixes, and a negative number is a value`() async throws {
        let set = try await home.must("config", "set", "network.bandwidth", "500k")
        #expect(set.output == "network.bandwidth = 500000\n", "\(set)")
        try await home.fails(
            "config", "set", "network.bandwidth", "-5", exit: 2, code: "settings.invalid", saying: ["'-5'"])
        #expect(try await home.must("config", "get", "network.bandwidth").output == "500000\n")
    }

    @Test func `changing a setting that the daemon's environment overrides warns`() async throws {
        let home = try TestHome(settings: ["STORECTL_DOWNLOADS_ATTEMPTS": "7"])
        let set = try await home.must("config", "set", "downloads.attempts", "5")
        #expect(set.errors.contains("warning: the daemon's environment variable STORECTL_DOWNLOADS_ATTEMPTS"), "\(set)")
        #expect(try await home.must("config", "set", "downloads.maximumAtOnce", "3").errors.isEmpty)
    }

    @Test func `a removed setting has its default`() async throws {
        try await home.must("config", "set", "downloads.attempts", "9")
        let unset = try await home.must("config", "unset", "downloads.attempts")
        #expect(unset.output == "downloads.attempts is now 4.\n", "\(unset)")
        let document = try await home.must("config", "get", "downloads.attempts", "--json").json
        #expect(document["value"]?.text == "4" && document["origin"]?.text == "default")
        try await home.fails("config", "unset", "nope", exit: 2, code: "settings.unknown-key")
    }

    @Test func `a setting that is changed without the daemon is shown as it applies`() async throws {
        let home = try TestHome(settings: ["STORECTL_DOWNLOADS_ATTEMPTS": "7"])
        for words in [["set", "downloads.attempts", "5"], ["unset", "downloads.attempts"]] {
            let shown = try await Programs.run(
                "stored", ["config"] + words + ["--home", home.path], environment: home.environment)
            #expect(shown.errors.contains("variable STORECTL_DOWNLOADS_ATTEMPTS overrides"), "\(shown)")
            let result = try await Programs.run(
                "stored", ["config"] + words + ["--home", home.path, "--json"], environment: home.environment)
            let document = try result.json
            #expect(document["value"]?.text == "7", "\(result)")
            #expect(document["origin"]?.text == "STORECTL_DOWNLOADS_ATTEMPTS", "\(result)")
        }
    }

    @Test func `a settings file with invalid values is repaired while no daemon can start`() async throws {
        try write(#"{"network": {"proxy": "htp:/x"}, "downloads": {"attempts": 0, "maximumAtOnce": 3}}"#)
        let refused = try await home.storectl("list")
        #expect(refused.exit == 8 && refused.errors.contains("storectl config unset"), "\(refused)")

        // A new value is checked, and what is still invalid is named.
        try await home.fails(
            "config", "set", "downloads.attempts", "many", exit: 2, code: "settings.invalid", saying: ["'many'"])
        let first = try await home.must("config", "set", "downloads.attempts", "5")
        #expect(first.output == "downloads.attempts = 5\n", "\(first)")
        #expect(first.errors.contains("warning: invalid value 'htp:/x'"), "\(first)")
        let second = try await home.must("config", "unset", "network.proxy", "--json")
        #expect(try second.json["key"]?.text == "network.proxy" && second.errors.isEmpty, "\(second)")
        #expect(try await home.must("config", "get", "downloads.attempts").output == "5\n")
        #expect(try await home.must("config", "get", "downloads.maximumAtOnce").output == "3\n")
    }
}
