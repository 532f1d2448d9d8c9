import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct Verify: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Checks installed files against what was installed.",
        discussion: """
            Without an ID, all packs; those that somebody put there by hand are named and left alone. Exits with 5 where \
            something is damaged; --repair puts it right from the store, and fetches only what is damaged where the \
            store can send that.

            For example:
              storectl verify --repair
            """)

    @Argument(help: ArgumentHelp("Only these packs.", valueName: "id"))
    var ids: [String] = []

    @Flag(help: "Put right what is damaged.")
    var repair = false

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        var rows = try await runTellingResults(console) { try await check(client) }
        if !console.json { show(rows, console) }
        let damaged = rows.indices.filter { !rows[$0].damages.isEmpty }
        if repair, !damaged.isEmpty {
            let monitor = InstallationMonitor(client: client, console: console)
            let names = damaged.map { rows[$0].productIdentifier }
            let (repairs, wasInterrupted) = try await monitor.run(names: names) {
                try await sideBySide(names) { id in
                    try await ProductInstallation(id) { try await client.beginRepair(id) }
                }
            }
            if wasInterrupted { return await monitor.interrupted(repairs, cancel: false) }
            for (index, repair) in zip(damaged, repairs) {
                rows[index].apply(repair)
                if repair.result.failure == nil, !console.json {
                    let fetched = repair.fetched.map { ": \(Amounts.bytes($0)) fetched" } ?? ""
                    console.confirmation("Repaired \(rows[index].productIdentifier)\(fetched).")
                }
            }
        }
        let errors = rows.map(\.error)
        if console.json { console.document(ResultsDocument(results: rows, error: summary(of: errors))) }
        console.complain(about: rows.map { ($0.productIdentifier, $0.error) })
        return commonExitCode(of: errors)
    }

    private func check(_ client: StoreClient) async throws -> [Row] {
        let isNamed = !ids.isEmpty
        let ids = isNamed ? distinct(ids) : distinct(try await client.packs().map(\.productIdentifier))
        return try await sideBySide(ids) { id in
            do {
                return Row(try await client.verify(id))
            } catch is CancellationError {
                throw CancellationError()
            } catch let error as ErrorReport where error.code.word == "conflict.by-hand" && !isNamed {
                return Row(byHand: id)
            } catch {
                return Row(id, ErrorReport(error))
            }
        }
    }

    private func show(_ rows: [Row], _ console: Console) {
        for row in rows {
            for damage in row.damages {
                console.line("\(row.productIdentifier): \(damage.path): \(damage.damage.rawValue)")
            }
            if row.intact == true { console.confirmation("\(row.productIdentifier): intact.") }
            if row.byHand {
                console.confirmation("\(row.productIdentifier): put there by hand, nothing to check it against.")
            }
        }
    }

    /// A row of `results`, with what is damaged.
    struct Row: Encodable, Sendable {
        var productIdentifier: String
        @OrNull var operation: OperationID?
        @OrNull var end: OperationEnd?
        @OrNull var error: ErrorReport?
        /// As it was found; `null` where it could not be told.
        @OrNull var intact: Bool?
        var damages: [PackDamage]
        /// Whether somebody put it there, so that there is no receipt to check it against.
        var byHand = false
        /// Bytes that a repair brought over the network.
        @OrNull var fetched: Int?

        init(byHand id: String) {
            productIdentifier = id
            operation = nil
            end = nil
            error = nil
            intact = nil
            damages = []
            byHand = true
            fetched = nil
        }

        init(_ document: VerificationDocument) {
            productIdentifier = document.productIdentifier
            operation = nil
            end = nil
            intact = document.intact
            damages = document.damages
            fetched = nil
            error =
                document.intact
                ? nil
                : ErrorReport(
                    code: .packDamaged,
                    message:
                        "'\(document.productIdentifier)' is damaged: \(counted(document.damages.count, "file")) not as "
                        + "installed. Put it right with 'storectl verify --repair \(document.productIdentifier)'.")
        }

        init(_ id: String, _ report: ErrorReport) {
            productIdentifier = id
            operation = nil
            end = nil
            error = report
            intact = nil
            damages = []
            fetched = nil
        }

        mutating func apply(_ repair: ProductInstallation) {
            operation = repair.result.operation
            end = repair.result.end
            error = repair.result.failure
            fetched = repair.fetched
        }
    }
}

extension ErrorCode {
    /// Files of a pack are not as they were installed.
    static let packDamaged = ErrorCode("pack.damaged", .refused)
}
