import Foundation
import Glibc
import StoreModel
import StoreTestSupport
import Testing

/// Tests start, discovery and end of the daemon.
@Suite struct DaemonTests {
    // MARK: One daemon for each home

    @Test func `a second daemon on the same home is refused and names the first`() async throws {
        let home = try TestHome()
        try await home.must("daemon", "start")
        let pid = try #require(home.daemonPID)
        let second = try await Programs.run("stored", [], environment: home.environment)
        #expect(second.exit == 7)
        #expect(second.errors.contains("process \(pid)"), "\(second)")
        #expect(second.errors.split(separator: "\n").count <= 2)
        #expect(try await home.must("daemon", "status", "--json").json["pid"]?.number == Double(pid))
    }

    @Test func `many commands at once start one daemon`() async throws {
        let home = try TestHome()
        let programs = try (0..<20).map { _ in try home.startStorectl("daemon", "start", "--json") }
        var pids: Set<Double?> = []
        for program in programs {
            let result = try await program.result()
            #expect(result.exit == 0, "\(result)")
            pids.insert(try result.json["pid"]?.number)
        }
        #expect(pids == [home.daemonPID.map(Double.init)])
        let log = try String(contentsOfFile: home.path + "/cache/stored.log", encoding: .utf8)
        #expect(log.split(separator: "\n").count { $0.contains(" listening ") } == 1, "\(log)")
    }

    @Test func `a daemon on a machine that may lose synced files warns in its log and status`() async throws {
        let home = try TestHome()
        // The daemon sees the release of an old kernel (setarch(8)).
        let daemon = try Programs.start(
            "/usr/bin/setarch", ["--uname-2.6", Programs.path("stored"), "--home", home.path],
            environment: home.environment)
        while !daemon.errors.contains(" listening "), daemon.isRunning { try await Task.sleep(for: .milliseconds(5)) }
        let warnings = try await home.must("daemon", "status", "--json").json["warnings"]?.elements ?? []
        #expect(warnings.contains { $0.text?.contains("older than 5.8") == true }, "\(warnings)")
        #expect(try await home.must("daemon", "status").errors.contains("older than 5.8"))
        await home.killDaemon(SIGTERM)
        #expect(try await daemon.result().errors.contains("older than 5.8"))
    }

    @Test func `status never starts a daemon, and start and stop are idempotent`() async throws {
        let home = try TestHome()
        let status = try await home.must("daemon", "status", "--json")
        #expect(try status.json["running"] == .bool(false))
        #expect(try await home.must("daemon", "status").output == "The daemon is not running.\n")
        #expect(home.daemonPID == nil)
        #expect(!FileManager.default.fileExists(atPath: home.path), "to ask makes no home")

        let first = try await home.must("daemon", "start", "--json").json
        let again = try await home.must("daemon", "start", "--json").json
        #expect(first["running"] == .bool(true) && first["pid"] == again["pid"])
        #expect(first["pid"]?.number == home.daemonPID.map(Double.init))
        #expect(first["home"]?["data"].text == home.path + "/data")
        #expect(try await home.must("daemon", "status", "--json").json["pid"] == first["pid"])

        let stopped = try await home.must("daemon", "stop", "--json")
        #expect(try stopped.json["running"] == .bool(false))
        // When the command returns, the daemon has released the home.
        #expect(home.daemonPID == nil)
        #expect(home.entries("run").isEmpty)
        #expect(try await home.must("daemon", "stop").output == "The daemon is not running.\n")
        #expect(home.daemonPID == nil)
    }

    @Test func `files of a killed daemon do not disturb the next one`() async throws {
        let home = try TestHome()
        try await home.must("daemon", "start")
        let pid = try #require(home.daemonPID)
        await home.killDaemon()
        #expect(home.entries("run") == ["stored.sock"])
        let lock = try #require(FileManager.default.contents(atPath: home.path + "/data/stored.lock"))
        #expect(String(decoding: lock, as: UTF8.self).contains("\(pid)"))
        #expect(try await home.must("daemon", "status", "--json").json["running"] == .bool(false))
        #expect(try await home.must("daemon", "stop").output == "The daemon is not running.\n")
        try await home.must("list")
        #expect(home.daemonPID != pid && home.daemonPID != nil)

        // A lock file with the identifier of another process has no effect; only the lock itself counts.
        await home.killDaemon()
        try Data(#"{"pid":1,"socket":"/nowhere/stored.sock","startedAt":"2024-01-01T00:00:00Z"}"#.utf8)
            .write(to: URL(filePath: home.path + "/data/stored.lock"))
        try await home.must("list")
        #expect(home.daemonPID != nil)
        await home.killDaemon()
        try Data("not a lock".utf8).write(to: URL(filePath: home.path + "/data/stored.lock"))
        try await home.must("list")
        #expect(home.daemonPID != nil)
    }

    @Test func `a home may have the longest path of the system`() async throws {
        let store = try await UpdateStore("cups")
        let server = try await NginxServer(serving: store.store.publicPath)
        let folder = try TemporaryFolder()
        let path =
            folder.path + "/" + (1...12).map { "\($0)-" + String(repeating: "d", count: 60) }.joined(separator: "/")
        let home = try TestHome(settings: ["STORECTL_HOME": path])
        defer { kill(path) }
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        try await home.must("install", "cups")
        #expect(try store.version(of: "cups", in: path + "/data/packs/cups.stickers") == 1)
        #expect(try await home.must("daemon", "status", "--json").json["running"] == .bool(true))
        let second = try await Programs.run("stored", [], environment: home.environment)
        #expect(second.exit == 7, "\(second)")
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "/run/stored.sock")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try await home.must("daemon", "stop")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/run").isEmpty)
    }

