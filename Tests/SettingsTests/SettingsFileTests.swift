import FoundationEssentials
import StoreModel
import StoreSystem
import Testing

@testable import StoreSettings

@Suite struct SettingsFileTests {
    @Test func `setting a key keeps what else is in the file`() async throws {
        let fixture = try SettingsFixture(
            user: #"{"mine": {"list": [1, 2.5, null, true, "x"]}, "downloads": {"attempts": 9}, "log": 3}"#)
        let file = SettingsFile(path: fixture.places.userSettings)
        #expect(try await file.set(.downloadsMaximumAtOnce, to: "7") == .integer(7))
        try await file.set(.logLevel, to: "error")
        let settings = try await fixture.load()
        #expect(settings.downloadsMaximumAtOnce == 7)
        #expect(settings.downloadsAttempts == 9)
        #expect(settings.logLevel == "error")
        let written = try JSON.decode(JSONValue.self, from: Data(contentsOf: URL(filePath: file.path)))
        #expect(
            written.leaves.first { $0.path == ["mine", "list"] }?.value
                == .array([.integer(1), .number(2.5), .null, .bool(true), .string("x")]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.places.config) == ["settings.json"])
    }

    @Test func `a member with a dot in its name is not the key of that name`() async throws {
        let fixture = try SettingsFixture(user: #"{"downloads.attempts": 5}"#)
        try await SettingsFile(path: fixture.places.userSettings).set(.downloadsAttempts, to: "7")
        let settings = try await fixture.load()
        #expect(settings.downloadsAttempts == 7)
        #expect(settings.warnings.count == 1)
    }

    @Test func `setting a key creates a missing file`() async throws {
        let fixture = try SettingsFixture()
        let file = SettingsFile(path: fixture.places.userSettings)
        await #expect(throws: StoreError.self) { try await file.set(.downloadsMaximumAtOnce, to: "0") }
        #expect(FileManager.default.fileExists(atPath: file.path) == false)
        try await file.set(.downloadsMaximumAtOnce, to: "9")
        #expect(try await fixture.load().downloadsMaximumAtOnce == 9)
    }

    @Test func `a value with which the settings could not be loaded is not written`() async throws {
        let fixture = try SettingsFixture(user: #"{"skins": {"purchasedExtension": "skin"}}"#)
        let file = SettingsFile(path: fixture.places.userSettings)
        let error = await #expect(throws: StoreError.self) {
            try await file.set(.skinsPurchasedExtension, to: "stickers")
        }
        #expect(error?.template == .settingValueRefused)
        #expect(try await fixture.load().skinsPurchasedExtension == "skin")
    }

    @Test func `a settings file that is a symbolic link stays one`() async throws {
        let fixture = try SettingsFixture(user: #"{"log": {"level": "debug"}}"#)
        let (link, target) = (fixture.places.userSettings, fixture.folder + "/elsewhere.json")
        try FileManager.default.moveItem(atPath: link, toPath: target)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let file = SettingsFile(path: link)
        try await file.set(.downloadsAttempts, to: "7")
        try await file.unset(.logLevel)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        let written = try JSON.decode(JSONValue.self, from: Data(contentsOf: URL(filePath: target)))
        #expect(written == .object(["downloads": .object(["attempts": .integer(7)])]))
    }

    @Test(arguments: ["elsewhere.json", "../elsewhere.json", "/elsewhere.json", "other-link"])
    func `a symbolic link to a missing file stays one, and the file is created`(target: String) async throws {
        let fixture = try SettingsFixture()
        let link = fixture.places.userSettings
        let directory = FilePaths.split(link).directory
        _ = try Directory.create(directory)
        try FileManager.default.createSymbolicLink(atPath: directory + "/other-link", withDestinationPath: "third.json")
        let destination = target.hasPrefix("/") ? fixture.folder + target : target
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: destination)
        try await SettingsFile(path: link).set(.downloadsAttempts, to: "7")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == destination)
        #expect(try await fixture.load().downloadsAttempts == 7)
    }

