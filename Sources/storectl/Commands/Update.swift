import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct Update: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Brings installed packs to the version of the store that they came from.",
        discussion: """
            Without an ID, all that are not held. Made for cron: says nothing where there is nothing to do. --check \
            only looks, lists what could be updated, and exits with 11 where there is something. A new version that \
            asks for more than was consented to waits until it is named.

            For example:
              storectl update
              storectl update --check --json
            """)

    @Argument(help: ArgumentHelp("Only these packs, also where they are held.", valueName: "id"))
    var ids: [String] = []

    @Flag(help: "Only look.")
    var check = false

    @OptionGroup var consenting: ConsentOptions

    @OptionGroup var waiting: WaitingOptions

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if check && (waiting.noWait || waiting.cancelOnInterrupt) {
            throw ValidationError("--check only looks: there is nothing to wait for or to cancel.")
        }
    }

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let ids = distinct(ids)
        if check { return try await look(ids, client, console) }
        let monitor = InstallationMonitor(client: client, console: console, waits: waiting.waits)
        let (products, wasInterrupted) = try await runTellingResults(console) {
            try await consenting.asking(console) { places, consent in
                guard let places else {
                    let given = consenting.permissions
                    return try await monitor.run(names: ids) {
                        try await client.update(ids.isEmpty ? nil : ids, consent: given).map(ProductInstallation.init)
                    }
                }
                // Only those that were named ask for consent, and each gets what was allowed to it alone.
                let wanted = places.map { (id: ids[$0], consent: consent($0)) }
                return try await monitor.run(names: wanted.map(\.id)) {
                    try await sideBySide(wanted) { wanted in
                        try await client.update([wanted.id], consent: wanted.consent).map(ProductInstallation.init)
                    }.flatMap { $0 }
                }
            }
        }
        if wasInterrupted { return await monitor.interrupted(products, cancel: waiting.cancelOnInterrupt) }
        await waiting.report(products, done: "Updated", client, console)
        return console.finish(products.map(\.result))
    }

    private func look(_ ids: [String], _ client: StoreClient, _ console: Console) async throws -> ExitCode {
        for id in ids { _ = try await client.pack(id) }
        var found = try await client.updates()
        if !ids.isEmpty { found.updates.removeAll { !ids.contains($0.productIdentifier) } }
        // Named, a pack that is held, or whose new version needs consent, is updated too.
        let due = found.updates.filter {
            $0.heldBack == nil || (!ids.isEmpty && ($0.heldBack == "held" || !$0.permissions.isEmpty))
        }
        // What there is counts for more than that there could be more.
        if !due.isEmpty { found.error = nil }
        for warning in found.warnings where !console.json || found.error != nil { console.warn(warning) }
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
    /// The answer for one product of an update.
    fileprivate init(_ result: OperationResult) {
        self.init(result.productIdentifier)
        error = result.error
        guard error == nil else { return }
        installation =
            result.operation.map { Installation(begun: $0) } ?? Installation(present: nil, operation: nil)
    }
}

/// A command that may name several prints its `results` in every case, also where it fails before it knows any.
func runTellingResults<Value>(_ console: Console, _ body: () async throws -> Value) async throws -> Value {
    do {
        return try await body()
    } catch is CancellationError {
        throw CancellationError()
    } catch {
        guard console.json else { throw error }
        throw FailureWithResults(report: ErrorReport(error))
    }
}

/// A failure of which the document has `results` too.
struct FailureWithResults: CodedError {
    let report: ErrorReport
    var code: ErrorCode { report.code }
    var message: String { report.message }
}
