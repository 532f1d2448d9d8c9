import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// A temporary home for `storectl` with `STORECTL_HOME`, and the daemon that it starts.
final class TestHome: Sendable {
    let folder: TemporaryFolder
    let path: String
    /// `STORECTL_HOME`, and settings that make tests independent of the speed of the machine.
    let environment: [String: String]

    /// Timeouts for servers that stop responding, long enough for a server on a busy machine.
    static let shortTimeouts = ["STORECTL_NETWORK_STALL_TIMEOUT": "5", "STORECTL_NETWORK_ANSWER_TIMEOUT": "5"]

    init(settings: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/home"
        let environment = [
            "STORECTL_HOME": path, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": folder.path, "NO_COLOR": "1",
            "STORECTL_CATALOGUE_REFRESH_AFTER": "0", "STORECTL_DOWNLOADS_RETRY_DELAY": "20",
            // A test whose server is down for good has nothing to wait for.
            "STORECTL_DOWNLOADS_CONTACT_TIMEOUT": "1",
            // On a busy machine minutes may pass while a test server holds a transfer back.
            "STORECTL_NETWORK_STALL_TIMEOUT": "3600", "STORECTL_NETWORK_ANSWER_TIMEOUT": "3600",
            "STORECTL_NETWORK_CONNECT_TIMEOUT": "3600", "STORECTL_CATALOGUE_WAIT_TIMEOUT": "3600",
            "STORECTL_CATALOGUE_REFRESH_TIMEOUT": "86400", "STORECTL_WORKER_TIMEOUT": "86400",
            // A daemon that a test leaves running exits by itself.
            "STORECTL_DAEMON_IDLE_TIMEOUT": "600",
        ]
        self.environment = environment.merging(Sanitizers.environment) { $1 }.merging(settings) { $1 }
    }

    deinit {
        if let pid = daemonPID { kill(pid, SIGKILL) }
    }

    @discardableResult
    func storectl(_ arguments: String...) async throws -> Programs.Result {
        try await Programs.run("storectl", arguments, environment: environment)
    }

    /// Switches the pages on at a port that is the same after a restart of the daemon.
    func servePagesAtFixedPort() async throws {
        // Outside of the ports that the system gives to connections; another program may have it nevertheless.
        repeat {
            try await storectl("config", "set", "web.port", "\(Int.random(in: 20_000..<30_000))")
        } while try await storectl("web", "--no-open").exit != 0
    }

    /// Runs a command that must succeed.
    @discardableResult
    func must(_ arguments: String..., location: SourceLocation = #_sourceLocation) async throws -> Programs.Result {
        let result = try await Programs.run("storectl", arguments, environment: environment)
        try #require(
            result.exit == 0, "storectl \(arguments.joined(separator: " ")): \(result)", sourceLocation: location)
        return result
    }

    func startStorectl(_ arguments: String...) throws -> Programs.Running {
        try Programs.start("storectl", arguments, environment: environment)
    }

    /// Returns the packs of `list --json` by product identifier.
    func packs() async throws -> [String: JSONValue] {
        let list = try await must("list", "--json").json
        return Dictionary(
            uniqueKeysWithValues: (list["packs"]?.elements ?? []).map { ($0["productIdentifier"].text ?? "", $0) })
    }

    /// The process identifier of the home's daemon, as its lock file states it.
    var daemonPID: Int32? {
        guard let data = FileManager.default.contents(atPath: path + "/data/stored.lock"),
            let lock = try? JSONDecoder().decode(JSONValue.self, from: data), let pid = lock["pid"].number,
            let command = try? String(contentsOfFile: "/proc/\(Int32(pid))/cmdline", encoding: .utf8),
            command.contains("stored")
        else { return nil }
        return Int32(pid)
    }

    /// Kills the daemon and waits for its end.
    func killDaemon(_ signal: Int32 = SIGKILL) async {
        guard let pid = daemonPID else { return }
        kill(pid, signal)
        while kill(pid, 0) == 0, daemonPID == pid { try? await Task.sleep(for: .milliseconds(5)) }
    }

    func entries(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)) ?? []).sorted()
    }
}
