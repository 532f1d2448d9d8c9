import Foundation
import Glibc
import StoreModel
import StoreTestSupport
import Testing

/// Access to a daemon by its user and by others.
@Suite struct DaemonAccessTests {
    @Test func `directory and socket are closed to other users`() async throws {
        let home = try TestHome()
        try await home.must("daemon", "start")
        #expect(try mode(home.path + "/run") == 0o700)
        #expect(try mode(home.path + "/run/stored.sock") == 0o600)
        #expect(try mode(home.path + "/data") == 0o700)

        // A directory with wrong permissions is corrected before the socket is created.
        try await home.must("daemon", "stop")
        chmod(home.path + "/run", 0o755)
        try await home.must("daemon", "start")
        #expect(try mode(home.path + "/run") == 0o700)
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test(.enabled(if: getuid() == 0, "only root can become another user"))
    func `another user is refused, by the directory and by the daemon itself`() async throws {
        let home = try TestHome()
        try await home.must("daemon", "start")
        #expect(try await ask(home, as: "0").hasPrefix("HTTP/1.1 200"))
        #expect(try await ask(home, as: "65534") == "Permission denied")
        // Even if all permissions on the path are open.
        for path in [home.folder.path, home.path, home.path + "/run"] { chmod(path, 0o755) }
        chmod(home.path + "/run/stored.sock", 0o666)
        let answer = try await ask(home, as: "65534")
        #expect(answer == "" || answer == "Connection reset by peer" || answer == "Broken pipe", "\(answer)")
        #expect(try await ask(home, as: "0").hasPrefix("HTTP/1.1 200"))
    }

    /// Returns the first line of the daemon's response to a user, or the error.
    private func ask(_ home: TestHome, as user: String) async throws -> String {
        let script = """
            use Socket; $SIG{PIPE} = "IGNORE"; $| = 1;
            socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, sockaddr_un($ARGV[0])) or do { print $!; exit };
            defined(send(S, "GET /v1/status HTTP/1.1\\r\\nHost: stored\\r\\nConnection: close\\r\\n\\r\\n", 0))
                or do { print $!; exit };
            defined(recv(S, $_, 4096, 0)) or do { print $!; exit };
            print((split /\\r\\n/)[0] // "");
            """
        return try await Programs.run(
            "/usr/bin/setpriv",
            ["--reuid", user, "--clear-groups", "/usr/bin/perl", "-e", script, home.path + "/run/stored.sock"],
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"]
        ).output
    }

    /// Whether the system has no runtime directory for this user, in which the user's own daemon would listen.
    static let hasNoRuntimeFolder = !FileManager.default.fileExists(atPath: "/run/user/\(getuid())")

    @Test(.enabled(if: hasNoRuntimeFolder, "this user has a session, whose daemon would be found"))
    func `a cron job finds the daemon that the user's session started`() async throws {
        let folder = try TemporaryFolder()
        var session = ["PATH": "/usr/bin:/bin", "STORECTL_DAEMON_IDLE_TIMEOUT": "60"]
        for name in ["DATA", "CACHE", "CONFIG"] { session["XDG_\(name)_HOME"] = "\(folder.path)/\(name.lowercased())" }
        let cron = session
        session["XDG_RUNTIME_DIR"] = folder.path + "/runtime"
        session["HOME"] = folder.path
        let started = try await Programs.run("storectl", ["daemon", "start", "--json"], environment: session).json
        let pid = try #require(started["pid"]?.number)
        defer { kill(Int32(pid), SIGKILL) }
        #expect(FileManager.default.fileExists(atPath: folder.path + "/runtime/storectl/stored.sock"))
        #expect(started["home"]?["data"].text == folder.path + "/data/storectl")

        let found = try await Programs.run("storectl", ["daemon", "status", "--json"], environment: cron).json
        #expect(found["pid"]?.number == pid)
        #expect(try await Programs.run("storectl", ["list"], environment: cron).exit == 0)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data/storectl/run"))

        // The other way round: the session finds the daemon that the job started.
        #expect(try await Programs.run("storectl", ["daemon", "stop"], environment: cron).exit == 0)
        let byCron = try await Programs.run("storectl", ["daemon", "start", "--json"], environment: cron).json
        let second = try #require(byCron["pid"]?.number)
        defer { kill(Int32(second), SIGKILL) }
        #expect(FileManager.default.fileExists(atPath: folder.path + "/data/storectl/run/stored.sock"))
        let seen = try await Programs.run("storectl", ["daemon", "status", "--json"], environment: session).json
        #expect(seen["pid"]?.number == second)
        #expect(try await Programs.run("storectl", ["daemon", "stop"], environment: session).exit == 0)
    }
}
