import StoreMessages
import StoreModel
import Testing

@testable import StoreMessages

/// The texts in other languages, and the choice of a language.
@Suite struct MessagesTests {
    private let file = TranslationFile(
        Array(
            #"""
            # A comment.
            msgid ""
            msgstr ""
            "Language: ar\n"

            #, fuzzy, python-brace-format
            msgid "{size} left"
            msgstr "noch "
            "{size}"

            msgid "a \"quoted\\\" text"
            msgstr "ein \"zitierter\\\" Text\n"

            msgid "missing"
            msgstr ""

            msgid "{count} pack"
            msgid_plural "{count} packs"
            msgstr[0] "zero"
            msgstr[1] "one"
            msgstr[2] "two"
            msgstr[3] "{count} few"
            msgstr[4] "{count} many"
            msgstr[5] "{count} other"
            """#.utf8))

    @Test(arguments: [
        (0, "0 s left"), (59, "59 s left"), (60, "1 min 0 s left"), (3_599, "59 min 59 s left"),
        (3_660, "1 h 1 min left"), (90_000, "1 d 1 h left"),
    ])
    func `the time that is left is in its two largest units`(seconds: Int, text: String) {
        #expect(Messages.of(.english).timeLeft(seconds) == text)
    }

    @Test func `a period is in the largest unit in which it is whole`() {
        let messages = Messages.of(.german)
        #expect(messages.period(86_400) == "1 Tag" && messages.period(7_200) == "2 Stunden")
        #expect(messages.period(5_400) == "90 Minuten" && messages.period(61) == "61 Sekunden")
    }

    @Test func `a file's texts replace the English ones, with the values of their placeholders`() {
        let messages = Messages(.arabic, file)
        #expect(messages.text("{size} left", ["size": "3 MB"]) == "noch 3 MB")
        #expect(messages.text("a \"quoted\\\" text") == "ein \"zitierter\\\" Text\n")
        for english in ["missing", "not in the file {x}"] { #expect(messages.text(english) == english) }
    }

    @Test func `the value of a placeholder is not searched for placeholders`() {
        let messages = Messages.of(.english)
        #expect(messages.text("{a} and {b}", ["a": "{b}", "b": "1"]) == "{b} and 1")
    }

    @Test func `a number decides the form of a text`() {
        let messages = Messages(.arabic, file)
        let forms = [
            0: "zero", 1: "one", 2: "two", 3: "3 few", 10: "10 few", 11: "11 many", 99: "99 many", 100: "100 other",
            103: "103 few",
        ]
        for (number, text) in forms {
            #expect(messages.text(number, one: "{count} pack", other: "{count} packs") == text)
        }
        let english = Messages.of(.english)
        #expect(english.text(1, one: "{count} pack", other: "{count} packs") == "1 pack")
        #expect(english.text(0, one: "{count} pack", other: "{count} packs") == "0 packs")
    }

    @Test(arguments: [
        (Language.french, 0, PluralForm.one), (.french, 2, .other), (.french, 1_000_000, .many),
        (.spanish, 0, .other), (.spanish, 1, .one), (.catalan, 2_000_000, .many), (.german, 1, .one),
        (.german, 0, .other),
    ])
    func `the form of a noun is that of the language`(language: Language, number: Int, form: PluralForm) {
        #expect(language.pluralForm(of: number) == form)
    }

    @Test func `the first known language of a reader is used, else English`() {
        #expect(Language(preferring: ["nl", "de-AT", "fr"]) == .german)
        #expect(Language(preferring: ["CA_es"]) == .catalan)
        #expect(Language(preferring: ["nl", "x", ""]) == .english)
        #expect(Language(preferring: []) == .english)
    }

    @Test(arguments: Language.allCases)
    func `each language has a text for an error and a form for each number`(language: Language) {
        let messages = Messages.of(language)
        let error = StoreError(.diskFull, ["path": "x"])
        let english = error.message
        #expect((messages.errorFormatter.message(of: error) == english) == (language == .english))
        for number in [0, 1, 2, 3, 11, 100, 1_000_000] {
            let text = messages.text(number, one: "{count} product", other: "{count} products")
            #expect(!text.contains("{") && !text.isEmpty)
            let english = Messages.of(.english).text(number, one: "{count} product", other: "{count} products")
            #expect((text == english) == (language == .english), "\(text)")
        }
    }
}
