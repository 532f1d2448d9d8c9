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
            nothing if there is nothing to do, which suits cron. --check only lists available updates, and exits with 11 \
            if there are any. A version that requests additional permissions is only installed if the pack is named.

            Examples:
              storectl update
              storectl update --check --json
            """)

    @Argument(help: ArgumentHelp("Only these packs, even if they are held", valueName: "id"))
    var ids: [String] = []

    @Flag(help: "Only check for updates")
    var check = false

    @OptionGroup var consenting: ConsentOptions

    @OptionGroup var waiting: WaitingOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if check && (waiting.noWait || waiting.cancelOnInterrupt) {
            throw ValidationError("--check can't be combined with --no-wait or --cancel-on-interrupt")
        }
    }

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let ids = distinct(ids)
        if check { return try await checkForUpdates(ids, client, console) }
        let monitor = InstallationMonitor(client: client, console: console, waits: waiting.waits)
        let (products, wasInterrupted) = try await printingResults(console) {
            try await consenting.retryingWithConsent(console) { indices, consent in
                guard let indices else {
                    let given = consenting.permissions
                    return try await monitor.run(names: ids) {
                        try await client.update(ids.isEmpty ? nil : ids, consent: given).map(ProductInstallation.init)
                    }
                }
                // The user is asked for consent only if packs are named; each pack gets only the permissions granted to
                // it.
                let wanted = indices.map { (id: ids[$0], consent: consent($0)) }
                return try await monitor.run(names: wanted.map(\.id)) {
                    try await mapConcurrently(wanted) { wanted in
                        try await client.update([wanted.id], consent: wanted.consent).map(ProductInstallation.init)
                    }.flatMap { $0 }
                }
            }
        }
        if wasInterrupted { return await monitor.interrupted(products, cancel: waiting.cancelOnInterrupt) }
        await waiting.report(products, verb: "Updated", client, console)
        return console.finish(products.map(\.result))
    }

    private func checkForUpdates(_ ids: [String], _ client: StoreClient, _ console: Console) async throws -> ExitCode {
        for id in ids { _ = try await client.pack(id) }
        var found = try await client.updates()
        if !ids.isEmpty { found.updates.removeAll { !ids.contains($0.productIdentifier) } }
        // A pack that is held, or whose new version requires consent, is updated only if it is named.
        let due = found.updates.filter {
            $0.heldBack == nil || (!ids.isEmpty && ($0.heldBack == "held" || !$0.permissions.isEmpty))
        }
        // An available update takes precedence over a store that could not be checked.
        if !due.isEmpty { found.error = nil }
        for warning in found.warnings where !console.json || found.error != nil { console.warning(warning) }
        if console.json {
            console.document(found)
        } else if !found.updates.isEmpty {
            show(found.updates, console)
        }
        if let error = found.error { return error.code.exitCode }
        return due.isEmpty ? .done : .updatesAvailable
    }

    private func show(_ updates: [AvailableUpdate], _ console: Console) {
        var table = Table([
            .init(title: "ID", flexible: true), .init(title: "INSTALLED"), .init(title: "AVAILABLE"),
            .init(title: "STORE", flexible: true), .init(title: "NOTES"),
        ])
        for update in updates {
            table.add(
                update.productIdentifier, update.installed?.text ?? "-", update.available?.text ?? "-", update.store,
                update.heldBack ?? "")
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
