import Foundation
import StoreTestSupport
import Testing

/// Tests the completion scripts in the shells that they are for.
@Suite(.hangGuard) struct CompletionTests {
    private let origin: Origin
    private let home: TestHome

    init() async throws {
        origin = try Origin()
        home = try TestHome()
        // Different ones, because an archive in the cache is not downloaded.
        let archives = ["cups": StoreDocuments.pack(1), "mugs": StoreDocuments.pack(2)]
        StoreDocuments.formatTwo(
            archives.map { StoreDocuments.product($0, archive: $1, at: "/\($0).zip") }, on: origin)
        for (name, archive) in archives { origin.serve("/\(name).zip", archive) }
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
        try await home.must("install", "cups")
    }

    @Test(
        .enabled("there are no shells or no tmux (Debian: bash zsh fish tmux)") { ShellSession.isAvailable },
        arguments: ShellSession.Shell.allCases)
    func `a shell completes commands, identifiers, stores, kinds, settings and files`(
        shell: ShellSession.Shell
    ) async throws {
        let directory = try TemporaryFolder()
        try Data(StoreDocuments.pack()).write(to: URL(filePath: directory.path + "/pack.zip"))
        let script = try await home.must("completions", shell.rawValue).output
        let session = try await ShellSession(
            shell, script: script, environment: home.environment, in: directory.path)
        for (typed, completed) in [
            ("storectl uninst", "storectl uninstall"), ("storectl rem", "storectl remove"),
            ("storectl uninstall cu", "storectl uninstall cups"),
            ("storectl install mu", "storectl install mugs"),
            ("storectl install shop/mu", "storectl install shop/mugs"),
            ("storectl install ./pa", "storectl install ./pack.zip"),
            ("storectl store remove sh", "storectl store remove shop"),
            ("storectl remove cu", "storectl remove cups"), ("storectl ls --kind st", "storectl ls --kind sticker"),
            ("storectl list --color al", "storectl list --color always"),
            ("storectl install mugs --store sh", "storectl install mugs --store shop"),
            ("storectl list --kind st", "storectl list --kind sticker"),
            ("storectl config get downloads.maximumA", "storectl config get downloads.maximumAtOnce"),
            ("storectl history cu", "storectl history cups"),
            ("storectl store add a b --token-file pa", "storectl store add a b --token-file pack.zip"),
        ] {
            try await session.completes(typed, to: completed)
        }
    }

    /// Runs the program as completion scripts do.
    private func candidates(_ command: String, for word: String, in home: TestHome) async throws -> [String] {
        let result = try await home.must(
            "---completion", command, "--", "positional@0", "2", "\(word.count)", "storectl", command, word)
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test func `completing contacts no store and creates no home`() async throws {
        let asked = origin.requests.count
        #expect(try await candidates("install", for: "", in: home) == ["cups", "mugs"])
        #expect(try await candidates("uninstall", for: "", in: home) == ["cups"])
        #expect(origin.requests.count == asked)

        let empty = try TestHome()
        #expect(try await candidates("uninstall", for: "", in: empty) == [])
        #expect(!FileManager.default.fileExists(atPath: empty.path))
    }

    @Test func `an identifier that a shell would run is not completed`() async throws {
        let names = ["$(touch run)", "`touch run`", "a b", "a;b", "a\\b", "{a,b}", "~root", "a'b", "safe"]
        StoreDocuments.formatTwo(
            names.map { StoreDocuments.product($0, archive: StoreDocuments.pack(), at: "/cups.zip") }, on: origin)
        try await home.must("refresh")
        let found = try await home.must("search", "--json").json["products"]?.elements ?? []
        #expect(found.contains { $0["productIdentifier"].text == names[0] }, "the store offers it: \(found)")
        #expect(try await candidates("install", for: "", in: home) == ["safe"])
    }

    @Test func `pause and resume complete the downloads that they can change`() async throws {
        origin.always("/mugs.zip", .stallBeforeAnswer)
        try await home.must("install", "mugs", "--no-wait")
        #expect(try await candidates("pause", for: "", in: home) == ["mugs"])
        #expect(try await candidates("resume", for: "", in: home) == [])
        try await home.must("pause", "mugs")
        #expect(try await candidates("pause", for: "", in: home) == [])
        #expect(try await candidates("resume", for: "m", in: home) == ["mugs"])
        #expect(try await candidates("cancel", for: "m", in: home) == ["mugs"])
    }

    @Test func `a home on the command line is completed from`() async throws {
        let other = try TestHome()
        let result = try await other.must(
            "---completion", "uninstall", "--", "positional@0", "4", "0", "storectl", "uninstall", "--home",
            home.path, "")
        #expect(result.output == "cups\n", "\(result)")
    }
}