    private func kill(_ home: String) {
        guard let data = FileManager.default.contents(atPath: home + "/data/stored.lock"),
            let pid = try? JSONDecoder().decode(JSONValue.self, from: data)["pid"].number
        else { return }
        _ = Glibc.kill(Int32(pid), SIGKILL)
    }

    // MARK: Orderly shutdown

    @Test(arguments: [SIGTERM, SIGINT, SIGKILL])
    func `a download that the end of the daemon interrupts is resumed by the next`(signal: Int32) async throws {
        let content = TestStore.bytes(3_000_000, seed: 1)
        let store = try await TestStore()
        try await store.add("large", files: ["01.webp": content])
        try await store.publish()
        let origin = try Origin()
        origin.serve(folder: store.publicPath)
        let archive = try #require(
            FileManager.default.contentsOfDirectory(atPath: store.publicPath + "/archives").first)
        origin.always("/archives/" + archive, .stallAfter(2_000_000))
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.url.absoluteString, "--unsigned")
        let begun = try await home.must("install", "large", "--no-wait", "--json").json
        let operation = try #require(begun["results"]?[0]["operation"].text)
        await origin.untilStalled()
        let file = home.path + "/cache/partial/" + operation + ".part"
        // The client may not have received everything that the origin sent.
        try await eventually {
            let size = try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
            return (size ?? 0) > 0
        }

        // The transfer stalls until the origin releases it, so only a daemon that does not wait for it exits here.
        await home.killDaemon(signal)
        let partial = home.entries("cache/partial")
        #expect(partial == [operation + ".part"])
        #expect(home.entries("data/packs").isEmpty)
        let kept = try FileManager.default.attributesOfItem(atPath: file)[.size]

        origin.release()
        // A new request joins the resumed download.
        let joined = try await home.must("install", "large", "--json").json
        #expect(joined["results"]?[0]["operation"].text == operation)
        #expect(joined["results"]?[0]["end"].text == "finished")
        let path = home.path + "/data/packs/large.stickers/01.webp"
        #expect(FileManager.default.contents(atPath: path) == content)
        let requests = origin.requests(to: "/archives/" + archive)
        #expect(requests.count == 2)
        let size = try #require(kept as? Int)
        #expect(size > 0 || signal == SIGKILL, "a regular exit keeps the received bytes")
        #expect(requests.last?.range == (size > 0 ? "bytes=\(size)-" : nil))
        let history = try await home.must("history", "--json").json["operations"]?.elements ?? []
        #expect(history.map { $0["operation"].text } == [operation])
        #expect(history[0]["end"].text == "finished")
        #expect(home.entries("cache/partial").isEmpty && home.entries("data/staging").isEmpty)
    }

    @Test func `a command during the daemon's shutdown is executed by the next daemon`() async throws {
        let store = try await UpdateStore("cups")
        let server = try await NginxServer(serving: store.store.publicPath)
        let home = try TestHome()
        try await home.must("store", "add", "shop", server.url, "--unsigned")
        try await home.must("install", "cups")
        for _ in 0..<15 {
            try await home.must("daemon", "start")
            // A request with side effects is repeated only if the daemon can't have received it.
            let stop = try home.startStorectl("daemon", "stop")
            let commands = try (0..<4).map { _ in try home.startStorectl("hold", "cups") }
            for command in commands {
                let result = try await command.result()
                #expect(result.exit == 0, "\(result)")
            }
            let stopped = try await stop.result()
            #expect(stopped.exit == 0, "\(stopped)")
        }
    }

    @Test func `an idle daemon exits, and the next command starts another`() async throws {
        let home = try TestHome(settings: ["STORECTL_DAEMON_IDLE_TIMEOUT": "1"])
        let first = Int32(try #require(try await home.must("daemon", "start", "--json").json["pid"]?.number))
        await ended(first)
        #expect(home.entries("run").isEmpty)
        #expect(try await home.must("daemon", "status", "--json").json["running"] == .bool(false))
        let log = try String(contentsOfFile: home.path + "/cache/stored.log", encoding: .utf8)
        #expect(log.contains("idle"))
        let next = try await home.must("daemon", "start", "--json").json["pid"]?.number
        #expect(next != nil && next != Double(first))
    }

    @Test func `a daemon with a download or an observer is not idle`() async throws {
        let store = try await TestStore()
        try await store.add("large", files: ["01.webp": TestStore.bytes(100_000, seed: 1)])
        try await store.publish()
        let origin = try Origin()
        origin.serve(folder: store.publicPath)
        let archive = try #require(
            FileManager.default.contentsOfDirectory(atPath: store.publicPath + "/archives").first)
        origin.always("/archives/" + archive, .stallAfter(50_000))
        let busy = try TestHome(settings: ["STORECTL_DAEMON_IDLE_TIMEOUT": "1"])
        try await busy.must("store", "add", "shop", origin.url.absoluteString, "--unsigned")
        try await busy.must("install", "large", "--no-wait")
        let watched = try TestHome(settings: ["STORECTL_DAEMON_IDLE_TIMEOUT": "1"])
        let watch = try watched.startStorectl("watch")
        let observer = DaemonObserver(of: watched)
        await observer.untilConnected()
        let pids = [busy.daemonPID, watched.daemonPID]
        // Twice the idle timeout; a slow machine does not make this stricter.
        try await Task.sleep(for: .seconds(2))
        #expect([busy.daemonPID, watched.daemonPID] == pids && !pids.contains(nil))
        watch.signal(SIGINT)
        #expect(try await watch.result().exit == 130)
    }

    private func ended(_ pid: Int32) async {
        while FileManager.default.fileExists(atPath: "/proc/\(pid)/exe"), Glibc.kill(pid, 0) == 0 {
            guard let state = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8), !state.contains(") Z ")
            else { return }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    // MARK: Settings while it runs

    @Test func `a running daemon applies settings at once or reports that they need a restart`() async throws {
        let home = try TestHome()
        let atOnce = try await home.must("config", "set", "downloads.maximumAtOnce", "3")
        #expect(!(atOnce.output + atOnce.errors).contains("storectl daemon restart"), "\(atOnce)")
        #expect(try await home.must("config", "get", "downloads.maximumAtOnce").output == "3\n")
        let later = try await home.must("config", "set", "network.connectionsPerHost", "2")
        #expect((later.output + later.errors).contains("storectl daemon restart"), "\(later)")
        let document = try await home.must("config", "set", "network.connectionsPerHost", "2", "--json").json
        #expect(document["needsRestart"] == .bool(true))
        #expect(try await home.storectl("config", "set", "downloads.maximumAtOnce", "many").exit == 2)
        await home.killDaemon()
        #expect(try await home.must("config", "get", "downloads.maximumAtOnce").output == "3\n")
    }

    @Test func `how many downloads run at once can be changed while they wait`() async throws {
        let store = try await TestStore()
        for id in ["a", "b", "c"] { try await store.add(id, files: ["01.webp": TestStore.bytes(50_000, seed: 1)]) }
        try await store.publish()
        let origin = try Origin()
        origin.serve(folder: store.publicPath)
        for archive in try FileManager.default.contentsOfDirectory(atPath: store.publicPath + "/archives") {
            origin.always("/archives/" + archive, .stallAfter(10_000))
        }
        let home = try TestHome()
        try await home.must("store", "add", "shop", origin.url.absoluteString, "--unsigned")
        try await home.must("config", "set", "downloads.maximumAtOnce", "1")
        try await home.must("install", "a", "b", "c", "--no-wait")
        await origin.untilStalled(1)
        let downloads = try await home.must("downloads", "--json").json["downloads"]?.elements ?? []
        #expect(downloads.count { $0["activity"].text == "queued" } == 2, "\(downloads)")
        #expect(downloads.filter { $0["activity"].text == "queued" }.allSatisfy { $0["reason"].text != nil })
        try await home.must("config", "set", "downloads.maximumAtOnce", "3")
        await origin.untilStalled(3)
        origin.release()
        try await home.must("install", "a", "b", "c")
        #expect(try await home.packs().count == 3)
    }
}