    @Test func `a symbolic link into a missing directory is left alone, with an error`() async throws {
        let fixture = try SettingsFixture()
        let link = fixture.places.userSettings
        _ = try Directory.create(FilePaths.split(link).directory)
        let destination = fixture.folder + "/drive/settings.json"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: destination)
        let error = await #expect(throws: StoreError.self) {
            try await SettingsFile(path: link).set(.downloadsAttempts, to: "7")
        }
        #expect(error?.errno == .noSuchFileOrDirectory)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == destination)
        #expect(FilePaths.isMissing(fixture.folder + "/drive"))
    }

    @Test func `a name that begins with a combining accent does not hide the slash before it`() async throws {
        let fixture = try SettingsFixture()
        let file = SettingsFile(path: fixture.places.config + "/new/\u{301}.json")
        try await file.set(.logLevel, to: "error")
        #expect(try Data(contentsOf: URL(filePath: file.path)).isEmpty == false)
    }

    @Test(arguments: ["no-such-settings.json", "/no-such-directory/", ""])
    func `a path without a directory or without a name is invalid`(path: String) async {
        let error = await #expect(throws: StoreError.self) {
            try await SettingsFile(path: path).set(.logLevel, to: "error")
        }
        #expect(error?.message == StoreError(.settingsPathInvalid, ["path": .path(path)]).message)
    }

    @Test func `removing a setting keeps what else is in the file`() async throws {
        let fixture = try SettingsFixture(
            user: #"{"network": {"proxy": "htp:/x"}, "downloads": {"attempts": 9, "maximumAtOnce": 3}, "mine": {}}"#)
        let file = SettingsFile(path: fixture.places.userSettings)
        // The value need not be valid.
        try await file.unset(.networkProxy)
        try await file.unset(.downloadsAttempts)
        let written = try JSON.decode(JSONValue.self, from: Data(contentsOf: URL(filePath: file.path)))
        #expect(written == .object(["downloads": .object(["maximumAtOnce": .integer(3)]), "mine": .object([:])]))
        #expect(try await fixture.load().downloadsMaximumAtOnce == 3)
        // What is not there is not removed, and no file is created for it.
        try await file.unset(.networkProxy)
        let none = SettingsFile(path: fixture.folder + "/none/settings.json")
        try await none.unset(.networkProxy)
        #expect(!FileManager.default.fileExists(atPath: none.path))
    }

    @Test func `a number of bytes may have a suffix`() async throws {
        let fixture = try SettingsFixture()
        let file = SettingsFile(path: fixture.places.userSettings)
        #expect(try await file.set(.networkBandwidth, to: "500k") == .integer(500_000))
        #expect(try await file.set(.libraryMaximumSize, to: "1.5G") == .integer(1_500_000_000))
        #expect(try await file.set(.libraryMaximumSize, to: "0") == .integer(0))
        let settings = try await fixture.load(["STORECTL_NETWORK_SLOWEST_RATE": "2k"])
        #expect(settings.networkBandwidth == 500_000 && settings.networkSlowestRate == 2000)
        for text in ["-500k", "k", "500x", "1e30M"] {
            await #expect(throws: StoreError.self, "\(text)") { try await file.set(.networkBandwidth, to: text) }
        }
        // Other numbers have no suffix.
        await #expect(throws: StoreError.self) { try await file.set(.downloadsAttempts, to: "1k") }
    }

    @Test func `a number of bytes may have a suffix in the file, too`() async throws {
        let fixture = try SettingsFixture(user: #"{"network": {"bandwidth": "5M", "slowestRate": "0"}}"#)
        let settings = try await fixture.load()
        #expect(settings.networkBandwidth == 5_000_000 && settings.networkSlowestRate == 0)
        for text in [#"{"network": {"bandwidth": "5x"}}"#, #"{"downloads": {"attempts": "5"}}"#] {
            let error = await #expect(throws: StoreError.self) { try await SettingsFixture(user: text).load() }
            #expect(error?.code == .settingsInvalid && error?.message.contains("'5") == true)
        }
    }

    @Test func `an invalid value in the user's file names the commands that repair it`() async throws {
        let fixture = try SettingsFixture(user: #"{"network": {"proxy": "htp:/x"}}"#)
        let error = await #expect(throws: StoreError.self) { try await fixture.load() }
        #expect(error?.hint?.contains("storectl config unset network.proxy") == true)
        let variable = await #expect(throws: StoreError.self) {
            try await SettingsFixture().load(["STORECTL_NETWORK_PROXY": "htp:/x"])
        }
        #expect(variable?.code == .settingsInvalid && variable?.hint == "correct or unset the environment variable")
    }

    @Test func `an unreadable file is left as it is`() async throws {
        let fixture = try SettingsFixture(user: "{ mine")
        let file = SettingsFile(path: fixture.places.userSettings)
        await #expect(throws: StoreError.self) { try await file.set(.logLevel, to: "error") }
        #expect(try Data(contentsOf: URL(filePath: file.path)) == Data("{ mine".utf8))
    }
}
