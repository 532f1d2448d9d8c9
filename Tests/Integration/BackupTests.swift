import Foundation
import StoreTestSupport
import Testing

/// Tests what the page `Administration.md` says of backups and of moving.
@Suite(.hangGuard) struct BackupTests {
    @Test func `data and settings are all that another home needs`() async throws {
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(), on: origin)
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "cups")
        try await home.must("hold", "cups")
        try await home.must("purchases", "grant", "cups")
        try await home.must("config", "set", "downloads.maximumAtOnce", "3")
        let questions = [["list"], ["purchases", "list"], ["history"], ["config", "get", "downloads.maximumAtOnce"]]
        var before: [String] = []
        for words in questions { before.append(try await answer(to: words, of: home)) }
        try await home.must("daemon", "stop")

        let other = try TestHome()
        try FileManager.default.createDirectory(
            atPath: other.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for name in ["data", "config"] {
            try FileManager.default.moveItem(atPath: home.path + "/" + name, toPath: other.path + "/" + name)
        }
        try await other.must("verify")
        for (words, expected) in zip(questions, before) {
            #expect(try await answer(to: words, of: other) == expected, "\(words)")
        }
        // The store is still in use there.
        try await other.must("uninstall", "cups")
        try await other.must("install", "cups")
    }

    @Test func `the commands of the page back up, restore and remove everything`() async throws {
        let folder = try TemporaryFolder()
        for name in ["home", "run"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/" + name, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
        // No service manager of the machine listens there.
        let environment = [
            "HOME": folder.path + "/home", "XDG_RUNTIME_DIR": folder.path + "/run",
            "PATH": Programs.folder + ":/usr/bin:/bin", "STORECTL_DAEMON_IDLE_TIMEOUT": "60",
        ].merging(Sanitizers.environment) { $1 }
        func run(_ commands: String) async throws -> Programs.Result {
            try await Programs.run(
                "/bin/bash", ["-euc", "cd \"$0\"\n" + commands, folder.path], environment: environment)
        }
        let origin = try Origin()
        StoreDocuments.formatTwo("cups", archive: StoreDocuments.pack(), on: origin)
        let page = DocumentedErrorCodes.sources.appending(path: "storectl/storectl.docc/Administration.md")
        let blocks = try MarkdownBlock.all(in: page).filter { $0.language == "sh" }.map(\.text)
        try #require(blocks.count == 3)

        let installed = try await run("storectl store add shop \(origin.address) --unsigned; storectl install cups")
        #expect(installed.exit == 0, "\(installed)")
        for commands in [blocks[0], "storectl uninstall cups", blocks[1]] {
            let result = try await run(commands)
            #expect(result.exit == 0, "\(commands): \(result)")
        }
        let list = try await run("storectl list --json")
        #expect(list.exit == 0 && list.output.contains("cups"), "\(list)")
        // Without systemd and an installation, the first commands fail.
        _ = try await run("set +e\n" + blocks[2])
        let left = try await run("find home run -name 'storectl*'")
        #expect(left.exit == 0 && left.output.isEmpty, "\(left)")
    }

    private func answer(to words: [String], of home: TestHome) async throws -> String {
        let result = try await Programs.run("storectl", words, environment: home.environment)
        #expect(result.exit == 0 && !result.output.isEmpty, "\(words): \(result)")
        return result.output
    }
}
