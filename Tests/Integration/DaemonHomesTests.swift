import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests that two homes are independent, whatever directories they share.
@Suite(.hangGuard) struct DaemonHomesTests {
    @Test func `two homes that share a runtime folder have a daemon each`() async throws {
        let folder = try TemporaryFolder()
        func environment(_ home: String) -> [String: String] {
            var variables = ["PATH": Programs.folder + ":/usr/bin:/bin", "XDG_RUNTIME_DIR": folder.path + "/runtime"]
            for name in ["DATA", "CACHE", "CONFIG"] { variables["XDG_\(name)_HOME"] = "\(folder.path)/\(home)/\(name)" }
            return variables
        }
        func storectl(_ home: String, _ arguments: String...) async throws -> Programs.Result {
            try await Programs.run("storectl", arguments, environment: environment(home))
        }
        try FileManager.default.createDirectory(atPath: folder.path + "/runtime", withIntermediateDirectories: true)

        for home in ["one", "two"] {
            let granted = try await storectl(home, "purchases", "grant", "of-" + home)
            #expect(granted.exit == 0, "\(granted)")
        }
        var processes: Set<Double> = []
        for home in ["one", "two"] {
            let list = try await storectl(home, "purchases", "list", "--json").json
            #expect(list["purchases"]?.elements.map { $0["productIdentifier"].text } == ["of-" + home])
            let status = try await storectl(home, "daemon", "status", "--json").json
            #expect(status["home"]?["data"].text == "\(folder.path)/\(home)/DATA/storectl")
            if let pid = status["pid"]?.number { processes.insert(pid) }
        }
        #expect(processes.count == 2)
        for home in ["one", "two"] {
            let stopped = try await storectl(home, "daemon", "stop")
            #expect(stopped.exit == 0, "\(stopped)")
        }
    }

    @Test func `commands for a copied home leave the original and its daemon alone`() async throws {
        let home = try TestHome()
        try await home.must("purchases", "grant", "cups")
        let folder = try TemporaryFolder()
        let copy = folder.path + "/copy"
        let copied = try await Programs.run("/bin/cp", ["-a", home.path, copy], environment: [:])
        #expect(copied.exit == 0, "\(copied)")
        let granted = try await home.must("purchases", "grant", "mugs", "--home", copy)
        #expect(granted.exit == 0)
        #expect(try await home.must("purchases", "list", "--home", copy).output.contains("mugs"))
        let status = try await home.must("daemon", "status", "--home", copy, "--json").json
        #expect(status["home"]?["data"].text == copy + "/data")
        try await home.must("daemon", "stop", "--home", copy)
        #expect(home.daemonPID != nil, "the daemon of the original runs")
        #expect(try await !home.must("purchases", "list").output.contains("mugs"))
    }

    @Test func `a home whose lock file is deleted keeps its one daemon`() async throws {
        let home = try TestHome()
        try await home.must("purchases", "grant", "cups")
        let pid = try #require(home.daemonPID)
        try FileManager.default.removeItem(atPath: home.path + "/data/stored.lock")
        let second = try await Programs.run("stored", ["--home", home.path], environment: home.environment)
        #expect(second.exit == 7 && second.errors.contains(home.path), "\(second)")
        let status = try await home.must("daemon", "status", "--json").json
        #expect(status["pid"]?.number == Double(pid))
        try await home.must("daemon", "stop")
        #expect(try await home.must("purchases", "list").output.contains("cups"))
        try await home.must("daemon", "stop")
    }
}
