import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests the JSON Schemas of the documents that `storectl` and `storehouse` print with `--json` (`config/schemas`).
@Suite(.hangGuard) struct JSONSchemaTests {
    private static let root = DocumentedErrorCodes.sources.deletingLastPathComponent().path
    /// A file of Debian's python3-jsonschema, which implements draft 2020-12.
    private static let validator = "/usr/lib/python3/dist-packages/jsonschema/__init__.py"

    @Test func `every command has a schema, and the schemas are those of the interface`() async throws {
        let checked = try await Programs.run(
            "/usr/bin/python3", [Self.root + "/scripts/schemas", "--check", "--programs", Programs.folder],
            environment: ["PATH": "/usr/bin:/bin"].merging(Sanitizers.environment) { $1 })
        #expect(checked.exit == 0, "\(checked)")
    }

    @Test(.needs(validator, debian: "python3-jsonschema"))
    func `every command prints the document that its schema describes, and no other member`() async throws {
        let session = try await Session()
        try await session.manageStoresAndPacks()
        try await session.damageAndRepair()
        try await session.useContent()
        try await session.configure()
        try await session.fail()
        try await session.watch()
        try await session.publish()

        let script = """
            import json, pathlib, sys, jsonschema

            def strict(schema):
                # Later releases may add members, but this one has none that its schema does not describe.
                if isinstance(schema, dict):
                    if "properties" in schema:
                        schema.setdefault("additionalProperties", False)
                    schema = list(schema.values())
                for part in schema if isinstance(schema, list) else []:
                    strict(part)

            schemas, outputs = map(pathlib.Path, sys.argv[1:])
            for path in sorted(schemas.glob("*.json")):
                schema = json.loads(path.read_text())
                jsonschema.Draft202012Validator.check_schema(schema)
                strict(schema)
                output = outputs / path.name
                if not output.exists():
                    print(path.name, "was not compared with any output")
                    continue
                for line in output.read_text().splitlines():
                    for error in jsonschema.Draft202012Validator(schema).iter_errors(json.loads(line)):
                        print(path.name, error.json_path, error.message)
            """
        let validated = try await Programs.run(
            "/usr/bin/python3", ["-c", script, Self.root + "/config/schemas", session.outputs], environment: [:])
        #expect(validated.exit == 0 && validated.output.isEmpty, "\(validated)")
    }

    /// A user who calls each command, and keeps what it prints, by the names of the schemas.
    private final class Session: Sendable {
        let store: TestStore
        let home: TestHome
        var outputs: String { store.folder.path + "/outputs" }

