import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct DaemonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daemon", abstract: "Shows, starts and stops the daemon.",
        discussion: "It is started by whatever command needs it.\n\nFor example:\n  storectl daemon status",
        subcommands: [Status.self, Start.self, Stop.self])

    struct Status: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "status", abstract: "Tells whether it runs; never starts it.",
            discussion: "For example:\n  storectl daemon status --json")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let status: StatusDocument
            do {
                status = try await client(.never).status()
            } catch let error as StoreError where error.code == .daemonUnreachable {
                status = StatusDocument(running: false, version: StoreAPI.programVersion)
            }
            console.show(status)
            return .done
        }
    }

    struct Start: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "start", abstract: "Starts it, where it does not run.",
            discussion: "For example:\n  storectl daemon start")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let status = try await client().status()
            if console.json || !console.quiet { console.show(status) }
            return .done
        }
    }

    struct Stop: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "stop", abstract: "Stops it; downloads go on with its next start.",
            discussion: "For example:\n  storectl daemon stop")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let ran = try await client(.never).stopDaemon()
            if console.json {
                console.document(StatusDocument(running: false, version: StoreAPI.programVersion))
            } else {
                console.confirmation(ran ? "The daemon was stopped." : "The daemon did not run.")
            }
            return .done
        }
    }
}

extension Console {
    func show(_ status: StatusDocument) {
        if json { return document(status) }
        guard status.running else { return line("The daemon does not run.") }
        let pid = status.pid.map { " as process \($0)" } ?? ""
        let since = status.startedAt.map { " since \(shortTime($0))" } ?? ""
        line("The daemon \(status.version) runs\(pid)\(since).")
        if let downloads = status.activeDownloads { line("Downloads that run or wait: \(downloads)") }
        for warning in status.warnings ?? [] { line("Warning: \(warning)") }
        if let home = status.home { line("Packs: \(home.data)/packs") }
    }
}
