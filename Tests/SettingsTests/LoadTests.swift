import FoundationEssentials
import StoreModel
import Testing

@testable import Settings

@Suite struct LoadTests {
    @Test func theDefaultsHoldWhereNothingIsSaid() async throws {
        let settings = try await SettingsFixture().load()
        #expect(settings == Settings())
        #expect(settings.downloadsMaximumAtOnce == 16)
        #expect(settings.downloadsAttempts == 4)
        #expect(settings.downloadsRetryDelay == .milliseconds(500))
        #expect(settings.catalogueRefreshAfter == .seconds(60))
        #expect(settings.daemonIdleTimeout == .seconds(300))
        #expect(settings.libraryMaximumSize == nil)
        #expect(settings.skinsPurchasedExtension == "purchasedTheme")
    }

    @Test func whatLiesAboveWins() async throws {
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

    @Test func aMemberThatIsNoSettingIsAWarning() async throws {
        let settings = try await SettingsFixture(
            user: """
                {"downloads": {"maximumAtonce": 3, "more": {"deep": null}}, "odd": [1, "a", {}], "log": {"level": "error"}}
                """
        ).load()
        #expect(settings.logLevel == "error")
        #expect(settings.downloadsMaximumAtOnce == 16)
        try #require(settings.warnings.count == 3)
        #expect(settings.warnings[0].contains("'downloads.maximumAtonce'"))
        #expect(settings.warnings[1].contains("'downloads.more.deep'"))
        #expect(settings.warnings[2].contains("'odd'"))
    }

    @Test(arguments: ["0", "\"3\"", "true", "1.5", "null", "[3]", "{}", "1e300"])
    func aValueThatIsNotAllowedNamesItsPlace(value: String) async throws {
        let fixture = try SettingsFixture(user: "{\"downloads\": {\"maximumAtOnce\": \(value)}}")
        await #expect {
            try await fixture.load()
        } throws: { error in
            guard let error = error as? SettingsError else { return false }
            return error.code == .settingsInvalid && error.code.exitCode == .usage
                && error.message.contains("downloads.maximumAtOnce") && error.message.contains("from 1 to 1000")
                && error.message.contains(fixture.places.userSettings)
        }
    }

    @Test(arguments: ["", "[]", "3", "{", "{\"a\": }", "\u{0}"])
    func aFileThatIsNoJSONObjectIsNamed(text: String) async throws {
        let fixture = try SettingsFixture(user: text)
        await #expect {
            try await fixture.load()
        } throws: { error in
            (error as? SettingsError)?.code == .settingsInvalid
                && (error as? SettingsError)?.message.contains(fixture.places.userSettings) == true
        }
    }

    @Test(arguments: [
        ("STORECTL_LOG_LEVEL", "loud"), ("STORECTL_DOWNLOADS_ATTEMPTS", "many"), ("STORECTL_DAEMON_IDLE_TIMEOUT", "-1"),
        ("STORECTL_SKINS_PURCHASED_EXTENSION", "a/b"), ("STORECTL_SKINS_PURCHASED_EXTENSION", ""),
        ("STORECTL_SKINS_PURCHASED_EXTENSION", "emoji"), ("STORECTL_SKINS_PURCHASED_EXTENSION", "stickers"),
    ])
    func aVariableThatIsNotAllowedIsNamed(variable: String, text: String) async throws {
        let fixture = try SettingsFixture()
        await #expect {
            try await fixture.load([variable: text])
        } throws: { error in
            (error as? SettingsError)?.code == .settingsInvalid
                && (error as? SettingsError)?.message.contains(variable) == true
        }
    }

    @Test func skinsMayNotEndAsOtherKindsDo() async throws {
        let fixture = try SettingsFixture(user: #"{"skins": {"purchasedExtension": "stickers"}}"#)
        await #expect(throws: SettingsError.self) { try await fixture.load() }
        let settings = try await fixture.load(["STORECTL_SKINS_PURCHASED_EXTENSION": "skin"])
        #expect(settings.skinsPurchasedExtension == "skin")
    }
}
