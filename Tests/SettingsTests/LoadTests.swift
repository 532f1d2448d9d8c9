import FoundationEssentials
import StoreModel
import Testing

@testable import StoreSettings

@Suite struct LoadTests {
    @Test func `the defaults apply where nothing is set`() async throws {
        let settings = try await SettingsFixture().load()
        #expect(settings == Settings())
        #expect(settings.downloadsMaximumAtOnce == 192)
        #expect(settings.downloadsAttempts == 4)
        #expect(settings.downloadsRetryDelay == .milliseconds(500))
        #expect(settings.catalogueRefreshAfter == .seconds(60))
        #expect(settings.daemonIdleTimeout == .seconds(300))
        #expect(settings.libraryMaximumSize == nil)
        #expect(settings.skinsPurchasedExtension == "purchasedTheme")
    }

    @Test func `later sources take precedence`() async throws {
        let fixture = try SettingsFixture(
            user: #"{"downloads": {"maximumAtOnce": 3, "attempts": 3}, "log": {"level": "debug"}}"#,
            system:
                #"{"downloads": {"maximumAtOnce": 2, "attempts": 2, "retryDelay": 2}, "library": {"maximumSize": 2}}"#)
        let settings = try await fixture.load(
            ["STORECTL_DOWNLOADS_MAXIMUM_AT_ONCE": "4", "STORECTL_DOWNLOADS_ATTEMPTS": "4"],
            [.downloadsMaximumAtOnce: "5"])
        #expect(settings.downloadsMaximumAtOnce == 5)
        #expect(settings.origin(of: .downloadsMaximumAtOnce) == .flag)
        #expect(settings.downloadsAttempts == 4)
        #expect(settings.origin(of: .downloadsAttempts).description == "STORECTL_DOWNLOADS_ATTEMPTS")
        #expect(settings.logLevel == "debug")
        #expect(settings.origin(of: .logLevel).description == fixture.places.userSettings)
        #expect(settings.downloadsRetryDelay == .milliseconds(2))
        #expect(settings.libraryMaximumSize == 2)
        #expect(settings.origin(of: .libraryMaximumSize) == .system(path: fixture.places.systemSettings))
        #expect(settings.origin(of: .networkStallTimeout) == .default)
        #expect(settings.warnings.isEmpty)
    }

    @Test func `an unknown member of a file is ignored with a warning`() async throws {
        let settings = try await SettingsFixture(
            user: """
                {"downloads": {"maximumAtonce": 3, "more": {"deep": null}}, "odd": [1, "a", {}], "log": {"level": "error"}}
                """
        ).load()
        #expect(settings.logLevel == "error")
        #expect(settings.downloadsMaximumAtOnce == 192)
        try #require(settings.warnings.count == 3)
        #expect(settings.warnings[0].contains("'downloads.maximumAtonce'"))
        #expect(settings.warnings[1].contains("'downloads.more.deep'"))
        #expect(settings.warnings[2].contains("'odd'"))
    }

    @Test(arguments: ["0", "\"3\"", "true", "1.5", "null", "[3]", "{}", "1e300"])
    func `an invalid value is reported with its source`(value: String) async throws {
        let fixture = try SettingsFixture(user: "{\"downloads\": {\"maximumAtOnce\": \(value)}}")
        await #expect {
            try await fixture.load()
        } throws: { error in
            guard let error = error as? StoreError else { return false }
            return error.code == .settingsInvalid && error.code.exitCode == .usage
                && error.message.contains("downloads.maximumAtOnce") && error.message.contains("from 1 to 1000")
                && error.message.contains(fixture.places.userSettings)
        }
    }

    @Test(arguments: [
        ("{\"log\":\n  {\"level\": }}", "invalid JSON at line 2, column 13"),
        ("{\"log\": {\"level\": \"info\", \"level\": \"info\"}}", "the member 'level' occurs twice (line 1)"),
    ])
    func `the position of the error in a file and the expected form are reported`(
        text: String, reason: String
    ) async throws {
        let fixture = try SettingsFixture(user: text)
        let error = await #expect(throws: (any Error).self) { try await fixture.load() }
        let report = ErrorReport(try #require(error))
        #expect(report.message == "could not read the settings file '\(fixture.places.userSettings)': \(reason)")
        #expect(report.hint?.contains(#"{"downloads": {"attempts": 3}}"#) == true)
    }

    @Test(arguments: ["", "[]", "3", "{", "{\"a\": }", "\u{0}"])
    func `a file that is not a JSON object is named in the error`(text: String) async throws {
        let fixture = try SettingsFixture(user: text)
        await #expect {
            try await fixture.load()
        } throws: { error in
            (error as? StoreError)?.code == .settingsInvalid
                && (error as? StoreError)?.message.contains(fixture.places.userSettings) == true
        }
    }

