import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Runs the command of `config/crontab.example` as cron does.
@Suite struct CronTests {
    private static let config = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config")
        .standardizedFileURL.path

    /// The only line of the example that is no comment.
    private static func line() throws -> String {
        let text = try String(contentsOfFile: config + "/crontab.example", encoding: .utf8)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        try #require(lines.count == 1)
        return String(lines[0])
    }

    /// Returns the part after the five time fields.
    private static func command() throws -> String {
        let fields = try line().split(separator: " ", maxSplits: 5)
        try #require(fields.count == 6)
        // crontab(5) treats an unescaped percent sign as the start of the job's input.
        try #require(!fields[5].contains("%"))
        return String(fields[5])
    }

    /// Runs a command with a minimal environment, and without terminal and input.
    private func cron(_ home: TestHome, _ command: String? = nil) async throws -> Programs.Result {
        let environment = ["PATH": Programs.folder + ":/usr/bin:/bin", "STORECTL_HOME": home.path]
        let command = try command ?? Self.command()
        return try await Programs.run(
            "/usr/bin/setsid", ["-w", "/bin/sh", "-c", command],
            environment: environment.merging(Sanitizers.environment) { $1 })
    }

    @Test func `the README has the line of the example`() throws {
        let readme = try String(contentsOfFile: Self.config + "/../README.md", encoding: .utf8)
        #expect(try readme.contains("`\(Self.line())`"))
        #expect(try readme.contains("\n\(Self.command()) "))
    }

    @Test func `an update job prints nothing without errors`() async throws {
        let store = try await UpdateStore("a", "b")
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        try await home.must("install", "a", "b")
        for _ in 0..<2 {
            let idle = try await cron(home)
            #expect(idle.exit == 0 && idle.output.isEmpty && idle.errors.isEmpty, "\(idle)")
        }
        try store.show(2)
        // The job starts the daemon if none is running.
        try await home.must("daemon", "stop")
        let updated = try await cron(home)
        #expect(updated.exit == 0 && updated.output.isEmpty && updated.errors.isEmpty, "\(updated)")
        for id in ["a", "b"] { #expect(try store.version(of: id, in: home.path + "/data/packs/\(id).stickers") == 2) }
        #expect(home.daemonPID != nil)
    }

    @Test func `an update job warns of a pack whose directory is missing`() async throws {
        let store = try await UpdateStore("a", "b")
        let home = try TestHome()
        try await home.must("store", "add", "shop", "file://\(store.store.publicPath)/", "--unsigned")
        try await home.must("install", "a", "b")
        try await home.must("daemon", "stop")
        try FileManager.default.removeItem(atPath: home.path + "/data/packs/a.stickers")
        let result = try await cron(home)
        #expect(result.exit == 0 && result.output.isEmpty, "\(result)")
        #expect(result.errors.contains("'a'") && result.errors.contains("missing"), "\(result)")
        #expect(result.errors.contains("storectl verify --repair"), "\(result)")
    }

    @Test func `an update job without packs or stores is silent`() async throws {
        let home = try TestHome()
        for command in [nil, "storectl update"] {
            let result = try await cron(home, command)
            #expect(result.exit == 0 && result.output.isEmpty && result.errors.isEmpty, "\(result)")
        }
    }

    @Test func `errors of an update job are printed in a line or two and change nothing`() async throws {
        let store = try await UpdateStore("a", "b")
        var server: NginxServer? = try await NginxServer(serving: store.store.publicPath)
        let url = try #require(server).url
        let home = try TestHome(settings: ["STORECTL_DOWNLOADS_ATTEMPTS": "1"])
        try await home.must("store", "add", "shop", url, "--unsigned")
        try await home.must("install", "a", "b")
        server = nil
        let result = try await cron(home)
        #expect(result.exit == 4 && result.output.isEmpty, "\(result)")
        #expect((1...2).contains(result.errors.split(separator: "\n").count), "\(result)")
        #expect(result.errors.contains(url), "\(result)")
        #expect(try store.version(of: "a", in: home.path + "/data/packs/a.stickers") == 1)
    }

    @Test func `one pack that can't be updated is named, and the others are`() async throws {
        let store = try await UpdateStore("a", "b")
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        try await home.must("install", "a", "b")
        try store.show(2)
        try await home.must("refresh")
        let item = try await home.must("info", "shop/b", "--json").json
        let url = try #require(item["product"]?["resource"]["url"].text, "\(item)")
        let name = try #require(url.split(separator: "/").last)
        try FileManager.default.removeItem(atPath: store.store.publicPath + "/archives/" + name)
        let result = try await cron(home)
        #expect(result.exit == 10, "\(result)")
        #expect(result.output.isEmpty && result.errors.contains("b") && !result.errors.contains("a:"), "\(result)")
        #expect(try store.version(of: "a", in: home.path + "/data/packs/a.stickers") == 2)
        #expect(try store.version(of: "b", in: home.path + "/data/packs/b.stickers") == 1)
    }

    @Test(.needs("/usr/bin/systemd-analyze", debian: "systemd"))
    func `systemd accepts the units`() async throws {
        let folder = try TemporaryFolder()
        let units = try FileManager.default.contentsOfDirectory(atPath: Self.config + "/systemd/user").sorted()
        #expect(units == ["storectl-update.service", "storectl-update.timer", "stored.service", "stored.socket"])
        let result = try await Programs.run(
            "/usr/bin/systemd-analyze",
            ["verify", "--user", "--man=no"] + units.map { Self.config + "/systemd/user/" + $0 },
            environment: [
                "PATH": Programs.folder + ":/usr/bin:/bin", "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path,
            ])
        // systemd-analyze looks for the programs at their installed paths, where they do not exist yet.
        let complaints = result.errors.split(separator: "\n").filter { line in
            let isOurs = line.contains(Self.config) || units.contains { line.hasPrefix($0) }
            return isOurs && !line.contains("is not executable: No such file")
        }
        #expect(complaints.isEmpty, "\(result)")
    }

    @Test func `the update's unit uses the daemon of the socket, which does not end with the update`() throws {
        let service = try String(contentsOfFile: Self.config + "/systemd/user/storectl-update.service", encoding: .utf8)
        for name in ["Requires", "After"] { #expect(service.contains("\n\(name)=stored.socket\n")) }
    }

    @Test func `the timer spreads the machines over hours`() throws {
        let timer = try String(contentsOfFile: Self.config + "/systemd/user/storectl-update.timer", encoding: .utf8)
        let delay = timer.split(separator: "\n").first { $0.hasPrefix("RandomizedDelaySec=") }
        #expect(delay == "RandomizedDelaySec=6h")
        #expect(timer.contains("Persistent=true"))
    }
}
