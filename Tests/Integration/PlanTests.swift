import Foundation
import StoreModel
import StoreTestSupport
import Testing

/// Tests the plans that the command line shows before it changes packs.
@Suite(.hangGuard) struct PlanTests {
    private let store: TestStore
    private let home: TestHome

    init() async throws {
        store = try await TestStore()
        home = try TestHome()
        try await add("base")
        try await add("app", requiring: #""base""#)
        try await add("cats")
        try await store.publish()
        try await home.must("store", "add", "shop", "file://" + store.publicPath + "/", "--unsigned")
    }

    private func add(
        _ identifier: String, version: String = "1.0.0", requiring dependencies: String = "", changes: String = ""
    ) async throws {
        try await store.add(
            identifier, version: version,
            information: #"{"dependencies":[\#(dependencies)],"changes":{"en":"\#(changes)"}}"#,
            files: ["a.png": TestStore.bytes(2000, seed: version.utf8.reduce(0) { $0 + UInt64($1) })])
    }

    /// Runs the command line in a pseudo-terminal, into which the test types.
    private func typing(_ input: String, _ command: String) async throws -> Programs.Result {
        try await Programs.run(
            "/usr/bin/script", ["-qec", "\(Programs.path("storectl")) \(command)", "/dev/null"],
            environment: home.environment, input: input)
    }

    @Test(.needs("/usr/bin/script", debian: "bsdutils"))
    func `at a terminal an installation shows what comes with it, and asks about that`() async throws {
        let no = try await typing("n\n", "install app")
        #expect(no.exit == 1 && no.output.contains("Continue? [y/N]"), "\(no)")
        #expect(no.output.contains("required by app") && no.output.contains("nothing was changed"), "\(no)")
        #expect(no.output.contains("To download: ") && no.output.contains("size on disk: "), "\(no)")
        #expect(try await home.packs().isEmpty)
        let quiet = try await typing("n\n", "install app --quiet")
        #expect(quiet.exit == 1 && quiet.output.contains("required by app"), "what is asked about is shown: \(quiet)")

        let yes = try await typing("y\n", "install app")
        #expect(yes.exit == 0 && yes.output.contains("Installed app"), "\(yes)")
        #expect(Set(try await home.packs().keys) == ["app", "base"])
        // What was named needs no question.
        try await home.must("uninstall", "app", "base")
        for command in ["install app base", "install cats", "update app"] {
            let named = try await typing("", command)
            #expect(named.exit == 0 && !named.output.contains("[y/N]"), "\(named)")
        }
        try await home.must("uninstall", "app", "base")
        let agreed = try await typing("", "install app -y")
        #expect(agreed.exit == 0 && !agreed.output.contains("[y/N]"), "\(agreed)")
        #expect(agreed.output.contains("required by app") && agreed.output.contains("Installed app"), "\(agreed)")
    }

    @Test(.needs("/usr/bin/script", debian: "bsdutils"))
    func `warnings and permissions are shown before the question, and each warning once`() async throws {
        try await store.add(
            "radio", kind: "plugin", information: #"{"permissions":["network"],"dependencies":["base"]}"#,
            files: ["README.txt": Data("radio".utf8)])
        try await store.publish()
        try await home.must("config", "set", "catalogue.refreshAfter", "0")
        let away = try await TestStore()
        try await away.add("tools", files: ["a.png": TestStore.bytes(100, seed: 1)])
        try await away.publish()
        try await home.must("store", "add", "away", "file://" + away.publicPath + "/", "--unsigned")
        try FileManager.default.removeItem(atPath: away.publicPath)
        let warning = "could not reach the store 'away'"
        let permission = "'radio' requests permission to"
        let no = try await typing("n\n", "install radio --consent code,network")
        let parts = no.output.components(separatedBy: "Continue? [y/N]")
        #expect(parts.count == 2 && parts[0].contains(warning) && parts[0].contains(permission), "\(no)")
        let yes = try await typing("y\n", "install radio --consent code,network")
        #expect(yes.exit == 0 && yes.output.components(separatedBy: warning).count == 2, "\(yes)")
        #expect(Set(try await home.packs().keys) == ["radio", "base"])
    }

    @Test func `without a terminal the plan is carried out without a word`() async throws {
        let installed = try await home.must("install", "app")
        let lines = installed.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("Installed ") }, "\(installed)")
        #expect(!installed.errors.contains("Continue?") && !installed.errors.contains("required by"), "\(installed)")
        #expect(Set(try await home.packs().keys) == ["app", "base"])
    }

    @Test func `a dry run prints the plan and changes nothing`() async throws {
        let plan = try await home.must("install", "app", "cats", "--dry-run")
        let lines = plan.output.split(separator: "\n")
        #expect(lines.count == 5 && plan.errors.isEmpty, "\(plan)")
        #expect(lines.dropFirst().prefix(3).map { $0.prefix { $0 != " " } } == ["base", "app", "cats"], "\(plan)")
        #expect(lines.dropFirst().first?.contains("required by app") == true)
        let document = try await home.must("install", "app", "--dry-run", "--json").json
        #expect(document["steps"]?.elements.map { $0["productIdentifier"].text } == ["base", "app"])
        #expect(document["steps"]?.elements.map { $0["requiredBy"].text } == ["app", nil])
        // Two images, and two information files of at least 19 bytes.
        #expect((document["diskSize"]?.number ?? 0) > 4000, "\(document)")
        #expect(try await home.packs().isEmpty)

        let partial = try await home.storectl("install", "app", "nope", "--dry-run")
        #expect(
            partial.exit == 10 && partial.output.contains("base") && partial.errors.contains("'nope'"), "\(partial)")
        #expect(try await home.storectl("install", "nope", "--dry-run", "--json").exit == 3)

        try await home.must("install", "app")
        #expect(try await home.must("install", "app", "--dry-run").errors == "Nothing to do.\n")
        let removal = try await home.must("uninstall", "app", "--dry-run")
        #expect(
            removal.output.contains("Frees ") && removal.output.contains("No longer needed then: 'base'"), "\(removal)")
        #expect(try await home.storectl("uninstall", "base", "--dry-run").exit == 7)
        let both = try await home.must("uninstall", "base", "app", "--dry-run", "--json").json
        #expect(both["steps"]?.elements.map { $0["productIdentifier"].text } == ["app", "base"])
        #expect(try await home.packs().count == 2)
        try await home.must("uninstall", "app")
        #expect(try await home.must("autoremove", "--dry-run").output.contains("base"))
        #expect(Set(try await home.packs().keys) == ["base"])
        #expect(try await home.history("app").count == 2)
    }

    @Test(.needs("/usr/bin/script", debian: "bsdutils"))
    func `autoremove asks at a terminal, because it names nothing`() async throws {
        try await home.must("install", "app")
        try await home.must("uninstall", "app")
        let no = try await typing("n\n", "autoremove")
        #expect(no.exit == 1 && no.output.contains("base") && no.output.contains("Continue? [y/N]"), "\(no)")
        #expect(try await home.packs().count == 1)
        let yes = try await typing("", "autoremove --yes")
        #expect(yes.exit == 0 && yes.output.contains("Removed base."), "\(yes)")
        #expect(try await home.packs().isEmpty)
    }

    @Test(.needs("/usr/bin/script", debian: "bsdutils"))
    func `at a terminal an update says what it does, what it keeps back, and that there is nothing to do`()
        async throws
    {
        try await home.must("install", "app", "cats")
        let nothing = try await typing("", "update")
        #expect(nothing.exit == 0 && nothing.output.contains("All packs are up to date."), "\(nothing)")
        #expect(try await home.must("update").output.isEmpty)

        try await add("base", version: "1.2.0", requiring: #""extra""#, changes: "New: a blue base")
        try await add("extra")
        try await add("cats", version: "2.0.0")
        try await store.publish()
        try await home.must("hold", "cats")
        let planned = try await home.must("update", "--dry-run", "--json").json
        #expect(planned["steps"]?.elements.map { $0["productIdentifier"].text } == ["extra", "base"])
        #expect(planned["keptBack"]?[0]["heldBack"].text == "held")

        let no = try await typing("n\n", "update")
        #expect(no.exit == 1 && no.output.contains("1.0.0 → 1.2.0") && no.output.contains("required by base"), "\(no)")
        #expect(no.output.contains("Changes in base 1.2.0:") && no.output.contains("New: a blue base"), "\(no)")
        #expect(no.output.contains("Kept back:") && no.output.contains("1.0.0 → 2.0.0"), "\(no)")
        let yes = try await typing("y\n", "update")
        #expect(yes.exit == 0 && yes.output.contains("Updated base"), "\(yes)")
        #expect(try await home.packs().mapValues { $0["version"].text }["base"] == "1.2.0")
        let rest = try await typing("", "update")
        #expect(rest.exit == 0 && rest.output.contains("All other packs are up to date."), "\(rest)")
        #expect(try await home.must("update").output.isEmpty)
    }

    @Test(.needs("/usr/bin/script", debian: "bsdutils"))
    func `an update of which every named pack fails says each failure once and asks nothing`() async throws {
        try await home.must("install", "app", "cats")
        try await add("app", version: "2.0.0", requiring: #""base","extra","nowhere""#)
        try await add("extra")
        try await store.publish()
        for (command, failures) in [("update app", 1), ("update app catz", 2), ("uninstall catz", 1)] {
            let failed = try await typing("", command)
            #expect(failed.exit == 3 && !failed.output.contains("[y/N]"), "\(failed)")
            #expect(failed.output.components(separatedBy: "error: ").count == failures + 1, "\(failed)")
            #expect(!failed.output.contains("is left out"), "\(failed)")
            if command.hasSuffix("catz") { #expect(failed.output.contains("did you mean 'cats'?"), "\(failed)") }
        }
        #expect(try await home.packs()["app"]?["version"].text == "1.0.0")
        #expect(Set(try await home.packs().keys) == ["app", "base", "cats"])
    }

    @Test func `a pre-release is only an update of a pre-release`() async throws {
        try await add("dogs", version: "1.0.0-beta.1")
        try await store.publish()
        try await home.must("install", "cats", "dogs")
        try await add("cats", version: "2.0.0-beta.1")
        try await add("dogs", version: "1.0.0-beta.2")
        try await store.publish()
        #expect(try await home.must("update", "cats").output == "cats is up to date.\n")
        let found = try await home.storectl("update", "--check", "--json")
        #expect(try found.json["updates"]?.elements.map { $0["productIdentifier"].text } == ["dogs"])
        let updatable = try await home.must("list", "--updatable", "--json").json["packs"]
        #expect(updatable?.elements.map { $0["productIdentifier"].text } == ["dogs"])
        try await home.must("update")
        let versions = try await home.packs().mapValues { $0["version"].text }
        #expect(versions == ["cats": "1.0.0", "dogs": "1.0.0-beta.2"])
        try await add("cats", version: "2.0.0")
        try await add("dogs", version: "1.0.0")
        try await store.publish()
        try await home.must("update")
        #expect(try await home.packs().mapValues { $0["version"].text } == ["cats": "2.0.0", "dogs": "1.0.0"])
    }
}
