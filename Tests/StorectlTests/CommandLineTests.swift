import ArgumentParser
import Glibc
import StoreAPI
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import storectl

@Suite struct CommandLineTests {
    @Test(arguments: [
        (["--json", "list"], ["list", "--json"]),
        (["--home", "/x", "-q", "store", "list"], ["store", "list", "--home", "/x", "-q"]),
        (["--home=/x", "install", "--", "-odd-"], ["install", "--home=/x", "--", "-odd-"]),
        (["list", "--json"], ["list", "--json"]),
        (["--help"], ["--help"]),
        // A negative number is an argument, or the value of the option before it.
        (["config", "set", "a.b", "-1", "--json"], ["config", "set", "a.b", "--json", "--", "-1"]),
        (["install", "cups", "--priority", "-5"], ["install", "cups", "--priority", "-5"]),
        (["config", "set", "a.b", "--", "-1"], ["config", "set", "a.b", "--", "-1"]),
        (["fetch", "https://a", "-1"], ["fetch", "https://a", "-1"]),
        (["--json", "--version"], ["--json", "--version"]),
        // The help of a command that only contains others is printed.
        (["--json"], []),
        (["--home", "/x", "store"], ["store"]),
        (["store", "--json"], ["store"]),
        (["store", "--nope"], ["store", "--nope"]),
        (["--home=/x", "stickers", "targets", "--quiet"], ["stickers", "targets"]),
        (["--home=/x", "store", "--help"], ["store", "--help", "--home=/x"]),
        (["--json", "web"], ["web", "--json"]),
        (["--color", "never", "--no-pager", "list"], ["list", "--color", "never", "--no-pager"]),
        (["--color=always", "list"], ["list", "--color=always"]),
        // The parser's own command knows none of them.
        (["help", "--json"], ["help"]),
        (["--quiet", "help", "stickers", "--home", "/x", "export"], ["help", "stickers", "export"]),
    ])
    func `common options may precede the command`(words: [String], ordered: [String]) {
        #expect(CommandLineWords.ordered(words) == ordered)
    }

    @Test func `an option takes a negative number`() async throws {
        let words = ["install", "cups", "--priority", "-5"]
        let install = try #require(try await Storectl.asyncParseAsRoot(words) as? Install)
        #expect(install.priority == -5 && install.ids == ["cups"])
    }

    /// A name that the parser derives from the type costs each command a fraction of a millisecond.
    @Test func `every command states its name`() {
        var commands: [any ParsableCommand.Type] = [Storectl.self]
        while let command = commands.popLast() {
            #expect(command.configuration.commandName != nil, "\(command)")
            commands += command.configuration.subcommands
            commands += command.configuration.groupedSubcommands.flatMap(\.subcommands)
        }
    }

