import ArgumentParser
import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTerminal
import StoreTransfers
import StoreTrust

/// A client of The Update Framework with the command line of its conformance tests (theupdateframework/tuf-conformance).
@main
struct TUFClient: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tuf-client",
        abstract: "Update and verify the metadata of a repository of The Update Framework",
        discussion: """
            The trusted metadata is kept in the metadata directory, each file under its name without version. 'init' \
            makes a root the trusted one, 'refresh' updates the metadata of the top-level roles, and 'download' updates it \
            and downloads files, each under its percent-encoded path. A file that is there already with the right hash \
            is not downloaded again.

            The exit code is 0 on success, else 1.

            Examples:
              tuf-client --metadata-dir trusted init root.json
              tuf-client --metadata-dir trusted --metadata-url https://example.org/metadata refresh
              tuf-client --metadata-dir trusted --metadata-url https://example.org/metadata \
            --target-base-url https://example.org/targets --target-dir files --target-name a.txt download
            """)

    enum Action: String, CaseIterable, ExpressibleByArgument {
        case `init`, refresh, download
    }

    @Option(help: ArgumentHelp("Directory of the trusted metadata", valueName: "dir"), completion: .directory)
    var metadataDir: String

    @Option(help: ArgumentHelp("URL of the repository's metadata", valueName: "url"))
    var metadataURL: String?

    @Option(
        name: .customLong("target-name"),
        help: ArgumentHelp("Path of a file to download; repeatable", valueName: "path"))
    var targetNames: [String] = []

    @Option(help: ArgumentHelp("URL of the repository's files", valueName: "url"))
    var targetBaseURL: String?

    @Option(help: ArgumentHelp("Directory for downloaded files", valueName: "dir"), completion: .directory)
    var targetDir: String?

    @Argument(help: "What to do: init, refresh or download")
    var action: Action

    @Argument(help: ArgumentHelp("The trusted root, for 'init'", valueName: "root"), completion: .file())
    var root: String?

    func validate() throws {
        switch action {
        case .`init`:
            guard root != nil else { throw ValidationError("'init' requires the file of a trusted root") }
        case .refresh:
            guard metadataURL != nil else { throw ValidationError("'refresh' requires --metadata-url") }
        case .download:
            guard metadataURL != nil, targetBaseURL != nil, targetDir != nil, !targetNames.isEmpty else {
                throw ValidationError(
                    "'download' requires --metadata-url, --target-base-url, --target-dir and --target-name")
            }
        }
        guard root == nil || action == .`init` else { throw ValidationError("only 'init' takes a file") }
    }

    func run() async throws {
        switch action {
        case .`init`: try initialize(with: root ?? "")
        case .refresh, .download:
            let engine = TransferEngine()
            do {
                try await update(
                    RepositoryFetcher(engine: engine, metadata: metadataURL ?? "", targets: targetBaseURL ?? ""))
            } catch {
                await engine.shutdown()
                throw error
            }
            await engine.shutdown()
        }
    }

    private func initialize(with path: String) throws {
        let directory = MetadataDirectory(try Directory.create(metadataDir))
        try directory.initialize(root: try OpenFile.open(path).readAll(limit: TrustLimits().rootLength))
    }

    private func update(_ fetcher: RepositoryFetcher) async throws {
        let updater = MetadataUpdater(
            in: MetadataDirectory(try Directory.open(metadataDir)), fetch: { try await fetcher.metadata($0) })
        // The system's clock, which 'faketime' replaces.
        let metadata = try await updater.update(at: TimeSource.system.date())
        guard action == .download else { return }
        let files = TargetDirectory(try Directory.create(targetDir ?? ""))
        for name in targetNames {
            let target = try await updater.file(name, in: metadata)
            guard try !files.has(target) else { continue }
            let isConsistent = metadata.root.signed.hasConsistentSnapshots
            try files.store(try await fetcher.target(target, hasConsistentSnapshots: isConsistent), as: target)
        }
    }

    static func main() async {
        let console = Console(json: false, quiet: false, environment: ProcessInfo.processInfo.environment)
        do {
            let command = try parse()
            try await command.run()
        } catch let error as any CodedError {
            console.fail(ErrorReport(error))
            CurrentProcess.exit(1)
        } catch {
            guard exitCode(for: error).isSuccess else {
                console.usageError(message(for: error), help: "tuf-client --help")
                CurrentProcess.exit(1)
            }
            console.output.write(fullMessage(for: error) + "\n")
        }
    }
}
