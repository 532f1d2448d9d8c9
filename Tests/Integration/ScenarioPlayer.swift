import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// A daemon that plays a scenario in a temporary home.
final class ScenarioPlayer: Sendable {
    let folder: TemporaryFolder
    let home: String
    let daemon: Programs.Running

    /// Starts the daemon.
    ///
    /// - Parameter home: the home, which must not exist yet; `nil` for a temporary one of the player.
    init(
        _ scenario: String, _ arguments: String..., home: String? = nil, environment: [String: String] = [:]
    ) throws {
        folder = try TemporaryFolder()
        self.home = home ?? folder.path + "/home"
        let variables = ["PATH": "/usr/bin:/bin", "HOME": folder.path].merging(environment) { $1 }
            .merging(Sanitizers.environment) { $1 }
        daemon = try Programs.start(
            "stored", ["--scenario", scenario, "--home", self.home] + arguments, environment: variables)
    }

    /// Waits until the daemon has listened `times` times.
    func listens(_ times: Int = 1) async throws {
        while daemon.output.split(separator: "\n").count < times {
            try #require(daemon.isRunning, "\(daemon.errors)")
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(daemon.output.split(separator: "\n").allSatisfy { $0 == home })
    }

    @discardableResult
    func ask(
        _ method: String, _ resource: String, _ body: String? = nil, status: Int = 200
    ) throws -> [String: JSONValue] {
        let answer = try DaemonWire.ask(method, resource, body, at: home + "/run/stored.sock")
        try #require(answer.status == status, "\(method) \(resource): \(answer)")
        return try JSONDecoder().decode([String: JSONValue].self, from: Data(answer.body.utf8))
    }

    @discardableResult
    func advance(_ seconds: Double) throws -> [String: JSONValue] {
        try ask("POST", "/v1/scenario/clock", "{\"advance\":\(seconds)}")
    }

    /// Returns the sequence number of the last event.
    func sequence() throws -> UInt64 {
        UInt64(try #require(try ask("GET", "/v1/snapshot")["sequence"]?.number))
    }

    func events(after sequence: UInt64) throws -> WireEvents {
        try WireEvents("/v1/events?after=\(sequence)", at: home + "/run/stored.sock")
    }

    func finish() async throws {
        daemon.signal(SIGTERM)
        let result = try await daemon.result()
        #expect(result.exit == 0, "\(result)")
    }
}
