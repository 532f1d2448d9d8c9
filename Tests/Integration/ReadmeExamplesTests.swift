import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Runs the code blocks of the README as they are printed.
@Suite(.hangGuard) struct ReadmeExamplesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL

    /// What the tests do with a block of the README.
    private enum Use {
        /// Run the commands in a session, after those of the blocks before.
        case session
        /// Compare it with the file of this path, which is compiled, and run the program.
        case program(source: String)
        /// Compare it with the code between `// sample` and `// end` in the file of this path, which is compiled.
        case sample(source: String)
        /// Let SwiftPM read it as a package's manifest.
        case manifest
        /// Run it as a script that installs a pack.
        case frontEnd
        /// Run it against a scenario.
        case scenario
        /// Run it as a script that uses the web listener with a token.
        case token
        /// Nothing, for this reason.
        case notRun(String)
    }

    /// A text that only one block of the README contains, and what the tests do with that block.
    private static let uses: [(text: String, use: Use)] = [
        ("scripts/quickstart ", .notRun("builds this package, installs Debian packages, and runs all tests")),
        ("scripts/install --prefix", .notRun("builds a release; scripts/check builds and installs the Debian package")),
        ("storectl store add", .session),
        ("storectl update ", .session),
        ("storehouse init", .session),
        ("import StoreClient\n", .program(source: "Tests/FrontEnd/main.swift")),
        ("import StoreEngine\n", .program(source: "Tests/InProcessFrontEnd/main.swift")),
        ("tray.addTab", .sample(source: "Tests/Samples/StickerTraySample.swift")),
        ("// swift-tools-version:", .manifest),
        ("storectl daemon start --json | jq", .frontEnd),
        ("[\"storectl\", \"daemon\", \"start\", \"--json\"]", .frontEnd),
        ("storectl web tokens create tray", .token),
        ("<link rel=\"stylesheet\" href=\"/v1/skin/css\">", .notRun("a browser can't connect to a unix socket")),
        ("[\"stored\", \"--scenario\", \"stall-and-retry\"]", .scenario),
    ]

    private static func blocks() throws -> [MarkdownBlock] {
        try MarkdownBlock.all(in: root.appending(path: "README.md"))
    }

    /// Returns the only block that contains a text.
    private func block(_ text: String) throws -> String {
        let blocks = try Self.blocks().filter { $0.text.contains(text) }
        try #require(blocks.count == 1, "blocks with '\(text)'")
        return blocks[0].text
    }

    @Test func `every code block of the README is run, or named with the reason why it is not`() throws {
        for block in try Self.blocks() {
            let texts = Self.uses.map(\.text).filter(block.text.contains)
            #expect(texts.count == 1, "README.md:\(block.lines.lowerBound): \(texts)")
        }
        for (text, use) in Self.uses {
            let block = try block(text)
            if case .program(let source) = use {
                #expect(try block == String(contentsOf: Self.root.appending(path: source), encoding: .utf8))
            } else if case .sample(let source) = use {
                let lines = try String(contentsOf: Self.root.appending(path: source), encoding: .utf8)
                    .split(separator: "\n", omittingEmptySubsequences: false)
                let start = try #require(lines.firstIndex(of: "    // sample"), "\(source)")
                let sample = lines[(start + 1)...].prefix { $0 != "    // end" }.map { $0.dropFirst(4) + "\n" }
                #expect(block == sample.joined(), "\(source)")
            }
        }
    }

    @Test(.needs("/etc/ssl/certs/ca-certificates.crt", debian: "ca-certificates"))
    func `the shell commands of the README succeed one after the other, and then the program without a daemon`()
        async throws
    {
        let blocks = try Self.blocks().filter { block in
            Self.uses.contains { use in
                if case .session = use.use { block.text.contains(use.text) } else { false }
            }
        }
        let session = try ReadmeSession()
        let program = "StoreInProcessExample"
        let result = try await session.run(
            blocks.map(\.text) + [
                "\(program) > first.txt", "\(program) > again.txt",
                "! \(program) no.such.product > unknown.txt",
            ])
        try #require(result.exit == 0, "namespaces are needed, and what runs in them must go well: \(result)")

        func document(_ name: String) throws -> JSONValue {
            let file = URL(filePath: session.directory + "/" + name)
            return try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: file))
        }
        let packs = try document("list.json")["packs"].elements
            .map { [$0["productIdentifier"], $0["version"], $0["held"]] }
        #expect(
            Set(packs) == [
                ["my-pack", .null, .bool(false)], ["org.example.cats", "1.1.0", .bool(false)],
                ["org.example.cups", "1.0.0", .bool(true)],
            ])
        let skins = try document("skins.json")["skins"].elements.filter { $0["inUse"] == .bool(true) }
        #expect(skins.map { $0["identifier"].text } == ["dark"])
        func text(_ name: String) throws -> String {
            try String(contentsOfFile: session.directory + "/" + name, encoding: .utf8)
        }
        #expect(try text("cups.txt") == "cups\n")
        #expect(result.output.contains("http://127.0.0.1:8000/\n"))

        let installed = "Installed in \(session.directory)/chat-home/data/packs/org.example.cups.stickers\n"
        #expect(try states(text("first.txt")) == all)
        #expect(try text("first.txt").hasSuffix("\n" + installed))
        #expect(try text("again.txt") == installed)
        #expect(try text("unknown.txt").hasPrefix("error: ") && text("unknown.txt").contains("'no.such.product'"))
    }

    /// A user who has a store, and no daemon.
    private final class User: Sendable {
        let folder: TemporaryFolder
        let store: TestStore
        let origin: Origin
        let environment: [String: String]

        /// - Parameter product: the only product of the store.
        init(product: String = "org.example.cups", settings: [String: String] = [:]) async throws {
            store = try await TestStore()
            try await store.add(product, files: ["01.webp": TestStore.bytes(300_000, seed: 1)])
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
            self.environment = environment.merging(settings) { $1 }.merging(Sanitizers.environment) { $1 }
            let added = try await run("storectl", "store", "add", "shop", origin.url.absoluteString, "--unsigned")
            try #require(added.exit == 0, "\(added)")
            try await run("storectl", "daemon", "stop")
        }

        @discardableResult
        func run(_ program: String, _ arguments: String...) async throws -> Programs.Result {
            try await Programs.run(program, arguments, environment: environment)
        }

        /// The directory of the pack that the examples install.
        var pack: String { folder.path + "/.local/share/storectl/packs/org.example.cups.stickers" }

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

    @Test func `the Swift program of the README installs a pack, and reports errors`() async throws {
        let user = try await User()
        let result = try await user.run("StoreFrontEndExample", "org.example.cups")
        #expect(result.exit == 0, "\(result)")
        #expect(states(result.output) == all)
        #expect(result.output.hasSuffix("\nInstalled in \(user.pack)\n"))
        // The second run has nothing to do.
        let again = try await user.run("StoreFrontEndExample")
        #expect(again.exit == 0 && again.output == "Installed in \(user.pack)\n")
        let unknown = try await user.run("StoreFrontEndExample", "no.such.product")
        #expect(unknown.exit == 3 && unknown.output.hasPrefix("error: "), "\(unknown)")
        #expect(unknown.output.contains("'no.such.product'"))
        #expect(try await user.finish())
    }

    @Test func `the manifest of the README has the targets that scripts/check builds in a dependent package`()
        async throws
    {
        let folder = try TemporaryFolder()
        let manifest = folder.url.appending(path: "application/Package.swift")
        try FileManager.default.createDirectory(
            at: manifest.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(block("// swift-tools-version:").utf8).write(to: manifest)

        func targets(_ package: String) async throws -> [String: JSONValue] {
            let result = try await Programs.run(
                "/usr/bin/env",
                [
                    "swift", "package", "--package-path", package, "--scratch-path", folder.path + "/build",
                    "--cache-path", folder.path + "/cache", "dump-package",
                ],
                environment: [
                    "HOME": folder.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
                ])
            try #require(result.exit == 0, "\(result)")
            let pairs = try result.json["targets"]?.elements.map { ($0["name"].text ?? "", $0["dependencies"]) }
            return Dictionary(uniqueKeysWithValues: pairs ?? [])
        }
        let printed = try await targets(manifest.deletingLastPathComponent().path)
        #expect(printed.keys.sorted() == ["chat", "chat-alone"])
        let dependent = Self.root.appending(path: "Tests/DependentPackage")
        let built = try await targets(dependent.path)
        #expect(built.filter { printed[$0.key] != nil } == printed)

        for (target, text) in [("chat", "import StoreClient\n"), ("chat-alone", "import StoreEngine\n")] {
            let source = dependent.appending(path: "Sources/\(target)/main.swift")
            #expect(try String(contentsOf: source, encoding: .utf8) == block(text))
        }
    }

    @Test func `the front-end test of the README passes against a scenario`() async throws {
        let folder = try TemporaryFolder()
        let result = try await Programs.run(
            "/usr/bin/python3", ["-c", block("[\"stored\", \"--scenario\", \"stall-and-retry\"]")],
            environment: ["PATH": Programs.folder + ":/usr/bin:/bin", "HOME": folder.path, "TMPDIR": folder.path])
        #expect(result.exit == 0, "\(result)")
    }

    private static let scripts = [
        (program: "/bin/bash", option: "-euc", text: "storectl daemon start --json | jq"),
        (program: "/usr/bin/python3", option: "-c", text: "[\"storectl\", \"daemon\", \"start\", \"--json\"]"),
    ]

    @Test(.needs("/usr/bin/jq", debian: "jq"), arguments: scripts)
    func `the example of another language starts the daemon, and ends for each result`(
        program: String, option: String, text: String
    ) async throws {
        let script = try block(text)
        let user = try await User()
        let result = try await user.run(program, option, script)
        #expect(result.exit == 0, "\(result)")
        #expect(states(result.output) == all, "\(result)")
        #expect(result.errors.isEmpty, "\(result)")
        let again = try await user.run(program, option, script)
        #expect(again.exit == 0 && again.output == "Installed already in \(user.pack)\n", "\(again)")
        #expect(try await user.finish())

        let unlucky = try await User()
        let archives = try FileManager.default.contentsOfDirectory(atPath: unlucky.store.publicPath + "/archives")
        for archive in archives { unlucky.origin.always("/archives/" + archive, .status(404)) }
        let failed = try await unlucky.run(program, option, script)
        #expect(failed.exit == 1 && states(failed.output).last == "Failed", "\(failed)")
        #expect(failed.errors.contains("does not exist (HTTP 404)"), "\(failed)")
        #expect(failed.errors.split(separator: "\n").count == 1, "\(failed)")
        try await unlucky.run("storectl", "daemon", "stop")

        let other = try await User(product: "org.example.cats")
        let unknown = try await other.run(program, option, script)
        #expect(unknown.exit == 1 && unknown.errors.contains("'org.example.cups'"), "\(unknown)")
        #expect(states(unknown.output) == [], "\(unknown)")
        try await other.run("storectl", "daemon", "stop")
    }

    @Test(.needs("/usr/bin/jq", debian: "jq"))
    func `the example of an access token lists the packs over TCP`() async throws {
        let user = try await User(settings: ["STORECTL_WEB_PORT": "0"])
        let result = try await user.run("/bin/bash", "-euc", block("storectl web tokens create tray"))
        #expect(result.exit == 0 && result.output.contains(#""packs":[]"#), "\(result)")
        try await user.run("storectl", "daemon", "stop")
    }
}
