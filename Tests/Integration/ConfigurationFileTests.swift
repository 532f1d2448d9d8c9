import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests of files and directories of a home that a user edits or mistypes.
@Suite(.hangGuard) struct ConfigurationFileTests {
    private let home: TestHome

    init() throws { home = try TestHome() }

    private func write(_ name: String, _ text: String) throws {
        try FileManager.default.createDirectory(atPath: home.path + "/config", withIntermediateDirectories: true)
        try text.write(toFile: home.path + "/config/" + name, atomically: true, encoding: .utf8)
    }

    @Test func `a number of bytes in the settings file may have a suffix`() async throws {
        try write("settings.json", #"{"network": {"bandwidth": "5M"}}"#)
        #expect(try await home.must("config", "get", "network.bandwidth").output == "5000000\n")
    }

    @Test(arguments: [
        ("{\n \"stores\": [}\n", "invalid JSON at line 2, column 13"),
        ("{\"stores\": 5}", "'stores' must be a list (line 1)"),
        ("{\n \"stores\": [\n  {\"name\": \"x\"}]}", "is missing (line 3)"),
    ])
    func `a mistake in the list of stores is reported with its place`(content: String, reason: String) async throws {
        try write("stores.json", content)
        let list = try await home.storectl("list")
        #expect(list.exit == 8 && list.errors.contains("config/stores.json': "), "\(list)")
        #expect(list.errors.contains(reason) && !list.errors.contains("Decoding"), "\(list)")
    }

    @Test(arguments: [
        ("settings.json", #"{"downloads": {"attempts": 0}}"#, "settings.invalid", "invalid value '0'"),
        ("stores.json", "{", "store.malformed-list", "invalid JSON at line 1"),
    ])
    func `a daemon is not stopped for a restart if no other could start`(
        name: String, content: String, code: String, message: String
    ) async throws {
        try await home.must("daemon", "start")
        let pid = home.daemonPID
        try write(name, content)
        let exit: Int32 = code == "settings.invalid" ? 2 : 8
        try await home.fails("daemon", "restart", exit: exit, code: code, saying: [message])
        #expect(home.daemonPID == pid && pid != nil)
        try FileManager.default.removeItem(atPath: home.path + "/config/" + name)
        try await home.must("daemon", "restart")
        #expect(home.daemonPID != pid)
        try await home.must("daemon", "stop")
    }

    @Test func `only commands that add something create the home that --home names`() async throws {
        let missing = home.folder.path + "/typo"
        for words in [["update"], ["list"], ["refresh"], ["verify"], ["config", "list"], ["uninstall", "cups"]] {
            let result = try await Programs.run(
                "storectl", words + ["--home", missing], environment: home.environment)
            #expect(result.exit == 8 && result.errors.contains("the home '\(missing)' does not exist"), "\(result)")
        }
        #expect(try await home.must("daemon", "status", "--home", missing).output == "The daemon is not running.\n")
        #expect(!FileManager.default.fileExists(atPath: missing))
        try await home.must("config", "set", "downloads.attempts", "5", "--home", missing)
        try await home.must("list", "--home", missing)
        try await home.must("daemon", "stop", "--home", missing)
    }

    @Test func `a home that others can write to is refused, also with the sticky bit`() async throws {
        try FileManager.default.createDirectory(
            atPath: home.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o1777])
        let list = try await home.storectl("list")
        #expect(list.exit == 8 && list.errors.contains("other users can write to '\(home.path)'"), "\(list)")
    }

    @Test func `messages about files name no system calls`() async throws {
        try FileManager.default.createDirectory(
            atPath: home.path + "/config/settings.json", withIntermediateDirectories: true)
        let list = try await home.storectl("list")
        #expect(list.exit == 8 && list.errors.contains("config/settings.json': Is a directory\n"), "\(list)")
    }
}