        init() async throws {
            store = try await TestStore()
            for name in ["cups", "cats"] {
                try await store.add(name, files: ["a.png": TestStore.bytes(2000, seed: UInt64(name.utf8.count))])
            }
            try await store.add(
                "box",
                files: ["a.png": TestStore.bytes(2000, seed: 7), "pack.json": Data(#"{"dependencies":["cats"]}"#.utf8)])
            try await store.publish()
            home = try TestHome(settings: ["XDG_DATA_DIRS": store.folder.path + "/none"])
            try FileManager.default.createDirectory(atPath: outputs, withIntermediateDirectories: true)
        }

        /// Runs a command, and adds its document to those of its schema.
        ///
        /// - Parameters:
        ///   - command: the words of the command, which are also the name of its schema.
        ///   - name: the name of the schema, if it is not that of the command.
        @discardableResult
        private func run(
            _ command: String, _ arguments: String..., as name: String? = nil, exit: Int32 = 0
        ) async throws -> [String: JSONValue] {
            let words = command.split(separator: " ").map(String.init)
            let result = try await Programs.run(
                "storectl", words + arguments + ["--json"], environment: home.environment)
            #expect(result.exit == exit, "\(command): \(result)")
            try add(result.output, to: name ?? command)
            return try result.json
        }

        private func add(_ text: String, to name: String, of program: String = "storectl") throws {
            let words = name.split(separator: " ").map { String($0.trimmingPrefix("--")) }
            let path = outputs + "/" + ([program] + words).joined(separator: "-") + ".json"
            let before = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            try (before + text).write(toFile: path, atomically: true, encoding: .utf8)
        }

        func manageStoresAndPacks() async throws {
            try await run("daemon start")
            try await run("daemon status")
            try await run("daemon logs")
            try await run("store add", "shop", "file://\(store.publicPath)/", "--unsigned")
            try await run("store list")
            try await run("store trust", "shop")
            try await run("refresh")
            try await run("search")
            try await run("categories")
            try await run("info", "cups")
            try await run("install --dry-run", "cups", "nope", exit: 10)
            let installed = try await run("install", "cups", "nope", exit: 10)["results"]
            #expect(installed?[0]["version"].text == "1.0.0")
            #expect(installed?[0]["path"].text == home.path + "/data/packs/cups.stickers")
            #expect(installed?[1]["version"] == .null && installed?[1]["path"] == .null)
            // Installed already, and without waiting.
            #expect(try await run("install", "cups")["results"]?[0]["version"].text == "1.0.0")
            try await run("install", "cats", "--no-wait")
            try await run("install", "cats")
            try await store.add("cups", version: "2.0.0", files: ["a.png": TestStore.bytes(3000, seed: 9)])
            try await store.publish()
            try await run("refresh")
            try await run("update --check", exit: 11)
            try await run("update --dry-run")
            try await run("uninstall --dry-run", "cups", "nope", exit: 10)
            try await run("autoremove --dry-run")
            let updated = try await run("update")["results"]
            #expect(updated?[0]["version"].text == "2.0.0")
            #expect(updated?[0]["path"].text == home.path + "/data/packs/cups.stickers")
            try await run("rollback", "cups")
            try await run("hold", "cups", "cats")
            try await run("unhold", "cups", "nope", exit: 10)
            try await run("list")
            try await run("downloads")
            try await run("history")
            for command in ["pause", "resume", "cancel"] { try await run(command, "nope", exit: 3) }
        }

        func damageAndRepair() async throws {
            try await run("verify")
            try Data("other".utf8).write(to: URL(filePath: home.path + "/data/packs/cats.stickers/a.png"))
            try await run("verify", "cats", exit: 5)
            try await run("verify", "--repair")
            try await run("uninstall", "cats", "nope", exit: 10)
            try await run("install", "box")
            try await run("uninstall", "box")
            #expect(try await run("autoremove")["results"]?[0]["productIdentifier"].text == "cats")
        }

        func useContent() async throws {
            try await run("stickers list")
            try await run("stickers show", "cups")
            try await run("skin list")
            try await run("skin use", "dark")
            try await run("skin show")
            try await run("skin css")
            try await run("skin compile", "dark")
            try await run("skin check", JSONSchemaTests.root + "/config/packs/dark.theme")
            try await run("skin reset")
            try await run("purchases grant", "gold")
            try await run("purchases list")
            try await run("purchases revoke", "gold")
        }

        func configure() async throws {
            try await run("config list")
            try await run("config get", "log.level")
            try await run("config set", "log.level", "debug")
            try await run("config unset", "log.level")
            try await run("completions", "bash")
            try await run("--version")
            let file = "file://\(store.publicPath)/catalogue.json"
            try await run("fetch", file, "--output", store.folder.path + "/fetched")
        }

        func fail() async throws {
            try await run("info", "nope", as: "error", exit: 3)
            try await run("fetch", "file://\(store.folder.path)/none", exit: 4)
        }

        /// Runs the commands of the publisher's tool that print documents.
        func publish() async throws {
            let archive = store.folder.path + "/cups.zip"
            try Data(ZipForge().file("a.png", [1, 2, 3]).build()).write(to: URL(filePath: archive))
            let (good, bad) = ([archive], [archive, store.folder.path + "/none.zip"])
            try await storehouse("check", good + ["--list-files"])
            try await storehouse("check", bad, exit: 3)
            try await storehouse("list", [store.path])
            try await store.storehouse("withdraw", store.path, "cups")
            try await storehouse("list", [store.path])
            try await storehouse("list", [store.folder.path], as: "error", exit: 3)
            let passphrase = store.folder.path + "/passphrase"
            try Data("six words of some one's own\n".utf8).write(to: URL(filePath: passphrase))
            try await store.storehouse("key", "init", store.path, "--passphrase-file", passphrase)
            try await storehouse("key list", [store.path])
        }

        /// Runs a command of `storehouse`, and adds its documents to those of its schema.
        private func storehouse(
            _ command: String, _ arguments: [String], as name: String? = nil, exit: Int32 = 0
        ) async throws {
            let result = try await Programs.run(
                "storehouse", command.split(separator: " ").map(String.init) + arguments + ["--json"],
                environment: home.environment)
            #expect(result.exit == exit, "\(command): \(result)")
            try add(result.output, to: name ?? command, of: "storehouse")
        }

        func watch() async throws {
            let last = try await run("daemon status")["sequence"]?.number ?? 0
            try await run("skin use", "dark")
            try await run("install", "cats")
            try await run("uninstall", "cats")
            let watching = try home.startStorectl("watch", "--json", "--after", "\(Int(last))")
            // The event of the skin may come after those of the installation.
            try await eventually {
                let events = watching.output
                return ["skin", "download", "pack"].allSatisfy { events.contains("\"type\":\"\($0)\"") }
                    && events.contains("\"removed\"")
            }
            watching.signal(SIGINT)
            try add(try await watching.result().output, to: "watch")
            try await run("daemon restart")
            try await run("store remove", "shop")
            try await run("daemon stop")
        }
    }
}
