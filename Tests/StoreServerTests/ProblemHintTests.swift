import Foundation
import StoreAPI
import StoreModel
import StoreOpenAPI
import StoreTestSupport
import Testing

@testable import StoreServer

/// The hints of error responses, which help front-ends as well as users of the command line.
@Suite struct ProblemHintTests {
    @Test(arguments: [
        ("try again later", "try again later"),
        ("if you trust it, run 'storectl config set a.b SIZE'", "if you trust it, run 'PUT /v1/config/a.b'"),
        ("list its stickers with 'storectl stickers show a/b'", "list its stickers with 'GET /v1/stickers/a%2Fb'"),
        ("add a store with 'storectl store add NAME URL'", "add a store with 'POST /v1/stores'"),
        ("revoke it with 'storectl web tokens revoke NAME'", "revoke it with 'DELETE /v1/web/tokens/{name}'"),
        ("name one with '--store', or leave out '--unsigned'", "name one with 'store', or leave out 'unsigned'"),
        ("'storectl stickers import --help' lists the formats", "'GET /v1/sticker-formats' lists the formats"),
        ("install its ZIP file with 'storectl install'", "install its ZIP file with 'POST /v1/downloads'"),
        ("use '--root FILE' or '--token-file'", "use 'root' or 'token'"), ("run 'storectl soak --now'", nil),
        ("choose another home with --home", nil),
    ])
    func `a hint names requests and properties instead of commands and options`(hint: String, expected: String?) {
        let report = ErrorReport(code: ErrorCode("some.word", .failed), message: "failed", hint: hint)
        let problem = ProblemDocument(report, status: 500, title: "Internal Server Error")
        #expect(problem.hint == expected)
        #expect(problem.commandLineHint == (hint == expected ? nil : hint))
        #expect(problem.report == report)
    }

    @Test func `an error without a hint for the command line has none for front-ends`() {
        let error = ErrorReport(StoreError(.importKeyWrong, ["path": "a"]))
        #expect(error.hint == nil)
        let problem = ProblemDocument(error, status: 400, title: "Bad Request")
        #expect(problem.hint == nil && problem.commandLineHint == nil && problem.report == error)
    }

    @Test func `the hint after events that are gone names the requests that follow`() throws {
        let error = ErrorReport(StoreError(.eventsExpired, ["sequence": 7]))
        let problem = ProblemDocument(error, status: 410, title: "Gone")
        let hint = try #require(problem.hint)
        #expect(hint.contains("GET /v1/snapshot") && hint.contains("GET /v1/events?after="))
        #expect(problem.report.hint == error.hint)
    }

    /// A hint that only says how to start or repair the daemon is of no use to a client that the daemon responds to.
    private static let withoutRequest: Set = [
        "home.unwritable", "home.foreign", "home.swapped", "database.failed", "database.newer", "daemon.stopped",
        // That hint is of the command line, when it shows a log.
        "file.unusable",
    ]

    @Test func `every response of the interface with a hint has one that a front-end can follow`() async throws {
        try await APITestServer().serve { client in
            let codes = Set(client.routes.flatMap(\.errors).map(\.rawValue))
            let folder = DocumentedErrorCodes.sources.appending(path: "StoreModel/Errors")
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }
            let declarations = texts.flatMap { $0.matches(of: /let (\w+) = ErrorCode\(\s*"([\w.-]+)"/) }
            let declared = Dictionary(declarations.map { (String($0.1), String($0.2)) }) { first, _ in first }
            let templates = texts.flatMap { $0.split(separator: "ErrorTemplate(") }
                .compactMap { $0.firstMatch(of: /^\s*\.(\w+),(?:(?!let )[^;])*?hint:\s*"([^"]+)"/) }
            var checked = 0
            for template in templates {
                guard let code = declared[String(template.1)], codes.contains(code), !Self.withoutRequest.contains(code)
                else { continue }
                let hint = String(template.2).replacing(/\{\w+\}/, with: "example")
                let report = ErrorReport(code: ErrorCode(code, .failed), message: "failed", hint: hint)
                let problem = ProblemDocument(report, status: 500, title: "Internal Server Error")
                #expect(problem.hint != nil, "\(code): \(hint)")
                checked += 1
            }
            #expect(checked > 60)
        }
    }
}