    /// Longer lines are wrapped, which makes an example one that can't be copied.
    @Test func `the examples and tables of the help fit into 80 columns`() {
        var commands: [any ParsableCommand.Type] = [Storectl.self]
        while let command = commands.popLast() {
            let lines = command.configuration.discussion.split(separator: "\n")
            for line in lines where line.hasPrefix("  ") { #expect(line.count <= 80, "\(command): \(line)") }
            commands += command.configuration.subcommands
            commands += command.configuration.groupedSubcommands.flatMap(\.subcommands)
        }
    }

    @Test func `an empty name is a usage error`() throws {
        for words in [["install", "cups", ""], ["store", "add", "", "https://store.example/"]] {
            #expect(throws: (any Error).self, "\(words)") { try Storectl.parseAsRoot(words) }
        }
        #expect(throws: StoreError(.identifierArgumentEmpty)) { try ProductNames.requireNotEmpty(["cups", ""]) }
    }

    /// The daemon's error would be about the path of a request, or about a store of another name.
    @Test(arguments: [
        ["store", "remove"], ["store", "trust"], ["refresh"], ["search", "--store"], ["categories", "--store"],
        ["info", "cups", "--store"], ["install", "cups", "--store"],
    ])
    func `an empty name of a store is a usage error`(words: [String]) throws {
        let nameless = try #require(try Storectl.parseAsRoot(words + [""]) as? any StoreCommand)
        #expect(throws: ValidationError.self) { try nameless.requireStoreName() }
        let named = try #require(try Storectl.parseAsRoot(words + ["cups"]) as? any StoreCommand)
        #expect(throws: Never.self) { try named.requireStoreName() }
    }

    @Test func `an empty path is not the current directory`() throws {
        #expect(throws: ValidationError.self) { try absolutePath("") }
        #expect(try absolutePath("/none/at/all") == "/none/at/all")
        #expect(try absolutePath(".") == FilePaths.resolved("."))
    }

    @Test func `a file can't be installed from a store`() throws {
        let folder = try TemporaryFolder()
        try folder.directory.put("pack.zip", "")
        let file = folder.path + "/pack.zip"
        #expect(throws: (any Error).self) { try Storectl.parseAsRoot(["install", file, "--store", "cups"]) }
        #expect(throws: Never.self) { try Storectl.parseAsRoot(["install", file, "--unsigned"]) }
        #expect(throws: Never.self) { try Storectl.parseAsRoot(["install", "none.zip", "--store", "cups"]) }
    }

    @Test func `a prefix is only a store if a store has that name`() {
        let names = ProductNames()
        #expect(names.parse("cups/a", stores: ["cups"]) == ProductName(id: "a", store: "cups"))
        #expect(names.parse("cups/a/b", stores: ["cups"]) == ProductName(id: "a/b", store: "cups"))
        #expect(names.parse("other/a", stores: ["cups"]) == ProductName(id: "other/a"))
        #expect(names.parse("cups/", stores: ["cups"]) == ProductName(id: "cups/"))
        #expect(names.parse("../../x", stores: ["cups"]) == ProductName(id: "../../x"))
        #expect(ProductNames(store: "s").parse("cups/a", stores: ["cups"]) == ProductName(id: "cups/a", store: "s"))
    }

    @Test(
        arguments: [
            ("main/cats", "cats"), ("cats", "cats"), ("gone/dogs", "dogs"), ("main/none", "none"), ("none", "none"),
            // An identifier that exists is one, whatever it begins with.
            ("main/odd", "main/odd"), ("nope/none", "nope/none"), ("/cats", "/cats"), ("main/", "main/"),
            ("other/cats", nil), ("nope/cats", nil), ("main/manual", nil),
        ] as [(String, String?)])
    func `a name with a store means a pack that came from it`(name: String, meant: String?) {
        let packs: [ProductNames.Existing] = [
            .init(id: "cats", store: "main"), .init(id: "dogs", store: "gone"), .init(id: "main/odd", store: "other"),
            .init(id: "odd", store: "main"), .init(id: "manual", store: nil),
        ]
        let found = try? ProductNames.identifier(name, among: packs, stores: ["main", "other"]) { pack, store in
            #expect(name == store + "/" + pack.id)
            return StoreError(.packOfNoStore, ["product": pack.id, "store": store])
        }
        #expect(found == meant)
    }

    @Test func `an existing path is a file`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/pack.zip"
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        #expect(LocalPack.path(of: path) == path)
        #expect(LocalPack.path(of: folder.path + "/./pack.zip") == path)
        #expect(LocalPack.path(of: folder.path + "/other.zip") == nil)
        #expect(LocalPack.path(of: folder.path) == nil)
        #expect(LocalPack.path(of: "org.example.cups") == nil)
        #expect(LocalPack.clarify(folder.path, Self.missing).code == .fileUnusable)
        #expect(LocalPack.clarify(folder.path, Self.missing).message.contains("is a directory"))
        let pipe = folder.path + "/pipe.zip"
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(LocalPack.clarify(pipe, Self.missing).message.contains("is not a regular file"))
        #expect(LocalPack.clarify(folder.path + "/other.zip", Self.missing).message.contains("neither a file nor"))
    }

    private static let missing = ErrorReport(code: ErrorCode("product.unknown", .notFound), message: "m")
    private static let alsoMissing = ErrorReport(code: ErrorCode("store.unknown", .notFound), message: "n")
    private static let network = ErrorReport(code: ErrorCode("transfer.timeout", .network), message: "o")

    @Test func `the hint for a damaged sticker pack is to repair it`() {
        let damaged = ErrorReport(code: .badInformation, message: "m", hint: "report it")
        let clarified = Stickers.Show.clarify("cups", damaged)
        #expect(clarified.hint == "run 'storectl verify --repair cups'")
        #expect(clarified.message == "m" && clarified.code == .badInformation)
        #expect(Stickers.Show.clarify("cups", Self.missing) == Self.missing)
    }

    @Test func `several items have a common exit code or 10`() {
        #expect(commonExitCode(of: []) == .done)
        #expect(commonExitCode(of: [nil, nil]) == .done)
        #expect(commonExitCode(of: [Self.missing]) == .notFound)
        #expect(commonExitCode(of: [Self.missing, Self.alsoMissing]) == .notFound)
        #expect(commonExitCode(of: [Self.missing, nil]) == .partial)
        #expect(commonExitCode(of: [Self.missing, Self.network]) == .partial)
    }

    @Test func `the summary of several errors states how many failed`() {
        #expect(summary(of: [nil]) == nil)
        #expect(summary(of: [Self.missing])?.code == Self.missing.code)
        #expect(summary(of: [Self.missing, nil])?.code == .someFailed)
    }

    @Test func `a cancelled operation is a failure of the command`() {
        var result = OperationResult(productIdentifier: "a", operation: OperationID(rawValue: "o"), end: .cancelled)
        #expect(result.failure?.code == .cancelled)
        result.end = .finished
        #expect(result.failure == nil)
    }

    @Test func `parallel work returns its results in order`() async throws {
        let values = try await mapConcurrently(Array(0..<100)) { number in
            await Task.yield()
            return number * 2
        }
        #expect(values == (0..<100).map { $0 * 2 })
    }

    @Test func `duplicate names are removed`() {
        #expect(distinct(["b", "a", "b"]) == ["b", "a"])
    }
}