    @Test(arguments: [
        ("STORECTL_LOG_LEVEL", "loud"), ("STORECTL_DOWNLOADS_ATTEMPTS", "many"), ("STORECTL_DAEMON_IDLE_TIMEOUT", "-1"),
        ("STORECTL_SKINS_PURCHASED_EXTENSION", "a/b"), ("STORECTL_SKINS_PURCHASED_EXTENSION", ""),
        ("STORECTL_SKINS_PURCHASED_EXTENSION", "emoji"), ("STORECTL_SKINS_PURCHASED_EXTENSION", "stickers"),
    ])
    func `an invalid variable is named in the error`(variable: String, text: String) async throws {
        let fixture = try SettingsFixture()
        await #expect {
            try await fixture.load([variable: text])
        } throws: { error in
            (error as? StoreError)?.code == .settingsInvalid
                && (error as? StoreError)?.message.contains(variable) == true
        }
    }

    @Test func `the extension of skins may not be that of another kind`() async throws {
        let fixture = try SettingsFixture(user: #"{"skins": {"purchasedExtension": "stickers"}}"#)
        await #expect(throws: StoreError.self) { try await fixture.load() }
        let settings = try await fixture.load(["STORECTL_SKINS_PURCHASED_EXTENSION": "skin"])
        #expect(settings.skinsPurchasedExtension == "skin")
    }

    @Test func `a file in which a member occurs twice is refused`() async throws {
        let fixture = try SettingsFixture(user: #"{"log": {"level": "error"}, "log": {"level": "debug"}}"#)
        let error = await #expect(throws: StoreError.self) { try await fixture.load() }
        #expect(error?.message.contains("'log' occurs twice") == true)
    }

    @Test func `shares are parsed and must sum to a hundred`() async throws {
        let settings = try await SettingsFixture(user: #"{"network": {"shares": "sticker=50, skin=30,emoji=20"}}"#)
            .load()
        #expect(settings.networkShares == ["sticker": 50, "skin": 30, "emoji": 20])
        #expect(Settings().networkShares.isEmpty)
        for (text, word) in [
            ("sticker=50,skin=30", "sum to 80: add 20"), ("sticker=90,skin=30", "sum to 120: remove 20"),
            ("sticker", "'sticker' is not"), ("sticker=many", "'sticker=many' is not"),
            ("a=50,a=50", "'a' occurs twice"),
            ("=100", "'=100' is not"), ("a=-5,b=105", "'a=-5' is not"),
        ] {
            let fixture = try SettingsFixture(user: "{\"network\": {\"shares\": \"\(text)\"}}")
            await #expect("\(text)") {
                try await fixture.load()
            } throws: { error in
                let error = error as? StoreError
                return error?.code == .settingsInvalid && error?.message.contains(word) == true
                    && error?.message.contains("sticker=50,skin=30,emoji=20") == true
            }
        }
    }

    @Test func `values of proxies, hosts and files are validated`() async throws {
        let good: [(SettingKey, [String])] = [
            (.networkProxy, ["", "proxy.example:3128", "socks5h://127.0.0.1:9050", "HTTP://user:pass@proxy/"]),
            (.networkNoProxy, ["", "*", "localhost,.example.org", "a, b"]),
            (.networkCertificates, ["", "/etc/ca.pem"]),
        ]
        for (key, texts) in good {
            for text in texts { #expect(try key.value(ofText: text) == .text(text), "\(key) \(text)") }
        }
        let bad: [(SettingKey, [String])] = [
            (.networkProxy, ["ftp://proxy", "http://", "a proxy", "a\nb"]), (.networkNoProxy, ["a\nb", "\u{e9}"]),
            (.networkCertificates, ["ca.pem"]),
        ]
        for (key, texts) in bad {
            for text in texts {
                #expect("\(key) \(text)") { try key.value(ofText: text) } throws: {
                    ($0 as? StoreError)?.code == .settingsInvalid
                }
            }
        }
        #expect(Settings().networkProxy == nil && Settings().networkNoProxy == nil)
        #expect(Settings().networkCertificates == nil)
    }
}
