import Testing

@testable import StoreMessages
@testable import StoreModel

/// The choice of the language from the environment, and the translation of finished English texts.
@Suite struct FinishedTextTests {
    @Test(
        arguments: [
            ([:], Language.english), (["LANG": "de_DE.UTF-8"], .german), (["LANG": "C.UTF-8"], .english),
            (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], .english),
            (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "fr_FR"], .french),
            (["LANG": "C", "LANGUAGE": "de"], .english), (["LANGUAGE": "de"], .english),
            (["LANG": "en_US.UTF-8", "LANGUAGE": "nl:ar:de"], .arabic), (["LANG": "ca_ES@valencia"], .catalan),
            (["LANG": "en_US.UTF-8", "LANGUAGE": "en:de"], .english), (["LANG": "de", "LC_ALL": ""], .german),
            (["LANG": "nl_NL.UTF-8"], .english), (["LANG": "../../x"], .english),
        ] as [([String: String], Language)])
    func `the variables of the environment choose the language as gettext does`(
        environment: [String: String], language: Language
    ) {
        #expect(Language(environment: environment) == language)
    }

    @Test func `each text is recognized when its placeholders are filled`() {
        let messages = Messages.of(.german)
        // Of texts that differ only in the names of placeholders, any may be the one.
        func shape(_ text: String) -> String { TemplateText(text).filled { _ in "{}" } }
        let alike = Dictionary(grouping: messages.texts) { shape($0.key) }
        var count = 0
        for text in messages.texts.keys {
            let template = TemplateText(text)
            guard text.contains("{"), template.letterCount >= 4 else { continue }
            let values = Dictionary(template.placeholders.map { ($0, "<\($0)>") }) { first, _ in first }
            let found = messages.translation(of: EnglishText.filled(text, values))
            let expected = (alike[shape(text)] ?? []).map { EnglishText.filled($0.value, values) }
            #expect(expected.contains { unnamed($0) == unnamed(found) }, "\(text): \(found)")
            count += 1
        }
        #expect(count > 500)
    }

    /// Returns a text without the names of values.
    private func unnamed(_ text: String) -> String { text.replacing(/<[A-Za-z0-9]+>/, with: "<>") }

    @Test func `the message, cause and hint of an error are translated`() throws {
        let messages = Messages.of(.german)
        let cause = StoreError(.noSuchProduct, ["product": "org.example.cups", "stores": .list(["'shop'"])])
        for error in [cause, StoreError(.localFileUnsigned, ["name": "a.zip"])] {
            let message = messages.translation(of: error.message)
            #expect(message == messages.errorFormatter.message(of: error) && message != error.message)
            let hint = try #require(error.hint)
            #expect(messages.translation(of: hint) == messages.errorFormatter.hint(of: error), "\(hint)")
        }
        let outer = StoreError(.diskFull, ["path": "/home/x"])
        let context = StoreError(
            ErrorTemplate(context: "test", "could not read the details of '{product}': {cause}"), ["product": "a"],
            cause: outer)
        #expect(messages.translation(of: context.message).hasSuffix(messages.errorFormatter.message(of: outer)))
    }

    @Test func `numbers and lists in a text are translated, and names are not`() {
        let messages = Messages.of(.german)
        let interrupted = StoreError(.commandInterruptedRunning, ["downloads": "4 downloads"])
        #expect(messages.translation(of: interrupted.message) == "unterbrochen; der Daemon setzt 4 Downloads fort")
        let names = StoreError(.commandInterruptedRunning, ["downloads": "held, paused"])
        #expect(messages.translation(of: names.message) == "unterbrochen; der Daemon setzt held, paused fort")
        let named = StoreError(.productCancelled, ["product": "held"])
        #expect(messages.translation(of: named.message) == "die Installation von 'held' wurde abgebrochen")
        #expect(
            messages.translation(
                of: "requests permission to use the network, run its own program within the chat application"
            )
            .contains("Netzwerk"))
    }

    @Test(arguments: [
        (Language.german, "6,8 kB", "1,1 PB", "1 Byte"), (.french, "6,8 ko", "1,1 Po", "1 octet"),
        (.arabic, "6.8 كيلوبايت", "1.1 بيتابايت", "1 بايت"), (.english, "6.8 kB", "1.1 PB", "1 byte"),
    ])
    func `amounts of data have the separator and the units of the language, alone and in a text`(
        language: Language, size: String, needed: String, byte: String
    ) {
        let messages = Messages.of(language)
        #expect(messages.size(6800) == size && messages.size(1_100_000_000_000_000) == needed)
        let shortage = "there may not be enough free space: about 1.1 PB needed, 6.8 kB free"
        let text = messages.translation(of: shortage)
        #expect(text.contains(needed) && text.contains(size), "\(text)")
        let unreadable = StoreError(.imageTrailingData, ["size": .bytes(1)])
        #expect(messages.translation(of: unreadable.message).contains(byte))
        // A name that looks like an amount is a name.
        let named = messages.translation(of: StoreError(.productCancelled, ["product": "6.8 kB"]).message)
        #expect(named.contains("'6.8 kB'"), "\(named)")
    }

    @Test(arguments: [
        (
            "invalid value '0' for setting 'downloads.maximumAtOnce': allowed is a whole number from 1 to 1000",
            "erlaubt ist eine ganze Zahl von 1 bis 1000"
        ),
        (
            "invalid value 'x' for setting 'a.b': allowed is a whole number from 0 to 9 (bytes a second; suffixes k, M, G)",
            "erlaubt ist eine ganze Zahl von 0 bis 9 (Bytes pro Sekunde; Suffixe k, M, G)"
        ),
        (
            "invalid value 'x' for setting 'a.b': allowed is a whole number from 0 to 9 (seconds)",
            "erlaubt ist eine ganze Zahl von 0 bis 9 (Sekunden)"
        ),
        (
            "invalid value 'x' for setting 'a.b': allowed is true or false; they sum to 80: add 20",
            "erlaubt ist true oder false; zusammen ergeben sie 80: 20 hinzufügen"
        ),
        (
            "the value 'csh' is invalid for '<shell>'. Please provide one of 'bash', 'zsh' or 'fish'",
            "Möglich: 'bash', 'zsh', 'fish'"
        ),
    ])
    func `what a setting or an argument allows is translated`(text: String, translation: String) {
        let found = Messages.of(.german).translation(of: text)
        #expect(found.hasSuffix(translation), "\(found)")
    }

    @Test(arguments: ["", "6.8", "kB", "6.8  kB", "6.8 kb", "6. kB", "x kB", "6.8 kB ", "6,8 kB"])
    func `what is no amount of data has no translation as one`(text: String) {
        #expect(Messages.of(.german).amount(text) == nil)
    }

    @Test(arguments: [32, 33]) func `a list is translated unless it is very long`(count: Int) {
        let list = Array(repeating: "use the network", count: count).joined(separator: ", ")
        let text = Messages.of(.german).translation(of: "requests permission to " + list)
        #expect(text.contains("use the network") == (count > 32), "\(text)")
    }

    @Test func `an unknown text stays English, and in English every text does`() {
        #expect(Messages.of(.german).translation(of: "text of a newer daemon") == "text of a newer daemon")
        #expect(Messages.of(.german).translation(of: "") == "")
        #expect(Messages.of(.english).translation(of: "held") == "held")
    }
}
