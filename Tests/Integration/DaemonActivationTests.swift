import Foundation
import Glibc
import StoreModel
import Testing

/// Tests socket activation.
@Suite struct DaemonActivationTests {
    @Test func `a daemon takes over the socket it is handed and leaves its file alone`() async throws {
        let home = try TestHome()
        let path = try makeRunFolder(home)
        let listener = try DaemonWire.listen(path)
        defer { close(listener) }
        let pid = try DaemonWire.startActivated(
            Programs.path("stored"), listening: listener, environment: home.environment)
        let status = try await home.must("daemon", "status", "--json").json
        #expect(status["pid"]?.number == Double(pid) && status["socket"]?.text == path)
        try await home.must("list")
        let lock = try #require(FileManager.default.contents(atPath: home.path + "/data/stored.lock"))
        #expect(try JSONDecoder().decode(JSONValue.self, from: lock)["socket"].text == path)

        // A second daemon is refused, and the socket stays.
        #expect(try await Programs.run("stored", [], environment: home.environment).exit == 7)
        #expect(try DaemonWire.get("/v1/status", at: path).status == 200)

        kill(pid, SIGTERM)
        #expect(await DaemonWire.end(of: pid) == 0)
        #expect(home.entries("run") == ["stored.sock"])
        let again = DaemonWire.connect(path)
        #expect(again >= 0, "the owner still listens")
        close(again)

        // The next daemon accepts the connections that were made in between.
        let waiting = try home.startStorectl("daemon", "status", "--json")
        let next = try DaemonWire.startActivated(
            Programs.path("stored"), listening: listener, environment: home.environment)
        #expect(try await waiting.result().json["pid"]?.number == Double(next))
        kill(next, SIGTERM)
        #expect(await DaemonWire.end(of: next) == 0)
    }

    @Test(.needs("/usr/bin/systemd-socket-activate", debian: "systemd"))
    func `systemd's own launcher starts the daemon when something connects`() async throws {
        let home = try TestHome(settings: ["STORECTL_DAEMON_IDLE_TIMEOUT": "0"])
        let path = try makeRunFolder(home)
        let words = home.environment.keys.sorted().flatMap { ["-E", $0] }
        let launcher = try DaemonWire.spawn(
            ["/usr/bin/systemd-socket-activate", "-l", path] + words + [Programs.path("stored")],
            environment: home.environment)
        while !FileManager.default.fileExists(atPath: path) { try await Task.sleep(for: .milliseconds(5)) }
        #expect(home.daemonPID == nil)
        // The launcher process becomes the daemon.
        let status = try await home.must("daemon", "start", "--json").json
        #expect(status["pid"]?.number == Double(launcher))
        kill(launcher, SIGTERM)
        #expect(await DaemonWire.end(of: launcher) == 0)
        #expect(home.entries("run") == ["stored.sock"])
    }

    private func makeRunFolder(_ home: TestHome) throws -> String {
        try FileManager.default.createDirectory(
            atPath: home.path + "/run", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return home.path + "/run/stored.sock"
    }
}
