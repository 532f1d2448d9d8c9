import Foundation
import StoreModel
import Testing

@Suite struct StoreErrorTests {
    private static let code = ErrorCode("test.failed", .conflict)
    private static let failed = ErrorTemplate(code, "could not open '{path}'", hint: "check '{path}'")
    private static let limited = ErrorTemplate(code, variant: "limit", "over {limit}")
    private static let reading = ErrorTemplate(context: "test-read", "could not read '{path}': {cause}")

    @Test func `a message and a hint are written from template and arguments`() {
        let error = StoreError(Self.failed, ["path": .path("/a b")])
        #expect(error.message == "could not open '/a b'")
        #expect(error.hint == "check '/a b'")
        #expect(error.description == "test.failed: could not open '/a b'")
        #expect(error.code.exitCode == .conflict)
    }

    @Test func `a placeholder without an argument stays visible`() {
        #expect(StoreError(Self.limited).message == "over {limit}")
    }

    @Test(
        arguments: [
            (["limit": 3], "3"), (["limit": .bytes(1)], "1 byte"), (["limit": .bytes(2_000_000)], "2000000 bytes"),
            (["limit": .size(999)], "999 bytes"), (["limit": .size(2_500_000_000)], "2.5 GB"),
            (["limit": .size(12_345_678)], "12 MB"), (["limit": .size(999_999)], "1 MB"),
            (["limit": Duration.seconds(30)], "30 s"), (["limit": Duration.milliseconds(250)], "0.25 s"),
            (["limit": .list(["a", "b"])], "a, b"), (["limit": "text"], "text"),
            (["limit": .permissions([.code])], "run its own program within the chat application"),
        ] as [(ErrorArguments, String)])
    func `an argument is formatted according to its kind`(arguments: ErrorArguments, expected: String) {
        #expect(StoreError(Self.limited, arguments).message == "over \(expected)")
    }

    @Test func `a URL is written without its secrets`() throws {
        let url = try #require(URL(string: "https://me:word@example.org/a?token=1#f"))
        #expect(StoreError(Self.limited, ["limit": url]).message == "over https://example.org/a")
    }

    @Test func `control characters are removed from text`() {
        #expect(StoreError(Self.limited, ["limit": "a\u{1B}[2J\nb\u{202E}"]).message == "over a\u{FFFD}[2J b\u{FFFD}")
        let long = StoreError(Self.limited, ["limit": .untrusted("\u{200B}\n" + String(repeating: "x", count: 100))])
        #expect(long.message == "over \u{FFFD}\u{FFFD}" + String(repeating: "x", count: 76) + "…")
        // Braces in an argument are not placeholders.
        #expect(StoreError(Self.limited, ["limit": "{limit}"]).message == "over {limit}")
    }

    @Test func `a context has the code, the hint and the arguments of its cause`() {
        let error = StoreError(
            Self.reading, ["path": "x.zip"], cause: StoreError(Self.failed, ["path": "/a", "line": 3]))
        #expect(error.code == Self.code)
        #expect(error.message == "could not read 'x.zip': could not open '/a'")
        #expect(error.hint == "check '/a'")
        #expect(error["line"] == .count(3))
        #expect(error.replacing("line", with: 4)["line"] == .count(4))
        #expect(error.replacing("path", with: "y.zip").message == "could not read 'y.zip': could not open '/a'")
    }

    @Test func `a context whose cause has no code is an unexpected error`() {
        let system = SystemCallError(number: 5, function: "read", reason: "Input/output error")
        let error = StoreError(Self.reading, ["path": "a"], cause: system)
        #expect(error.code == .unexpected)
        #expect(error.message == "could not read 'a': Input/output error")
        #expect(error.systemErrorNumber == 5)
        #expect(StoreError(Self.reading, ["path": "a"], cause: error).systemErrorNumber == 5)
    }

    @Test func `a report keeps code, message, hint and permissions of an error`() {
        let error = StoreError(Self.failed, ["path": "a", "permissions": .permissions([.code])])
        let report = ErrorReport(error)
        #expect(report.code == Self.code && report.message == error.message && report.hint == error.hint)
        #expect(report.permissions == [.code])
        let outer = StoreError(Self.reading, ["path": "b"], cause: report)
        #expect(outer.message == "could not read 'b': could not open 'a'" && outer.hint == "check 'a'")
        #expect(outer.code == Self.code && outer.permissions == [.code])
        #expect(report.requestingProduct == nil)
    }

    @Test func `texts of another language replace those of the template`() {
        let catalogue = ErrorTranslations([
            Self.failed.message: "'{path}' kann nicht geöffnet werden", Self.failed.hint ?? "": "'{path}' prüfen",
            Self.limited.message: "über {limit}",
        ])
        let formatter = ErrorFormatter(catalogue: catalogue)
        #expect(formatter.message(of: StoreError(Self.failed, ["path": "a"])) == "'a' kann nicht geöffnet werden")
        #expect(formatter.hint(of: StoreError(Self.failed, ["path": "a"])) == "'a' prüfen")
        #expect(formatter.message(of: StoreError(Self.limited, ["limit": 1])) == "über 1")
        let outer = StoreError(Self.reading, ["path": "b"], cause: StoreError(Self.failed, ["path": "a"]))
        #expect(formatter.message(of: outer) == "could not read 'b': 'a' kann nicht geöffnet werden")
    }

    @Test func `a publisher gets other hints than a user`() {
        let reported = ErrorTemplate(Self.code, "bad", hint: .reportToPublisher)
        let enlarged = ErrorTemplate(
            Self.code, "big", hint: ErrorHint("trust '{path}'", forPublisher: "shrink '{path}'"))
        func hints(_ template: ErrorTemplate, cause: StoreError? = nil) -> [String?] {
            let error = StoreError(template, ["path": "a"], cause: cause.map(ErrorCause.error))
            return [error.hint, ErrorReport(error, formatter: .publisher).hint]
        }
        #expect(hints(reported) == ["report it to the pack's publisher", nil])
        #expect(hints(enlarged) == ["trust 'a'", "shrink 'a'"])
        #expect(hints(Self.failed) == ["check 'a'", "check 'a'"])
        let context = ErrorTemplate(context: "c", "file: {cause}", hint: .reportToPublisher)
        #expect(
            hints(context, cause: StoreError(Self.failed, ["path": "b"]))
                == ["report it to the pack's publisher", "check 'b'"])
        #expect(enlarged.placeholders == ["path"])
    }

    @Test func `braces around anything but a placeholder are text`() {
        let template = ErrorTemplate(Self.code, #"must be {"a":1} or {} or {limit"#)
        #expect(StoreError(template).message == #"must be {"a":1} or {} or {limit"#)
        #expect(template.placeholders.isEmpty)
        #expect(Self.failed.placeholders == ["path"] && Self.reading.placeholders == ["path"])
    }

    @Test func `a report with or without a hint survives encoding and decoding`() throws {
        let old = try JSON.decode(ErrorReport.self, from: Data(#"{"code":"a.b","message":"c","exitCode":3}"#.utf8))
        #expect(old.hint == nil && old.code.exitCode == .notFound)
        let new = ErrorReport(code: old.code, message: "c", hint: "d")
        #expect(try JSON.decode(ErrorReport.self, from: JSON.encode(new)) == new)
    }
}
