import ArgumentParser
import StoreAPI
import StoreClient
import StoreMessages
import StoreModel
import StoreTerminal

/// A command that holds the packs named on the command line, or releases them, and prints a line for each.
protocol HoldingCommand: StoreCommand {
    var packs: PackArguments { get }
    /// Whether the packs are held after the command.
    static var holds: Bool { get }
}

struct PackArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp("Product identifiers, or STORE/ID", valueName: "id"), completion: CompletionCandidates.packs)
    var ids: [String]
}

extension HoldingCommand {
    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let ids = try await printingResults(console) { try await ProductNames.packs(packs.ids, client) }
        let held = Set(
            try await printingResults(console) { try await client.packs() }.filter(\.held).map(\.productIdentifier))
        let results = try await results(of: ids, client) { id in
            _ = try await client.setHeld(id, Self.holds)
            return OperationResult(productIdentifier: id)
        }
        for result in results where result.failure == nil && !console.json {
            let id = result.productIdentifier
            console.confirmation(Self.confirmation(id, wasHeld: held.contains(id), console.messages))
        }
        return console.finish(results)
    }

    /// Returns the line to print for a pack that is held or released.
    static func confirmation(_ id: String, wasHeld: Bool, _ messages: Messages) -> String {
        switch (holds, wasHeld) {
        case (true, false): messages.text("Held {product}.", ["product": id])
        case (true, true): messages.text("{product} was held already.", ["product": id])
        case (false, true): messages.text("Released {product}.", ["product": id])
        case (false, false): messages.text("{product} was not held.", ["product": id])
        }
    }
}

struct Uninstall: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninstall", abstract: "Uninstall packs",
        discussion: """
            Also removes the previous version. A pack that another pack requires, or that is in use, is not removed; of \
            several packs, those that require others are removed first. To remove the skin in use, name another skin \
            with --use. Packs that were installed for a removed one stay until 'storectl autoremove'. On a terminal, \
            the plan is shown first; --dry-run only prints it.

            Examples:
              storectl uninstall org.example.cups
              storectl uninstall org.example.cups --dry-run
            """, aliases: ["remove"])

    @OptionGroup var packs: PackArguments
    @Option(
        help: ArgumentHelp("Skin to use instead of a removed one", valueName: "skin"),
        completion: CompletionCandidates.skins)
    var use: String?

    @Flag(help: "Print what would be changed, and change nothing")
    var dryRun = false

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let ids = try await printingResults(console) { try await ProductNames.packs(packs.ids, client) }
        let use: String? = try await printingResults(console) { [use] in
            guard let use else { return nil }
            return try await ProductNames.packs([use], client)[0]
        }
        let decision = try await printingResults(console) {
            try await PlanOptions(dryRun: dryRun).decide(console, isShown: console.errors.isTerminal, names: ids) {
                var plan = try await client.plan(.uninstall, ids.map { ChangePlan.Product($0) }, using: use)
                await SimilarIdentifiers.clarify(failuresOf: &plan, client)
                return plan
            }
        }
        let plan: ChangePlan?
        switch decision {
        case .proceed(let shown): plan = shown
        case .end(let exitCode): return exitCode
        }
        // What is not installed has no dependencies, and fails when it is removed.
        var known: [InstalledPack] = []
        if ids.count > 1 {
            known = try await mapConcurrently(ids) { try? await client.pack($0) }.compactMap { $0 }
        }
        return try await PackRemoval(ids, among: known).run(client, console, plan: plan, using: use)
    }
}

struct Autoremove: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "autoremove", abstract: "Uninstall packs that nothing needs any more",
        discussion: """
            Removes packs that were installed only because other packs required them, and that no pack requires any \
            more. A pack that was installed by name, is held or is in use is not removed. 'storectl list --unneeded' \
            lists the packs without removing them. On a terminal, the removal is confirmed first, unless --yes is given; \
            --dry-run only prints what would be removed.

            Examples:
              storectl autoremove
              storectl autoremove --dry-run
            """)

    @OptionGroup var planning: PlanOptions

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let unneeded = try await client.packs(unneededOnly: true)
        let ids = unneeded.map(\.productIdentifier)
        if unneeded.isEmpty, !console.json { console.note(console.messages.text("No unneeded packs.")) }
        var plan: ChangePlan?
        if !unneeded.isEmpty || (planning.dryRun && console.json) {
            let decision = try await printingResults(console) {
                try await planning.decide(console, isShown: console.errors.isTerminal, names: ids, asksAlways: true) {
                    try await client.plan(.uninstall, ids.map { ChangePlan.Product($0) })
                }
            }
            switch decision {
            case .proceed(let shown): plan = shown
            case .end(let exitCode): return exitCode
            }
        }
        return try await PackRemoval(ids, among: unneeded).run(client, console, plan: plan)
    }
}

