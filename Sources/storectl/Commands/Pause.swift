import ArgumentParser
import StoreAPI
import StoreClient
import StoreMessages
import StoreModel
import StoreTerminal

/// A command that changes running downloads: those named on the command line, or all.
protocol EachDownloadCommand: StoreCommand, OperandListCommand {
    var chosen: DownloadArguments { get set }
    /// Returns whether the option `--all` of the command selects a download.
    static func applies(to download: DownloadStatus) -> Bool
    static func change(_ id: String, _ client: StoreClient) async throws -> DownloadStatus
    /// Returns the line to print after the command has changed a download.
    ///
    /// - Parameters:
    ///   - id: the product's identifier.
    ///   - before: the download before the change; `nil` where it began in between.
    ///   - status: the download after the change.
    static func confirmation(
        _ id: String, from before: DownloadStatus?, to status: DownloadStatus, _ messages: Messages
    ) -> String
    /// Returns the text that is printed where there is no download to change.
    static func emptyText(_ messages: Messages) -> String
}

struct DownloadArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp("Product identifiers, or STORE/ID", valueName: "id"),
        completion: CompletionCandidates.downloads)
    var ids: [String] = []

    @Flag(help: "All downloads")
    var all = false

    func validate() throws {
        guard ids.isEmpty == all else {
            throw ValidationError(
                all
                    ? EnglishText.filled("product identifiers and --all exclude each other")
                    : EnglishText.filled("expected product identifiers or --all"))
        }
    }
}

extension DownloadArguments {
    /// Returns the products that the command line names, or with `--all` those of the running downloads.
    ///
    /// - Parameter applies: returns whether `--all` selects a download.
    func products(_ client: StoreClient, where applies: (DownloadStatus) -> Bool) async throws -> [String] {
        guard all else { return try await ProductNames.downloads(ids, client) }
        return try await client.downloads().filter { !$0.state.isEnd && applies($0) }.map(\.productIdentifier)
    }
}

extension EachDownloadCommand {
    static var operands: WritableKeyPath<Self, [String]> { \.chosen.ids }

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let ids = try await printingResults(console) { try await chosen.products(client, where: Self.applies) }
        let all = chosen.all
        let before = Dictionary(
            console.json ? [] : try await client.downloads().map { ($0.productIdentifier, $0) },
            uniquingKeysWith: { $0.state.isEnd ? $1 : $0 })
        let changes = try await mapConcurrently(ids) { id -> (result: OperationResult, confirmation: String?)? in
            do {
                let status = try await Self.change(id, client)
                let result = OperationResult(
                    productIdentifier: id, operation: status.operation, end: status.end, error: status.error)
                return (result, Self.confirmation(id, from: before[id], to: status, console.messages))
            } catch let error as ErrorReport where all && [.downloadMissing, .downloadEnded].contains(error.code) {
                // The download ended between the listing and the request. It was selected by `--all`, so this is no
                // error.
                return nil
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                let report = await SimilarIdentifiers.clarify(id, ErrorReport(error), oneOf: ids.count, client)
                return (OperationResult(productIdentifier: id, error: report), nil)
            }
        }.compactMap { $0 }
        if !console.json { for text in changes.compactMap(\.confirmation) { console.confirmation(text) } }
        if changes.isEmpty, !console.json { console.note(Self.emptyText(console.messages)) }
        return console.finish(changes.map(\.result))
    }
}

struct Pause: EachDownloadCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause downloads; they stay paused across restarts",
        discussion: """
            A paused download keeps its received bytes, its operation and its position in the queue. A download that \
            has received all bytes is not paused, because it is about to finish. Dependencies are not paused.

            Examples:
              storectl pause org.example.cups
              storectl pause --all --json
            """)

    @OptionGroup var chosen: DownloadArguments
    @OptionGroup var common: CommonOptions

    static func applies(to download: DownloadStatus) -> Bool { download.activity != .paused }

    static func change(_ id: String, _ client: StoreClient) async throws -> DownloadStatus {
        try await client.pauseDownload(id)
    }

    static func confirmation(
        _ id: String, from before: DownloadStatus?, to status: DownloadStatus, _ messages: Messages
    ) -> String {
        status.activity == .paused
            ? messages.text("Paused {product}; resume with 'storectl resume {product}'.", ["product": id])
            : messages.text("{product} has received all bytes and will finish.", ["product": id])
    }

    static func emptyText(_ messages: Messages) -> String { messages.text("No downloads to pause.") }
}

struct Resume: EachDownloadCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Resume paused downloads",
        discussion: """
            Returns immediately; 'storectl watch' and 'storectl install' show the progress.

            Examples:
              storectl resume org.example.cups
              storectl resume --all
            """)

    @OptionGroup var chosen: DownloadArguments
    @OptionGroup var common: CommonOptions

    static func applies(to download: DownloadStatus) -> Bool { download.activity == .paused }

    static func change(_ id: String, _ client: StoreClient) async throws -> DownloadStatus {
        try await client.resumeDownload(id)
    }

    static func confirmation(
        _ id: String, from before: DownloadStatus?, to status: DownloadStatus, _ messages: Messages
    ) -> String {
        before?.activity == .paused
            ? messages.text("Resumed {product}.", ["product": id])
            : messages.text("{product} is not paused.", ["product": id])
    }

    static func emptyText(_ messages: Messages) -> String { messages.text("No downloads to resume.") }
}
