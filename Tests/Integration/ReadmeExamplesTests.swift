import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Runs the examples of the README for front-ends as they are printed.
@Suite(.hangGuard) struct ReadmeExamplesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    /// Returns the only code block in a language.
    private func block(_ language: String) throws -> String {
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```\(language)\n").dropFirst()
        try #require(blocks.count == 1, "blocks in \(language)")
        return try #require(blocks.first?.components(separatedBy: "```\n").first)
    }

    /// A user whose home has the README's store, and no daemon.
    private final class User: Sendable {
        let folder: TemporaryFolder
        let store: TestStore
        let origin: Origin
        let environment: [String: String]

        init() async throws {
            store = try await TestStore()
            try await store.add("org.example.cups", files: ["01.webp": TestStore.bytes(300_000, seed: 1)])
            try await store.publish()
            origin = try Origin()
            origin.serve(folder: store.publicPath)
            folder = try TemporaryFolder()
            let runtime = folder.path + "/run"
            try FileManager.default.createDirectory(
                atPath: runtime, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let environment = [
                "HOME": folder.path, "XDG_RUNTIME_DIR": runtime, "PATH": Programs.folder + ":/usr/bin:/bin",
                "STORECTL_DAEMON_IDLE_TIMEOUT": "60",
            ]
            self.environment = environment.merging(Sanitizers.environment) { $1 }
            let added = try await run("storectl", "store", "add", "shop", origin.url.absoluteString, "--unsigned")
            try #require(added.exit == 0, "\(added)")
        }

        @discardableResult
        func run(_ program: String, _ arguments: String...) async throws -> Programs.Result {
            try await Programs.run(program, arguments, environment: environment)
        }

        /// Stops the daemon, and returns whether the pack is installed.
        func finish() async throws -> Bool {
            let list = try await run("storectl", "list", "--json").json
            try await run("storectl", "daemon", "stop")
            return list["packs"]?.elements.map { $0["productIdentifier"].text } == ["org.example.cups"]
        }
    }

    /// Returns the states in the output, each once, in order.
    private func states(_ output: String) -> [String] {
        let known = ["Initializing", "Downloading", "Downloaded", "Finished", "Cancelled", "Failed"]
        return output.split(whereSeparator: { !$0.isLetter }).map(String.init).filter(known.contains)
            .reduce(into: []) { states, state in if states.last != state { states.append(state) } }
    }

    private let all = ["Initializing", "Downloading", "Downloaded", "Finished"]

    @Test func `the Swift program of the README is the compiled sample, and installs a pack`() async throws {
        let file = Self.root.appending(path: "Tests/FrontEnd/main.swift")
        #expect(try block("swift") == String(contentsOf: file, encoding: .utf8))
        let user = try await User()
        let result = try await user.run("StoreFrontEndExample", "org.example.cups")
        #expect(result.exit == 0, "\(result)")
        #expect(states(result.output) == all)
        let path = user.folder.path + "/.local/share/storectl/packs/org.example.cups.stickers"
        #expect(result.output.contains("Installed in \(path)\n"))
        // The second run has nothing to do.
        let again = try await user.run("StoreFrontEndExample")
        #expect(again.exit == 0 && again.output == "Installed in \(path)\n")
        let unknown = try await user.run("StoreFrontEndExample", "no.such.product")
        #expect(unknown.exit != 0 && unknown.errors.contains("no.such.product"))
        #expect(try await user.finish())
    }

    @Test func `the front-end test of the README passes against a scenario`() async throws {
        let folder = try TemporaryFolder()
        let result = try await Programs.run(
            "/usr/bin/python3", ["-c", block("python3")],
            environment: ["PATH": Programs.folder + ":/usr/bin:/bin", "HOME": folder.path, "TMPDIR": folder.path])
        #expect(result.exit == 0, "\(result)")
    }

    @Test(arguments: [("bash", "/bin/bash", "-euc"), ("python", "/usr/bin/python3", "-c")])
    func `the example of another language installs a pack as well`(language: String, program: String, option: String)
        async throws
    {
        let user = try await User()
        let script = try block(language)
        if language == "python" { try await user.run("storectl", "daemon", "start") }
        let result = try await user.run(program, option, script)
        #expect(result.exit == 0, "\(result)")
        #expect(states(result.output) == all, "\(result)")
        #expect(try await user.finish())
    }
}
