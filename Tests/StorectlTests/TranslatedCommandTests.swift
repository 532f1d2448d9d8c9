import ArgumentParser
import StoreAPI
import StoreMessages
import StoreModel
import Testing

@testable import StoreTerminal
@testable import storectl

/// Tests the texts of the command line in other languages.
@Suite struct TranslatedCommandTests {
    private func plan() -> ChangePlan {
        let step = ChangePlan.Step(
            id: "base", action: .install, productIdentifier: "base", store: "shop", kind: .plugin, name: "base",
            version: Version("1.0.0"), requiredBy: "app", downloadSize: 453_000, diskSize: 1_000_000,
            permissions: [Permission(rawValue: "network")])
        let update = AvailableUpdate(
            productIdentifier: "cats", store: "shop", installed: Version("1"), available: Version("2"),
            heldBack: "its store 'old' was removed")
        let error = ErrorReport(StoreError(.localFileMissing, ["name": "./b.zip"]))
        return ChangePlan(
            steps: [step], keptBack: [update], unneeded: ["mugs"],
            failures: [.init(productIdentifier: "b", error: error)])
    }

    @Test func `a plan is in German, with the daemon's reasons`() {
        let text = PlanText(plan: plan(), messages: .of(.german))
        let lines = text.lines(width: nil, isWhole: true).map { $0.split(separator: " ").joined(separator: " ") }
        #expect(
            lines == [
                "ID VERSION DOWNLOAD HINWEISE", "base 1.0.0 453 kB benötigt von app",
                "Herunterzuladen: 453 kB, belegter Platz: 1,0 MB.",
                "'base' verlangt diese Berechtigungen: das Netzwerk verwenden.",
                "Dann nicht mehr benötigt: 'mugs'. Mit 'storectl autoremove' entfernen.", "Nicht aktualisiert werden:",
                "ID VERSION GRUND", "cats 1 → 2 der Store 'old' wurde entfernt",
            ])
        #expect(text.failures == ["'b' wird ausgelassen: es gibt weder eine Datei noch ein Produkt './b.zip'"])
    }

    @Test(arguments: Language.allCases)
    func `the columns of a table are aligned in every language`(language: Language) {
        let plan = plan()
        let lines = PlanText(plan: plan, messages: .of(language)).lines(width: nil)
        // The version begins in the same column as its title, whatever the widths of the words.
        let title = Messages.of(language).text("VERSION")
        let (heading, row) = (lines[0], lines[1])
        guard let start = heading.ranges(of: title).first, let version = row.ranges(of: "1.0.0").first else {
            Issue.record("\(lines)")
            return
        }
        #expect(heading[..<start.lowerBound].columns == row[..<version.lowerBound].columns)
    }

    @Test(arguments: Language.allCases)
    func `y and yes are accepted in every language, with the words of the language`(language: Language) {
        let answers = Console.affirmativeAnswers(.of(language))
        #expect(answers.isSuperset(of: ["y", "yes"]))
        let own: [Language: [String]] = [
            .german: ["j", "ja"], .french: ["o", "oui"], .spanish: ["s", "sí"], .catalan: ["s", "sí"],
            .arabic: ["ن", "نعم"],
        ]
        #expect(answers.isSuperset(of: own[language] ?? []))
        #expect(answers.isDisjoint(with: ["n", "no", "nein", "non", "لا", ""]))
    }

    @Test func `progress is in the user's language, and names are unchanged`() {
        let messages = Messages.of(.german)
        func line(_ state: DownloadState, _ activity: DownloadActivity?, reason: String? = nil) -> String {
            let status = DownloadStatus(
                operation: OperationID(rawValue: "1"), action: .install, productIdentifier: "failed", store: "shop",
                state: state, activity: activity, reason: reason, attempt: 1, bytesReceived: 500, bytesExpected: 1000)
            return ProgressLine(status, messages).activity
        }
        #expect(line(.finished, nil) == "fertig")
        #expect(line(.initializing, .waiting, reason: "waiting for the network") == "wartet auf das Netzwerk")
        #expect(
            line(.downloading, .paused, reason: "paused by the user")
                == "pausiert (vom Benutzer); fortsetzen mit 'storectl resume failed'")
    }

    @Test(arguments: ["list --colums id", "list --limit x", "history --limit 0", "list --columns colour", "install"])
    func `the errors of an invalid command line are translated`(words: String) throws {
        let messages = Messages.of(.german)
        do {
            _ = try Storectl.parseAsRoot(words.split(separator: " ").map(String.init))
            Issue.record("'\(words)' is accepted")
        } catch {
            let message = UsageMessage.text(Storectl.message(for: error))
            #expect(messages.translation(of: message) != message, "\(message)")
        }
    }

    @Test func `damages are counted in the user's language, and JSON stays English`() throws {
        let document = VerificationDocument(
            productIdentifier: "cups",
            damages: [
                PackDamage(path: "a", damage: .changed), PackDamage(path: "b", damage: .changed),
                PackDamage(path: "c", damage: .added),
            ])
        let row = Verify.Row(document)
        #expect(row.error?.message == "'cups' has 2 changed files and 1 added file")
        #expect(
            row.shownError(.of(.german))?.message == "'cups' hat 2 geänderte Dateien und 1 hinzugefügte Datei")
        #expect(row.shownError(.of(.english)) == row.error)
    }

    @Test func `identifiers, product names and paths are the same in all languages`() {
        for language in Language.allCases {
            let text = CompletedAction.installed.text(
                "org.example.cups", requiredBy: "app", "Cups, 3 kB, in /x y/z", .of(language))
            for part in ["org.example.cups", "app", "/x y/z"] { #expect(text.contains(part)) }
        }
    }
}
