import FoundationEssentials
import StoreModel
import Testing

@testable import StoreSettings

@Suite struct SettingKeyTests {
    @Test(arguments: [
        ("", true), ("https://chat.example", true), ("http://localhost:5173, https://[::1]:8443", true),
        ("https://chat.example:443", false), ("http://x:80", false), ("https://x:port", false), ("https://x:", false),
        ("https://x:+8443", false), ("https://x:08443", false), ("https://:1", false), ("ftp://x", false),
        ("https://x/", false), ("https://", false),
    ])
    func `origins are allowed as browsers send them`(text: String, isAllowed: Bool) {
        #expect(SettingRule.origins.allows(.text(text)) == isAllowed)
    }

    @Test func `every key is in the table once and allows its default`() {
        #expect(Set(SettingKey.all.map(\.variable)).count == SettingKey.all.count)
        #expect(SettingKey.all.map(\.name) == Set(SettingKey.all.map(\.name)).sorted())
        for key in SettingKey.all {
            #expect(key.rule.allows(key.defaultValue), "\(key)")
            #expect(key.summary.hasSuffix("."), "\(key)")
        }
    }

    @Test func `every key can be set by its variable`() throws {
        #expect(SettingKey.downloadsMaximumAtOnce.variable == "STORECTL_DOWNLOADS_MAXIMUM_AT_ONCE")
        #expect(SettingKey.daemonIdleTimeout.variable == "STORECTL_DAEMON_IDLE_TIMEOUT")
        for key in SettingKey.all {
            // The library derives the name itself, which must equal the documented one.
            #expect(try key.value(ofText: key.defaultValue.description) == key.defaultValue, "\(key)")
        }
    }

    @Test func `the error for a new value does not say where it comes from, and that for an argument does`() {
        for (origin, expected) in [(SettingOrigin?.none, false), (.flag, true)] {
            let error = #expect(throws: StoreError.self) {
                try SettingKey.downloadsAttempts.value(ofText: "many", from: origin)
            }
            #expect(error?.message.contains("'many'") == true)
            #expect(error?.message.contains("command line") == expected, "\(error?.message ?? "")")
        }
    }

    @Test func `a key is found by its name`() throws {
        #expect(try SettingKey(named: "log.level") == .logLevel)
        #expect { try SettingKey(named: "log.Level") } throws: { ($0 as? StoreError)?.code == .settingsUnknownKey }
    }

    @Test func `the example file is the table`() async throws {
        let example = String(decoding: try file("config/settings.json"), as: UTF8.self)
        #expect(example == String(decoding: try Settings.exampleFile(), as: UTF8.self))
        let settings = try await SettingsFixture(user: example).load()
        #expect(settings.warnings.isEmpty)
        for key in SettingKey.all {
            #expect(settings[key] == key.defaultValue && settings.origin(of: key) != .default, "\(key)")
        }
    }

    @Test func `the documentation is the table`() throws {
        let page = String(decoding: try file("Sources/Settings/Settings.docc/Settings.md"), as: UTF8.self)
        for key in SettingKey.all {
            let unit = key.unit.map { " " + $0.rawValue } ?? ""
            let restart = key.needsRestart ? "yes" : ""
            let row = "| `\(key)` | \(key.defaultValue)\(unit) | \(key.rule.allowed) | \(restart) | \(key.summary) |"
            #expect(page.split(separator: "\n").contains { $0 == row }, "missing: \(row)")
        }
    }

    private func file(_ path: String) throws -> Data {
        let here = #filePath
        let tests = try #require(here.range(of: "/Tests/", options: .backwards))
        return try Data(contentsOf: URL(filePath: here[..<tests.lowerBound] + "/" + path))
    }
}
