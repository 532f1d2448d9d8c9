import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests exit codes that scripts depend on, and their table in the help.
@Suite(.hangGuard) struct ExitCodeTests {
    @Test func `damage of one of several packs is exit code 5`() async throws {
        let store = try await TestStore()
        for name in ["cups", "mugs"] {
            try await store.add(name, files: ["a.png": TestStore.bytes(200, seed: 1)])
        }
        try await store.publish()
        let home = try TestHome()
        try await home.must("store", "add", "shop", "file://" + store.publicPath + "/", "--unsigned")
        try await home.must("install", "cups", "mugs")
        try Data("x".utf8).write(to: URL(filePath: home.path + "/data/packs/cups.stickers/a.png"))

        let found = try await home.fails("verify", exit: 5, code: "pack.damaged", saying: ["'cups'"])
        #expect(found["results"]?.elements.count == 2)
        // An item that could not be checked is a failure of its own.
        try await home.fails("verify", "cups", "nothing", exit: 10, code: "operation.some-failed")
        try await home.must("verify", "--repair")
        try await home.must("verify")
    }

    @Test func `the state of the daemon is an exit code on request`() async throws {
        let home = try TestHome()
        #expect(try await home.must("daemon", "status").output.contains("not running"))
        let stopped = try await home.storectl("daemon", "status", "--exit-code", "--json")
        #expect(stopped.exit == 8, "\(stopped)")
        #expect(try stopped.json["running"] == .bool(false))
        try await home.must("daemon", "start")
        try await home.must("daemon", "status", "--exit-code")
    }

    @Test func `the help lists every exit code`() async throws {
        for arguments in [["help"], ["--help"]] {
            let help = try await Programs.run("storectl", arguments, environment: [:])
            #expect(help.exit == 0)
            let lines = help.output.split(separator: "\n").map {
                $0.split(separator: " ", maxSplits: 1).map(String.init)
            }
            for code in ExitCode.allCases {
                #expect(
                    lines.contains { $0.first == "\(code.rawValue)" && $0.last?.contains(code.summary) == true },
                    "\(code.rawValue): \(help.output)")
            }
        }
    }
}
