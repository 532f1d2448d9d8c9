import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreSystem
import StoreTerminal

struct DaemonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daemon", abstract: "Manage the daemon",
        discussion: "Commands start the daemon automatically when they need it.\n\nExamples:\n  storectl daemon status",
        subcommands: [Status.self, Start.self, Stop.self, Restart.self, Logs.self])

    struct Status: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Show whether the daemon is running",
            discussion: """
                Never starts the daemon. Prints the path of its socket, among others. Exits with 0 whether it is running or not, \
                unless --exit-code is given.

                Examples:
                  storectl daemon status --json
                  storectl daemon status --exit-code >/dev/null || echo stopped
                """)

        @Flag(help: "Exit with 8 if the daemon is not running")
        var exitCode = false

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let status: StatusDocument
            do {
                status = try await client(.never).status(tryingConfinement: true)
            } catch let error as StoreError
                where error.code == .daemonUnreachable && error.template != .daemonSocketUnusable
            {
                status = StatusDocument(running: false, version: StoreAPI.programVersion)
            }
            console.show(status)
            return exitCode && !status.running ? .daemon : .done
        }
    }

    struct Start: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "start", abstract: "Start the daemon",
            discussion:
                "Prints the daemon's status, as 'storectl daemon status' does.\n\nExamples:\n  storectl daemon start")

        static let createsHome = true

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let status = try await client().status(tryingConfinement: true)
            if console.json || !console.quiet { console.show(status) }
            return .done
        }
    }

    struct Stop: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "stop", abstract: "Stop the daemon; downloads resume with its next start",
            discussion: "Examples:\n  storectl daemon stop")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let ran = try await client(.never).stopDaemon()
            if console.json {
                console.document(StatusDocument(running: false, version: StoreAPI.programVersion))
            } else {
                console.confirmation(
                    ran
                        ? console.messages.text("Stopped the daemon.")
                        : console.messages.text("The daemon is not running."))
            }
            return .done
        }
    }

    struct Restart: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "restart", abstract: "Stop the daemon and start it again",
            discussion: """
                Settings that need a restart take effect. A running daemon goes on if the settings or the list of stores \
                have become invalid, or if others may write to the home, because no other could start.

                Examples:
                  storectl daemon restart
                """)

        static let createsHome = true

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            _ = try await client(.never).stopDaemon(restarting: true)
            let status = try await client().status(tryingConfinement: true)
            if console.json || !console.quiet { console.show(status) }
            return .done
        }
    }
}

extension Console {
    /// Prints the daemon's status as text, or with `--json` as a document.
    func show(_ status: StatusDocument) {
        if json { return document(status) }
        guard status.running else { return line(messages.text("The daemon is not running.")) }
        let values = [
            "version": status.version, "process": status.pid.map { "\($0)" } ?? "",
            "time": status.startedAt.map(shortTime) ?? "",
        ]
        paragraph(
            status.pid == nil || status.startedAt == nil
                ? messages.text("The daemon {version} is running.", values)
                : messages.text("The daemon {version} is running (process {process}) since {time}.", values))
        if let downloads = status.activeDownloads {
            line(messages.text("Active downloads: {number}", ["number": "\(downloads)"]))
        }
        if let confinement = status.confinement {
            if confinement.confined {
                paragraph(messages.text("Packs are read in confined processes."))
                let missing = confinement.missing.map {
                    let part = ConfinementReport.Part(rawValue: $0.part)?.restricted ?? $0.part
                    return "\(messages.translation(of: part)) (\(messages.translation(of: $0.reason)))"
                }
                if !missing.isEmpty {
                    paragraph(
                        messages.text(
                            "In these, only a filter of system calls forbids what this kernel can't restrict further: "
                                + "{parts}.", ["parts": messages.list(missing)]))
                }
            } else {
                let reason = reason(confinement.reason)
                warning(
                    confinement.required
                        ? messages.text("packs can't be installed, because {reason}", reason)
                        : messages.text("packs are read by the daemon itself, because {reason}", reason))
            }
        }
        if let thumbnails = status.thumbnails {
            if thumbnails.available {
                line(messages.text("Thumbnails are drawn in confined processes."))
            } else {
                warning(messages.text("no thumbnails are made, because {reason}", reason(thumbnails.reason)))
            }
        }
        for warning in status.warnings ?? [] { self.warning(warning) }
        if let home = status.home { line(messages.text("Packs: {path}", ["path": "\(home.data)/packs"])) }
        if let socket = status.socket { line(messages.text("Socket: {path}", ["path": socket])) }
    }

    /// Returns why no process can be confined, as the value of a placeholder.
    private func reason(_ reason: String?) -> [String: String] {
        ["reason": reason.map { messages.translation(of: $0) } ?? messages.text("no process can be confined")]
    }
}