struct Hold: HoldingCommand {
    static let configuration = CommandConfiguration(
        commandName: "hold", abstract: "Exclude packs from updates",
        discussion:
            "'update' skips held packs unless it names them.\n\nExamples:\n  storectl hold org.example.cups")
    static let holds = true

    @OptionGroup var packs: PackArguments
    @OptionGroup var common: CommonOptions
}

struct Unhold: HoldingCommand {
    static let configuration = CommandConfiguration(
        commandName: "unhold", abstract: "Include packs in updates again",
        discussion: "Examples:\n  storectl unhold org.example.cups")
    static let holds = false

    @OptionGroup var packs: PackArguments
    @OptionGroup var common: CommonOptions
}

struct Rollback: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Restore a pack's previous version and hold it",
        discussion: "Examples:\n  storectl rollback org.example.cups\n  storectl unhold org.example.cups")

    @Argument(
        help: ArgumentHelp("Product identifier, or STORE/ID", valueName: "id"), completion: CompletionCandidates.packs)
    var id: String

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let id = try await ProductNames.packs([id], client)[0]
        let record: OperationRecord
        do {
            record = try await client.rollback(id)
        } catch let error as ErrorReport {
            throw await SimilarIdentifiers.clarify(id, error, client)
        }
        if let error = record.error { throw error }
        if console.json {
            console.document(record)
        } else {
            let messages = console.messages
            console.confirmation(
                record.version.map { version in
                    messages.text(
                        "Restored {product} to version {version} and held it.",
                        ["product": id, "version": version.text])
                } ?? messages.text("Restored {product} to its previous version and held it.", ["product": id]))
            if !console.quiet {
                console.hint(
                    messages.text("include it in updates again with 'storectl unhold {product}'", ["product": id]))
            }
        }
        await warnOfMissingDependencies(of: id, client, console)
        return .done
    }

    /// Warns of packs that the restored version needs, and that were removed while a version was installed that does not.
    private func warnOfMissingDependencies(of id: String, _ client: StoreClient, _ console: Console) async {
        guard let packs = try? await client.packs() else { return }
        let installed = Set(packs.map(\.productIdentifier))
        let needed = packs.first { $0.productIdentifier == id }?.dependencies ?? []
        for dependency in needed where !installed.contains(dependency) {
            console.warning(
                console.messages.text(
                    "'{product}' needs '{dependency}', which is not installed; run 'storectl install {dependency}'",
                    ["product": id, "dependency": dependency]))
        }
    }
}

struct Cancel: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel downloads",
        discussion: "Examples:\n  storectl cancel org.example.cups\n  storectl cancel --all")

    @OptionGroup var chosen: DownloadArguments
    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let ids = try await printingResults(console) { try await chosen.products(client) { _ in true } }
        if ids.isEmpty, !console.json { console.note(console.messages.text("No downloads to cancel.")) }
        let results = try await results(of: ids, client) { [all = chosen.all] id in
            var follower = try await client.follower(product: id)
            var last: DownloadStatus
            do {
                last = try await client.cancelDownload(id)
            } catch let error as ErrorReport where all && [.downloadMissing, .downloadEnded].contains(error.code) {
                // The download ended between the listing and the request.
                return OperationResult(productIdentifier: id, end: .finished)
            }
            follower.follow(last)
            while let status = try await follower.next() { last = status }
            return OperationResult(
                productIdentifier: id, operation: last.operation, end: last.end, error: last.error)
        }
        if console.json {
            console.document(ResultsDocument(results: results, error: summary(of: results.map(\.error))))
        }
        for result in results where result.error == nil && !console.json {
            let id = result.productIdentifier
            console.confirmation(
                result.end == .cancelled
                    ? console.messages.text("Cancelled {product}.", ["product": id])
                    : console.messages.text("{product} had already ended.", ["product": id]))
        }
        console.printFailures(results.map { ($0.productIdentifier, $0.error) })
        return commonExitCode(of: results.map(\.error))
    }
}

extension StoreCommand {
    /// Calls `body` for each product identifier in parallel; an error becomes the result for that identifier.
    ///
    /// The error for an identifier that is not installed names a similar one.
    func results(
        of ids: [String], _ client: StoreClient, _ body: @escaping @Sendable (String) async throws -> OperationResult
    ) async throws -> [OperationResult] {
        try await mapConcurrently(ids) { id in
            do {
                return try await body(id)
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                let report = await SimilarIdentifiers.clarify(id, ErrorReport(error), oneOf: ids.count, client)
                return OperationResult(productIdentifier: id, error: report)
            }
        }
    }
}

extension Uninstall: OperandListCommand {
    static var operands: WritableKeyPath<Self, [String]> { \.packs.ids }
}
