import ArgumentParser
import FoundationEssentials
import StoreClient
import StoreModel
import StoreSystem
import StoreTerminal

extension DaemonCommand {
    struct Logs: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "logs", abstract: "Show the daemon's log",
            discussion: """
                Shows the last lines of the log of a daemon that a command started. The log of a daemon that systemd \
                started is in the journal: 'journalctl --user --unit stored'. Never starts the daemon.

                Examples:
                  storectl daemon logs --lines 100
                  storectl daemon logs --follow
                """)

        @Option(name: [.customShort("n"), .long], help: ArgumentHelp("Number of lines to show", valueName: "n"))
        var lines = 50

        @Flag(name: .shortAndLong, help: "Show new lines until interrupted")
        var follow = false

        @OptionGroup var common: CommonOptions

        func validate() throws {
            if lines < 0 { throw ValidationError(EnglishText.filled("--lines must not be negative")) }
        }

        /// How often a followed log is examined for new lines.
        private static let interval = Duration.milliseconds(200)

        func run(_ console: Console) async throws -> ExitCode {
            let path = try HomePaths.current(home: common.home).daemonLog
            guard FilePaths.isRegularFile(path) else { throw StoreError(.daemonLogMissing, ["path": .path(path)]) }
            var log = try LogTail(path: path)
            show(try log.last(lines), path, console)
            while follow {
                try await Task.sleep(for: Self.interval)
                let new = try log.appended()
                if !new.isEmpty { show(new, path, console) }
            }
            return .done
        }

        private func show(_ lines: [String], _ path: String, _ console: Console) {
            if console.json {
                console.document(LogDocument(path: path, lines: lines))
            } else if follow {
                // A pager would wait for the user.
                for line in lines { console.line(line) }
            } else {
                console.lines(lines)
            }
        }
    }

    /// The JSON output of showing the log: its path, and lines of it.
    private struct LogDocument: Encodable {
        let path: String
        let lines: [String]
    }
}
