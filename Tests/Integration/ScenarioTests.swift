import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests scenarios in a real daemon.
@Suite(.hangGuard) struct ScenarioTests {
    /// Returns the events of a scenario without client requests, with numbered operations and without the home's path.
    private func trace(_ player: ScenarioPlayer) async throws -> [String] {
        var (lines, operations): ([String], [String]) = ([], [])
        try await player.listens()
        var restarts = 0
        var last = try player.sequence()
        var events = try player.events(after: last)
        var state = try player.advance(0)
        func note(_ event: String) throws {
            let part = try JSONDecoder().decode(JSONValue.self, from: Data(event.utf8))
            last = UInt64(try #require(part["sequence"].number))
            if let operation = part["operation"].text, !operations.contains(operation) { operations.append(operation) }
            var line = event.replacingOccurrences(of: player.home + "/", with: "/HOME/")
            for (index, operation) in operations.enumerated() {
                line = line.replacingOccurrences(of: "\"\(operation)\"", with: "\"\(index + 1)\"")
            }
            lines.append(line)
        }
        while true {
            #expect(state["steps"]?.elements.allSatisfy { $0["error"] == .null } == true, "\(state)")
            let sequence = UInt64(try #require(state["sequence"]?.number))
            while last < sequence { try note(#require(try events.next())) }
            if state["restarts"] == .bool(true) {
                // The stream ends as at every exit of a daemon.
                while let event = try events.next() { try note(event) }
                restarts += 1
                try await player.listens(restarts + 1)
                events = try player.events(after: last)
                state = try player.advance(0)
                continue
            }
            guard let next = state["next"]?.number, next <= 600 else { return lines }
            state = try player.advance(next - (state["elapsed"]?.number ?? 0))
        }
    }

    @Test(arguments: ["slow-download", "stall-and-retry", "no-network", "failure", "update", "restart"])
    func `a built-in scenario produces its recorded events`(name: String) async throws {
        let player = try ScenarioPlayer(name)
        let lines = try await trace(player)
        try await player.finish()
        if ProcessInfo.processInfo.environment["STORECTL_RECORD_TRACES"] != nil {
            try record(lines, of: name)
            try skip("the events were recorded, and not compared")
        }
        let written = try await Programs.run("stored", ["scenarios", name, "--trace"], environment: [:])
        #expect(written.exit == 0)
        let expected = written.output.split(separator: "\n").map(String.init)
        #expect(!expected.isEmpty)
        let replaceable = try Self.replaceableProgress(expected)
        let received = Set(lines)
        let required = expected.filter { received.contains($0) || !replaceable.contains($0) }
        for (line, other) in zip(lines, required) { #expect(line == other) }
        #expect(lines.count == required.count)
    }

    /// Returns the events of progress that a newer event of the same download may replace before a reader receives
    /// them.
    private static func replaceableProgress(_ events: [String]) throws -> Set<String> {
        var (replaceable, transferring): (Set<String>, Set<String>) = ([], [])
        for event in events {
            let part = try JSONDecoder().decode(JSONValue.self, from: Data(event.utf8))
            guard let operation = part["operation"].text else { continue }
            if part["state"].text != "Downloading" || part["activity"].text != "transferring" {
                transferring.remove(operation)
            } else if !transferring.insert(operation).inserted {
                // The first event in this state is not progress but a change of state.
                replaceable.insert(event)
            }
        }
        return replaceable
    }

    /// Replaces the recorded events of a scenario in the sources, for a change of the wire format that is meant.
    private func record(_ lines: [String], of name: String) throws {
        let scripts = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Scenarios/Scripts/\(name).trace.jsonl").standardized
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: scripts)
    }

    @Test(arguments: ["slow-download", "stall-and-retry", "no-network", "failure", "update", "restart"])
    func `a scenario that is advanced in one step comes to the same end`(name: String) async throws {
        let player = try ScenarioPlayer(name)
        try await player.listens()
        var state = try player.advance(600)
        if state["restarts"] == .bool(true) {
            try await player.listens(2)
            state = try player.advance(600)
        }
        let written = try await Programs.run("stored", ["scenarios", name, "--trace"], environment: [:])
        let last = try #require(written.output.split(separator: "\n").last)
        let event = try JSONDecoder().decode(JSONValue.self, from: Data(last.utf8))
        #expect(state["sequence"] == event["sequence"], "\(state)")
        try await player.finish()
    }

    @Test func `waiting downloads do not advance the clock, and only due sleepers wake`()
        async throws
    {
        let folder = try TemporaryFolder()
        func product(_ name: String, _ seconds: Int, needing: String = "") -> String {
            """
            {"productIdentifier": "\(name)", "dependencies": [\(needing)], "versions": [
              {"version": "1", "size": 2000, "attempts": [[{"after": \(seconds), "bytes": 2000}]]}]}
            """
        }
        let script = """
            {"scenario": 1, "title": "One after another", "settings": {"downloads.maximumAtOnce": "1"}, "products": [
              \(product("base", 2)), \(product("top", 3, needing: "\"base\"")), \(product("other", 4))]}
            """
        try Data(script.utf8).write(to: URL(filePath: folder.path + "/s.json"))
        let player = try ScenarioPlayer(folder.path + "/s.json")
        try await player.listens()
        try player.ask("POST", "/v1/downloads", "{\"productIdentifier\":\"top\"}", status: 202)
        #expect(try player.advance(0)["next"]?.number == 2)
        try player.ask("POST", "/v1/downloads", "{\"productIdentifier\":\"other\"}", status: 202)
        #expect(try player.advance(1)["next"]?.number == 2)
        func reason(_ product: String) throws -> String? {
            try player.ask("GET", "/v1/downloads/" + product)["reason"]?.text
        }
        #expect(try reason("top") == "waiting for base" && reason("other") == "waiting for a free slot")
        // The queued download is first, followed by the one that waited for its dependency.
        #expect(try player.advance(1)["next"]?.number == 6)
        #expect(try reason("top") == "waiting for a free slot" && reason("other") == nil)
        #expect(try player.advance(4)["next"]?.number == 9)
        #expect(try player.advance(3)["next"] == .null)
        let states = try player.ask("GET", "/v1/downloads")["downloads"]?.elements.map { $0["state"].text }
        #expect(states == ["Finished", "Finished", "Finished"])
        try await player.finish()
    }

    @Test func `built-in scenarios are listed and printed in a form that can be played from a file`() async throws {
        let list = try await Programs.run("stored", ["scenarios"], environment: [:])
        let names = list.output.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(names == ["slow-download", "stall-and-retry", "no-network", "failure", "update", "restart"])
        let shown = try await Programs.run("stored", ["scenarios", "failure"], environment: [:])
        let folder = try TemporaryFolder()
        let file = folder.path + "/scenario.json"
        try Data(shown.output.utf8).write(to: URL(filePath: file))
        let player = try ScenarioPlayer(file)
        try await player.listens()
        #expect(try player.ask("GET", "/v1/scenario/clock")["title"]?.text?.hasPrefix("Two downloads fail") == true)
        try await player.finish()
    }

    @Test func `client requests are answered within the scenario, and only the clock lets time pass`() async throws {
        let folder = try TemporaryFolder()
        let script = """
            {"scenario": 1, "title": "One", "begins": "2030-05-06T07:08:09Z", "products": [
              {"productIdentifier": "a", "versions": [{"version": "1.0.0", "size": 10000, "attempts": [
                [{"after": 2, "bytes": 4000}, {"after": 3, "fails": "transfer.interrupted"}],
                [{"after": 1, "bytes": 10000}]]}]},
              {"productIdentifier": "b", "price": "0.99 EUR", "versions": [{"version": "2", "size": 9999}]}]}
            """
        try Data(script.utf8).write(to: URL(filePath: folder.path + "/s.json"))
        let player = try ScenarioPlayer(folder.path + "/s.json", environment: ["STORECTL_DOWNLOADS_RETRY_DELAY": "1"])
        try await player.listens()
        // A download without scripted events ends immediately.
        try player.ask("POST", "/v1/downloads", "{\"productIdentifier\":\"b\"}", status: 402)
        try player.ask("PUT", "/v1/purchases/b", "")
        try player.ask("POST", "/v1/downloads", "{\"productIdentifier\":\"b\"}", status: 202)
        #expect(try player.advance(0)["next"] == .null)
        #expect(try player.ask("GET", "/v1/downloads/b")["state"]?.text == "Finished")

        try player.ask("POST", "/v1/downloads", "{\"productIdentifier\":\"a\"}", status: 202)
        #expect(try player.advance(1.5)["next"]?.number == 2)
        #expect(try player.ask("GET", "/v1/downloads/a")["activity"]?.text == "connecting")
        _ = try player.advance(1)
        let first = try player.ask("GET", "/v1/downloads/a")
        #expect(first["bytesReceived"]?.number == 4000 && first["activity"]?.text == "transferring")
        // The configured delay without jitter, whatever the environment sets.
        #expect(try player.advance(0.75)["next"]?.number == 3.5)
        let waiting = try player.ask("GET", "/v1/downloads/a")
        #expect(waiting["retryAt"]?.text == "2030-05-06T07:08:12Z" && waiting["activity"]?.text == "waiting")
        _ = try player.ask("PATCH", "/v1/downloads/a", "{\"paused\":true}")
        #expect(try player.advance(100)["next"] == .null)
        _ = try player.ask("PATCH", "/v1/downloads/a", "{\"paused\":false}")
        let end = try player.advance(1)
        #expect(end["elapsed"]?.number == 104.25 && end["time"]?.text == "2030-05-06T07:09:53Z")
        #expect(try player.ask("GET", "/v1/downloads/a")["state"]?.text == "Finished")
        let pack = try player.ask("GET", "/v1/packs/a")
        #expect(pack["installedAt"]?.text == "2030-05-06T07:09:53Z")
        let path = try #require(pack["path"]?.text)
        #expect(path == player.home + "/data/packs/a.stickers")
        #expect(FileManager.default.fileExists(atPath: path + "/picture.gif"))
        try player.ask("POST", "/v1/scenario/clock", "{\"advance\":-1}", status: 400)
        try player.ask(
            "POST", "/v1/stores", "{\"name\":\"other\",\"url\":\"http://other.example/\",\"unsigned\":true}",
            status: 502)
        try await player.finish()
    }

    @Test func `a real-time clock can not be advanced`() async throws {
        let player = try ScenarioPlayer("slow-download", "--scenario-clock", "real")
        try await player.listens()
        try player.ask("POST", "/v1/scenario/clock", "{\"advance\":1}", status: 409)
        let events = try player.events(after: player.sequence())
        // The download that the script starts after a second.
        for _ in 0..<3 { #expect(try events.next()?.contains("\"type\":\"download\"") == true) }
        try await player.finish()
    }

    @Test func `without --home a scenario uses a temporary home and removes it`() async throws {
        let folder = try TemporaryFolder()
        let daemon = try Programs.start(
            "stored", ["--scenario", "restart"],
            environment: ["HOME": folder.path, "TMPDIR": folder.path, "STORECTL_HOME": folder.path + "/own"])
        while daemon.output.isEmpty, daemon.isRunning { try await Task.sleep(for: .milliseconds(2)) }
        let home = daemon.output.trimmingCharacters(in: .newlines)
        #expect(home.hasPrefix(folder.path + "/stored-scenario-"), "\(daemon.errors)")
        #expect(try DaemonWire.ask("GET", "/v1/status", nil, at: home + "/run/stored.sock").status == 200)
        daemon.signal(SIGTERM)
        #expect(try await daemon.result().exit == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `a scenario requires an empty home`() async throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(filePath: folder.path + "/mine"))
        let result = try await Programs.run(
            "stored", ["--scenario", "failure", "--home", folder.path], environment: [:])
        #expect(result.exit == 7)
        #expect(result.errors.contains("'\(folder.path)' contains 'mine'"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["mine"])
    }

    private static let impossible: [(script: String, message: String)] = [
        ("{", "invalid JSON"),
        ("{\"scenario\": 2, \"title\": \"\", \"products\": []}", "at scenario: unsupported format, expected 1"),
        ("{\"scenario\": 1, \"title\": \"\"}", "missing member 'products'"),
        ("{\"scenario\": 1, \"title\": \"\", \"products\": [], \"step\": []}", "at step: unknown member"),
        (
            "{\"scenario\": 1, \"title\": \"\", \"products\": [], \"settings\": {\"no.such\": \"1\"}}",
            "at settings: there is no setting 'no.such'"
        ),
        (
            product("[[{\"bytes\": 2001}]]"),
            "at products[0].versions[0].attempts: attempt 1: 2001 bytes of 2000"
        ),
        (
            product("[[{\"bytes\": 2000}], [{\"bytes\": 20}, {\"bytes\": 10}]]"),
            "attempt 2: bytes must not decrease (20 to 10)"
        ),
        (product("[[{\"after\": 2, \"bytes\": 1}, {\"after\": 1, \"bytes\": 2000}]]"), "times must not decrease"),
        (product("[[{\"after\": 1, \"bytes\": 20}]]"), "no end: expected"),
        (product("[[{\"stalls\": true}, {\"bytes\": 2000}]]"), "event after the end"),
        (
            product("[[{\"after\": -1, \"stalls\": true}]]"),
            "at products[0].versions[0].attempts[0][0].after: must be"
        ),
        (product("[[{\"fails\": \"badly\"}]]"), "'badly' is not one of transfer.unreachable"),
        (product("[]", steps: "{\"at\": 1, \"do\": \"install\", \"product\": \"x\"}"), "no such product 'x'"),
        (product("[]", name: crowded), "the archive of 'a' 1 needs at least "),
        (product("[]", steps: "{\"at\": 1, \"do\": \"install\"}"), "at steps[0].product: 'install' requires a product"),
        (
            product("[]", steps: "{\"at\": 2, \"do\": \"check\"}, {\"at\": 1, \"do\": \"check\"}"),
            "at steps: times must not decrease"
        ),
    ]

    /// A name that does not fit into the archive even when it is compressed.
    private static let crowded = String(
        (0..<3000).reduce(into: (text: "", seed: UInt64(1))) { name, _ in
            name.seed = name.seed &* 6_364_136_223_846_793_005 &+ 1
            name.text += String(name.seed >> 60, radix: 16)
        }.text)

    private static func product(_ attempts: String, name: String = "A", steps: String = "") -> String {
        """
        {"scenario": 1, "title": "", "products": [{"productIdentifier": "a", "name": "\(name)", "versions": [
          {"version": "1", "size": 2000, "attempts": \(attempts)}]}], "steps": [\(steps)]}
        """
    }

    @Test(arguments: impossible.indices)
    func `an invalid script is rejected with location and reason`(number: Int) async throws {
        let (script, message) = Self.impossible[number]
        let folder = try TemporaryFolder()
        let file = folder.path + "/scenario.json"
        try Data(script.utf8).write(to: URL(filePath: file))
        let result = try await Programs.run(
            "stored", ["--scenario", file, "--home", folder.path + "/home"], environment: [:])
        #expect(result.exit == 5, "\(result)")
        #expect(result.errors.contains("invalid scenario"))
        #expect(result.errors.contains(message), "\(result.errors)")
    }

    /// A file of Debian's python3-jsonschema, which implements draft 2020-12.
    private static let validator = "/usr/lib/python3/dist-packages/jsonschema/__init__.py"

    @Test(.needs(validator, debian: "python3-jsonschema"))
    func `built-in scenarios conform to the schema, and flawed ones do not`() async throws {
        let resources = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Scenarios").standardizedFileURL.path
        let script = """
            import glob, json, sys, jsonschema
            schema = json.load(open(sys.argv[1] + "/Scenarios.docc/Resources/scenario-1.schema.json"))
            jsonschema.Draft202012Validator.check_schema(schema)
            validator = jsonschema.Draft202012Validator(schema)
            scripts = [json.load(open(path)) for path in glob.glob(sys.argv[1] + "/Scripts/*.json")]
            for script in scripts:
                validator.validate(script)
                for flaw in ({"step": []}, {"products": [{}]}, {"steps": [{"do": "fly"}]}):
                    assert list(validator.iter_errors(script | flaw)), flaw
            print(len(scripts))
            """
        let result = try await Programs.run(
            "/usr/bin/python3", ["-W", "ignore", "-c", script, resources], environment: [:])
        #expect(result.output == "6\n", "\(result)")
    }

    @Test func `an unknown scenario is a usage error`() async throws {
        for arguments in [
            ["--scenario", "no-such"], ["--scenario", "./no-such.json"], ["--scenario-clock", "real"],
            ["scenarios", "no-such"], ["stories", "--trace"],
        ] {
            let result = try await Programs.run("stored", arguments, environment: [:])
            #expect(result.exit == 2, "\(arguments): \(result)")
        }
    }
}
