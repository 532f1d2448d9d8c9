import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

/// A command that does one thing to downloads that run: to those that are named, or to all.
protocol EachDownloadCommand: StoreCommand {
    var chosen: DownloadArguments { get }
    /// Whether `--all` means it.
    static func concerns(_ download: DownloadStatus) -> Bool
    static func change(_ id: String, _ client: StoreClient) async throws -> DownloadStatus
    /// What became of it, for people.
    static func told(_ id: String, _ status: DownloadStatus) -> String
}

struct DownloadArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("The products.", valueName: "id"))
    var ids: [String] = []

    @Flag(help: "All of them.")
    var all = false

    func validate() throws {
        guard ids.isEmpty == all else {
            throw ValidationError(all ? "Name products, or say --all, not both." : "Name products, or say --all.")
        }
    }
}

extension EachDownloadCommand {
    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        var ids = distinct(chosen.ids)
        if chosen.all {
            ids = try await client.downloads().filter { !$0.state.isEnd && Self.concerns($0) }.map(\.productIdentifier)
        }
        let all = chosen.all
        let changes = try await sideBySide(ids) { id -> (result: OperationResult, told: String?)? in
            do {
                let status = try await Self.change(id, client)
                let result = OperationResult(
                    productIdentifier: id, operation: status.operation, end: status.end, error: status.error)
                return (result, Self.told(id, status))
            } catch let error as ErrorReport where all && error.code.word == "download.unknown" {
                // It came to its end between the question and the order, and nobody asked for it by name.
                return nil
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                return (OperationResult(productIdentifier: id, error: ErrorReport(error)), nil)
            }
        }.compactMap { $0 }
        if !console.json { for told in changes.compactMap(\.told) { console.confirmation(told) } }
        if changes.isEmpty, !console.json { console.remark("There is no download to \(Self._commandName).") }
        return console.finish(changes.map(\.result))
    }
}

struct Pause: EachDownloadCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Lets downloads wait until 'resume', also across restarts.",
        discussion: """
            A paused download keeps its bytes, its operation and its place in the queue, and takes nobody's turn. \
            One that has all its bytes is not paused: it is in its place in a moment. Others that it needs go on.

            For example:
              storectl pause org.example.cups
              storectl pause --all --json
            """)

    @OptionGroup var chosen: DownloadArguments
    @OptionGroup var common: CommonOptions

    static func concerns(_ download: DownloadStatus) -> Bool { download.activity != .paused }

    static func change(_ id: String, _ client: StoreClient) async throws -> DownloadStatus {
        try await client.pauseDownload(id)
    }

    static func told(_ id: String, _ status: DownloadStatus) -> String {
        status.activity == .paused
            ? "Paused \(id); 'storectl resume \(id)' goes on." : "\(id) has all its bytes and finishes."
    }
}

struct Resume: EachDownloadCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Lets paused downloads go on, from the byte at which they were.",
        discussion: """
            It returns at once; 'storectl watch' and 'storectl install' show how they come along.

            For example:
              storectl resume org.example.cups
              storectl resume --all
            """)

    @OptionGroup var chosen: DownloadArguments
    @OptionGroup var common: CommonOptions

    static func concerns(_ download: DownloadStatus) -> Bool { download.activity == .paused }

    static func change(_ id: String, _ client: StoreClient) async throws -> DownloadStatus {
        try await client.resumeDownload(id)
    }

    static func told(_ id: String, _ status: DownloadStatus) -> String { "\(id) goes on." }
}
