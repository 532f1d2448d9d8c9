import Foundation
import StoreTestSupport
import Testing

/// Tests colours and the pager in a pseudo-terminal.
@Suite(.hangGuard, .needs("/usr/bin/script", debian: "bsdutils"))
struct TerminalOutputTests {
    private let home: TestHome
    private let origin: Origin

    init() async throws {
        home = try TestHome(settings: ["TERM": "xterm", "NO_COLOR": ""])
        origin = try Origin()
        origin.serve("/a.zip", StoreDocuments.pack())
        let products = (0..<30).map {
            StoreDocuments.product("product-\($0)", archive: StoreDocuments.pack(), at: "/a.zip")
        }
        StoreDocuments.formatTwo(products, on: origin)
        try await home.must("store", "add", "shop", origin.address, "--unsigned")
    }

    /// Runs a command in a terminal of 80 columns.
    private func shown(
        _ command: String, _ variables: [String: String] = [:], rows: Int = 24
    ) async throws -> Programs.Result {
        let line = "stty rows \(rows) cols 80; \(Programs.path("storectl")) \(command)"
        return try await Programs.run(
            "/usr/bin/script", ["-qec", line, "/dev/null"],
            environment: home.environment.merging(variables) { $1 })
    }

    @Test func `errors with the same hint one after the other print it once`() async throws {
        let result = try await home.storectl("install", "nope", "never")
        #expect(result.errors.components(separatedBy: "error: there is no product").count == 3, "\(result)")
        #expect(result.errors.components(separatedBy: "hint: ").count == 2, "\(result)")
    }

    @Test func `errors, titles and states are coloured on a terminal`() async throws {
        let error = try await shown("info nope")
        #expect(error.output.contains("\u{1B}[1;31merror:\u{1B}[0m there is no product 'nope'"), "\(error)")
        #expect(error.output.contains("\u{1B}[1;36mhint:\u{1B}[0m "))
        let usage = try await shown("instal")
        #expect(usage.output.contains("\u{1B}[1;31merror:\u{1B}[0m no such command"), "\(usage)")
        try await home.must("install", "product-1")
        let found = try await shown("search product-1 --limit 1")
        #expect(found.output.contains("\u{1B}[1mID\u{1B}[0m"), "\(found)")
        let history = try await shown("history")
        #expect(history.output.contains("\u{1B}[32mfinished\u{1B}[0m"), "\(history)")
    }

    @Test(
        arguments: [
            ("info nope", ["NO_COLOR": "1"]), ("info nope", ["TERM": "dumb"]), ("info nope --color never", [:]),
            ("--color=never instal", [:]), ("info nope --json", ["NO_COLOR": "1"]),
        ] as [(String, [String: String])])
    func `colours can be switched off`(command: String, variables: [String: String]) async throws {
        let result = try await shown(command, variables)
        #expect(result.output.contains("error:") && !result.output.contains("\u{1B}["), "\(result)")
    }

    @Test func `without a terminal, there are colours only on request`() async throws {
        #expect(try await !home.storectl("info", "nope").errors.contains("\u{1B}"))
        #expect(try await home.storectl("info", "nope", "--color", "always").errors.contains("\u{1B}[1;31merror:"))
        #expect(try await home.storectl("--color", "always", "instal").errors.contains("\u{1B}[1;31merror:"))
        #expect(try await home.must("search", "--color", "always").output.hasPrefix("\u{1B}[1mID\u{1B}[0m"))
        try await home.fails("list", "--color", "red", exit: 2, code: "usage.invalid")
    }

    @Test func `messages are broken between words, and never within a command or an identifier`() async throws {
        let name = "a-product-with-an-identifier-of-fifty-characters-nope"
        let error = try await shown("info \(name)", ["NO_COLOR": "1"])
        let lines = error.output.split(whereSeparator: \.isNewline)
        #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 80 }, "\(error)")
        #expect(lines.contains { $0.contains("'\(name)'") }, "\(error)")
        #expect(error.output.contains("'storectl search'"), "\(error)")
        // The line with the path of the pack does not fit.
        let installed = try await shown("install product-1")
        #expect(installed.output.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("/") }, "\(installed)")
        let piped = try await home.storectl("info", name)
        #expect(piped.errors.split(separator: "\n").count == 2, "\(piped)")
    }

    @Test func `a pager shows output that does not fit on the terminal`() async throws {
        // A pager that marks each line, so that the output shows what went through it.
        let pager = ["STORECTL_PAGER": "sed 's/^/paged: /'", "PAGER": "false"]
        func paged(_ command: String, _ variables: [String: String]) async throws -> Int {
            let result = try await shown(command, variables)
            #expect(result.exit == 0 && result.output.contains("product-"), "\(result)")
            return result.output.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("paged: ") }.count
        }
        #expect(try await paged("search", pager) == 31)
        #expect(try await paged("search", ["PAGER": "sed 's/^/paged: /'"]) == 31)
        #expect(try await paged("search --limit 5", pager) == 0)
        #expect(try await paged("search --no-pager", pager) == 0)
        #expect(try await paged("search --json", pager) == 0)
        #expect(try await paged("search", ["PAGER": "cat"]) == 0)
        // A pager that can't be run is no reason to show nothing.
        #expect(try await paged("search", ["PAGER": "no-such-pager-here"]) == 0)
        let piped = try await Programs.run("storectl", ["search"], environment: home.environment.merging(pager) { $1 })
        #expect(piped.output.hasPrefix("ID ") && piped.output.split(separator: "\n").count == 31)
    }

    @Test func `one pager shows a product of all stores`() async throws {
        try await home.must("store", "add", "mall", origin.address, "--unsigned")
        let result = try await shown("info product-1", ["PAGER": "sed '1s/^/opened: /'"], rows: 5)
        #expect(result.exit == 0, "\(result)")
        let lines = result.output.split(whereSeparator: \.isNewline)
        #expect(
            lines.count { $0.hasPrefix("opened: ") } == 1 && lines.count { $0.contains("Store: ") } == 2, "\(result)")
    }
}
