import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests the command line in other languages than English, with the real programs.
@Suite(.hangGuard) struct TranslatedProgramTests {
    private let store: TestStore
    private let home: TestHome

    init() async throws {
        store = try await TestStore()
        home = try TestHome()
        try await add("base")
        try await add("app", requiring: #""base""#)
        try await store.publish()
        try await home.must("store", "add", "shop", "file://" + store.publicPath + "/", "--unsigned")
    }

    private func add(_ identifier: String, version: String = "1.0.0", requiring dependencies: String = "") async throws
    {
        try await store.add(
            identifier, version: version, information: #"{"dependencies":[\#(dependencies)]}"#,
            files: ["a.png": TestStore.bytes(2000, seed: version.utf8.reduce(0) { $0 + UInt64($1) })])
    }

    private func environment(_ locale: String) -> [String: String] { home.environment.merging(["LANG": locale]) { $1 } }

    private func run(_ words: String, in locale: String) async throws -> Programs.Result {
        try await Programs.run(
            "storectl", words.split(separator: " ").map(String.init), environment: environment(locale))
    }

    /// Runs the command line in a pseudo-terminal, into which the test types.
    private func typing(_ input: String, _ command: String, in locale: String) async throws -> Programs.Result {
        try await Programs.run(
            "/usr/bin/script", ["-qec", "\(Programs.path("storectl")) \(command)", "/dev/null"],
            environment: environment(locale), input: input)
    }

    @Test(
        .needs("/usr/bin/script", debian: "bsdutils"),
        arguments: [
            (
                "de_DE.UTF-8", "j",
                [
                    "Fortfahren? [j/N]", "benötigt von app", "app installiert:", "HINWEISE", "Aktualisierbar",
                    "app aktualisiert:",
                ],
                ["Fehler: ", "Hinweis: "]
            ),
            (
                "ar_EG.UTF-8", "ن",
                ["هل تتابع؟ [y/N]", "يحتاجه app", "ثُبت app", "ملاحظات", "قابل للتحديث", "حُدث app"],
                ["خطأ: ", "تلميح: "]
            ),
        ])
    func `plans, questions, results, tables and errors are in the user's language`(
        locale: String, yes: String, texts: [String], labels: [String]
    ) async throws {
        let no = try await typing("n\n", "install app", in: locale)
        #expect(no.exit == 1 && no.output.contains(texts[0]) && no.output.contains(texts[1]), "\(no)")
        let installed = try await typing("\(yes)\n", "install app", in: locale)
        #expect(installed.exit == 0 && installed.output.contains(texts[2]), "\(installed)")
        let list = try await run("list", in: locale)
        #expect(list.exit == 0 && list.output.contains(texts[3]), "\(list)")

        try await add("app", version: "2.0.0", requiring: #""base""#)
        try await store.publish()
        try await home.must("refresh")
        let updatable = try await run("list --updatable", in: locale)
        #expect(updatable.output.contains(texts[4]), "\(updatable)")
        let updated = try await typing("", "update", in: locale)
        #expect(updated.exit == 0 && updated.output.contains(texts[5]), "\(updated)")
        #expect(updated.output.contains("1.0.0 → 2.0.0"), "the plan: \(updated)")

        let english = try await run("uninstall base", in: "C")
        let refused = try await run("uninstall base", in: locale)
        #expect(refused.exit == english.exit && refused.exit != 0 && refused.output.isEmpty)
        #expect(labels.allSatisfy { refused.errors.contains($0) }, "\(refused)")
        #expect(english.errors.hasPrefix("error: ") && !refused.errors.contains("error: "), "\(english)")
        #expect(refused.errors.contains("'base'") && refused.errors.contains("'app'"), "\(refused)")
        // Of the program that downloads files.
        let file = try await run("fetch example", in: locale)
        #expect(file.exit == 2 && file.errors.hasPrefix(labels[0]) && file.errors.contains("'example'"), "\(file)")
        #expect(!file.errors.contains("invalid URL"), "\(file)")
        let invalid = try await run("list --nothing", in: locale)
        #expect(invalid.exit == 2 && invalid.errors.hasPrefix(labels[0]), "\(invalid)")
        #expect(invalid.errors.contains("'--nothing'") && !invalid.errors.contains("unknown option"), "\(invalid)")
    }

    @Test(arguments: ["de_DE.UTF-8", "ar_EG.UTF-8"])
    func `JSON documents, help and exit codes are the same in every language`(locale: String) async throws {
        try await home.must("install", "app")
        let commands = [
            "list --json", "search --json", "uninstall base --json",
            "info ap --json",
            "list --nothing --json", "downloads --json", "config list --json", "--help", "list --help", "--version",
        ]
        for command in commands {
            let english = try await run(command, in: "C")
            let other = try await run(command, in: locale)
            #expect(english.output == other.output && english.exit == other.exit, "\(command): \(other)")
            #expect(!english.output.isEmpty, "\(command): \(english)")
        }
    }
}
