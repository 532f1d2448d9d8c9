import StoreModel
import StoreTestSupport
import Testing

@testable import StoreTerminal

@Suite struct ColorTests {
    private func isColored(
        _ color: ColorChoice, _ environment: [String: String], isTerminal: Bool = true
    ) -> Bool {
        TerminalOutput(descriptor: 2, environment: environment, color: color, isTerminal: isTerminal).isColored
    }

    @Test func `output is coloured on a terminal that shows colours, unless the user objects`() {
        #expect(isColored(.auto, ["TERM": "xterm"]))
        #expect(isColored(.auto, ["TERM": "xterm", "NO_COLOR": ""]))
        #expect(!isColored(.auto, ["TERM": "xterm", "NO_COLOR": "1"]))
        #expect(!isColored(.auto, ["TERM": "dumb"]))
        #expect(!isColored(.auto, [:]))
        #expect(!isColored(.auto, ["TERM": "xterm"], isTerminal: false))
        #expect(isColored(.always, ["TERM": "dumb", "NO_COLOR": "1"], isTerminal: false))
        #expect(!isColored(.never, ["TERM": "xterm"]))
    }

    @Test func `a styled text ends with the default style`() {
        let colored = TerminalOutput(descriptor: 2, environment: [:], color: .always, isTerminal: false)
        #expect(colored.styled("error:", .error) == "\u{1B}[1;31merror:\u{1B}[0m")
        #expect(colored.styled("", .error) == "")
        #expect(TerminalOutput(descriptor: 2, environment: [:], color: .never).styled("a", .error) == "a")
    }

    @Test func `colours in a table do not change its layout`() {
        var table = Table([
            .init(title: "STATE", flexible: true, style: { $0.hasPrefix("Failed") ? .error : nil }),
            .init(title: "SIZE", right: true, style: { _ in .success }), .identifier(title: "ID"),
        ])
        table.add("Failed", "1 kB", "a\u{1B}[32mb")
        table.add("Downloaded completely", "20 MB", "b")
        for width in [nil, 80, 26] {
            let plain = table.lines(width: width)
            let colored = table.lines(width: width, isColored: true)
            #expect(colored != plain)
            #expect(colored.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == plain)
            #expect(colored[0].hasPrefix("\u{1B}[1mSTATE\u{1B}[0m"))
            #expect(colored[1].hasPrefix("\u{1B}[1;31mFailed\u{1B}[0m"))
            #expect(!colored[2].contains("31m"))
        }
        #expect(!table.lines(width: 80).joined().contains("\u{1B}"))
    }

    @Test(arguments: [40, 80, 120]) func `colours in progress do not change its layout`(width: Int) {
        var plain = ProgressDisplay()
        var colored = ProgressDisplay()
        colored.isColored = true
        for (id, activity, received) in [
            ("a", DownloadActivity.transferring, 500), ("b", .waiting, 0), ("c", .queued, 0),
        ] {
            let status = DownloadStatus(
                operation: OperationID(rawValue: id), action: .install, productIdentifier: id, store: "s",
                state: .downloading, activity: activity, reason: nil, attempt: 1, bytesReceived: received,
                bytesExpected: 1000)
            plain.update(status)
            colored.update(status)
        }
        let lines = colored.text(width: width, height: 24)
        #expect(lines.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") } == plain.text(width: width, height: 24))
        #expect(lines[0].contains("\u{1B}[32m[") == lines[0].contains("#"))
        #expect(lines[1].contains("\u{1B}[1;33mwaiting\u{1B}[0m"))
        #expect(!lines[2].contains("\u{1B}"))
    }
}

@Suite struct PagerTests {
    @Test func `the environment names the pager`() {
        #expect(Pager(environment: ["STORECTL_PAGER": "most -s", "PAGER": "more"])?.command == "most -s")
        #expect(Pager(environment: ["PAGER": "more"])?.command == "more")
        for none in ["", " ", "cat", " cat "] {
            #expect(Pager(environment: ["STORECTL_PAGER": none, "PAGER": "more"]) == nil)
        }
    }

    @Test func `less is the pager that nobody names, and without it nothing is paged`() throws {
        let folder = try TemporaryFolder()
        #expect(Pager(environment: ["PATH": folder.path]) == nil)
        _ = try folder.directory.createFile("less", mode: 0o755)
        #expect(Pager(environment: ["PATH": folder.path])?.command == "less -FRX")
    }

    @Test func `the pager shows UTF-8 in any locale, unless the environment says otherwise`() {
        let variables = Pager(environment: ["PAGER": "less"])?.variables
        #expect(variables == ["LESS": "FRX", "LESSCHARSET": "utf-8"])
        let chosen = Pager(environment: ["PAGER": "less", "LESS": "R", "LESSCHARSET": "latin1"])?.variables
        #expect(chosen == [:])
    }

    @Test func `a pager that ends early or is missing does no harm`() {
        let long = String(repeating: "line\n", count: 200_000)
        #expect(Pager(environment: ["PAGER": "head -n 1 > /dev/null"])?.show(long) == true)
        #expect(Pager(environment: ["PAGER": "exit 3"])?.show(long) == true)
        #expect(Pager(environment: ["PAGER": "exec 2> /dev/null; no-such-pager-here"])?.show(long) == false)
    }
}
