import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct Update: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Update installed packs",
        discussion: """
            Updates the named packs, or all that are not held, to the version in the store they came from. Prints \
            nothing if there is nothing to do, which suits cron; on a terminal it says so, and otherwise shows what is \
            updated, and what is kept back and why. Dependencies that are installed as well are confirmed first, unless \
            --yes is given; --dry-run only prints the plan. A pack whose directory is missing is warned of. --check only lists available updates, and exits with 11 if \
            'update' would install any, and with 0 if none or only packs that it keeps back, such as held ones, which are \
            listed with the reason; with --quiet it lists nothing. A version that requests additional permissions is only \
            installed if the pack is named; a pre-release, such as 2.0.0-beta.1, only if a pre-release is installed.

            Examples:
              storectl update
              storectl update --quiet    # for cron: prints only errors
              storectl update --check --json
              storectl update --dry-run
            """, aliases: ["upgrade"])

    @Argument(
        help: ArgumentHelp("Only these packs (ID or STORE/ID), even if they are held", valueName: "id"),
        completion: CompletionCandidates.packs)
    var ids: [String] = []

    @Flag(help: "Only check for updates")
    var check = false

    @OptionGroup var consenting: ConsentOptions

    @OptionGroup var planning: PlanOptions

    @OptionGroup var waiting: WaitingOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if check && (waiting.noWait || waiting.cancelOnInterrupt) {
            throw ValidationError(
                EnglishText.filled("--check can't be combined with --no-wait or --cancel-on-interrupt"))
        }
        if check && planning.dryRun {
            throw ValidationError(EnglishText.filled("--check can't be combined with --dry-run"))
        }
    }

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let ids = try await (check ? packNames(client) : printingResults(console) { try await packNames(client) })
        if check { return try await checkForUpdates(ids, client, console) }
        if ids.isEmpty, !console.json {
            // A cron job is often all that looks at the packs.
            for pack in try await client.packList().missing { console.warning(pack.warning) }
        }
        let decision = try await printingResults(console) {
            try await planning.decide(
                console, isShown: console.output.isTerminal, names: ids.isEmpty ? nil : ids,
                consent: consenting.permissions
            ) {
                var plan = try await client.plan(.update, ids.isEmpty ? nil : ids.map { ChangePlan.Product($0) })
                await SimilarIdentifiers.clarify(failuresOf: &plan, client)
                return plan
            }
        }
        let agreed: Set<String>?
        switch decision {
        case .proceed(let plan):
            agreed = plan?.agreement
            if let plan, ids.isEmpty, plan.steps.isEmpty {
                guard plan.failures.isEmpty else {
                    console.printFailures(plan.failures.map { ($0.productIdentifier, $0.error) })
                    return commonExitCode(of: plan.failures.map(\.error))
                }
                let hasStores = try await !client.stores().isEmpty
                if !hasStores, console.output.isTerminal { console.noteNoStores() }
                if hasStores, !console.json, console.output.isTerminal {
                    console.confirmation(
                        plan.keptBack.isEmpty
                            ? console.messages.text("All packs are up to date.")
                            : console.messages.text("All other packs are up to date."))
                }
                return console.finish([ProductInstallation]())
            }
        case .end(let exitCode): return exitCode
        }
        let monitor = InstallationMonitor(client: client, console: console, waits: waiting.waits)
        let (products, wasInterrupted) = try await printingResults(console) {
            try await consenting.retryingWithConsent(console) { again, consent in
                let named = again?.map(\.productIdentifier) ?? ids
                return try await monitor.run(names: named) {
                    try await client.update(named.isEmpty ? nil : named, consent: consent, agreed: agreed)
                        .map(ProductInstallation.init)
                }
            }
        }
        var ended = await monitor.withPacks(products)
        for (index, product) in ended.enumerated() {
            guard let error = product.error else { continue }
            ended[index].error = await SimilarIdentifiers.clarify(
                product.productIdentifier, error, oneOf: ended.count, client)
        }
        if ids.isEmpty, ended.isEmpty, console.output.isTerminal, try await client.stores().isEmpty {
            console.noteNoStores()
        }
        waiting.report(ended, as: .updated, console)
        if wasInterrupted { return await monitor.interrupted(ended, cancel: waiting.cancelOnInterrupt) }
        return console.finish(ended)
    }

    /// Returns the identifiers of the packs that the command line names.
    private func packNames(_ client: StoreClient) async throws -> [String] {
        try await ProductNames.packs(ids, client)
    }

    private func checkForUpdates(_ ids: [String], _ client: StoreClient, _ console: Console) async throws -> ExitCode {
        for id in ids { _ = try await client.pack(id) }
        var found = try await client.updates()
        if !ids.isEmpty { found.updates.removeAll { !ids.contains($0.productIdentifier) } }
        // A pack that is held, or whose new version requires consent, is updated only if it is named; one whose new version
        // has to be purchased is not updated even then.
        let due = found.updates.filter {
            $0.heldBack == nil || (!ids.isEmpty && ($0.heldBack == AvailableUpdate.held || !$0.permissions.isEmpty))
        }
        // An available update takes precedence over a store that could not be checked.
        if !due.isEmpty { found.error = nil }
        for warning in found.warnings where !console.json || found.error != nil { console.warning(warning) }
        if console.json {
            console.document(found)
        } else if !found.updates.isEmpty, !console.quiet {
            show(found.updates, console)
        }
        if let error = found.error { return error.code.exitCode }
        return due.isEmpty ? .done : .updatesAvailable
    }

    private func show(_ updates: [AvailableUpdate], _ console: Console) {
        var table = Table([
            .identifier(title: console.messages.text("ID")),
            .init(title: console.messages.text("INSTALLED"), omission: 1),
            .init(title: console.messages.text("AVAILABLE"), omission: 3),
            .identifier(title: console.messages.text("STORE"), omission: 0),
            .init(title: console.messages.text("NOTES"), flexible: true, omission: 4),
        ])
        for update in updates {
            table.add(
                update.productIdentifier, update.installed?.text ?? "-", update.available?.text ?? "-", update.store,
                update.heldBack.map { console.messages.translation(of: $0) } ?? "")
        }
        console.table(table)
    }
}

extension ProductInstallation {
    /// Creates the state of an installation from the daemon's response for one product of an update.
    fileprivate init(_ result: OperationResult) {
        self.init(result.productIdentifier)
        error = result.error
        guard error == nil else { return }
        installation =
            result.operation.map { Installation(begun: $0) } ?? Installation(present: nil, operation: nil)
    }
}

/// Runs `body` for a command whose JSON output always has the member `results`, also if `body` fails.
func printingResults<Value>(_ console: Console, _ body: () async throws -> Value) async throws -> Value {
    do {
        return try await body()
    } catch is CancellationError {
        throw CancellationError()
    } catch {
        guard console.json else { throw error }
        throw FailureWithResults(report: ErrorReport(error))
    }
}

/// An error whose JSON output has an empty `results` in addition to the `error`.
struct FailureWithResults: CodedError {
    let report: ErrorReport
    var code: ErrorCode { report.code }
    var message: String { report.message }
    var hint: String? { report.hint }
}

extension Update: OperandListCommand {
    static var operands: WritableKeyPath<Self, [String]> { \.ids }
}
