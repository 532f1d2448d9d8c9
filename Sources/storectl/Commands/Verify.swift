import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct Verify: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check installed packs for damage",
        discussion: """
            Compares the files of the named packs, or of all packs, with those that were installed, also of packs whose \
            directory is missing. Unmanaged packs can't be checked. Exits with 5 if any pack is damaged. --repair restores damaged files from the store, and \
            downloads only these files if the store supports it. Files that were added to a pack are removed: a \
            repaired pack has the files of its version and no others.

            Examples:
              storectl verify --repair
            """)

    @Argument(
        help: ArgumentHelp("Only these packs (ID or STORE/ID)", valueName: "id"), completion: CompletionCandidates.packs
    )
    var ids: [String] = []

    @Flag(help: "Repair damaged packs")
    var repair = false

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        var rows = try await printingResults(console) { try await check(client) }
        if rows.isEmpty { console.note("No packs installed.") }
        if !console.json { show(rows, console) }
        let damaged = rows.indices.filter { !rows[$0].damages.isEmpty }
        if repair, !damaged.isEmpty {
            let monitor = InstallationMonitor(client: client, console: console)
            let names = damaged.map { rows[$0].productIdentifier }
            let (repairs, wasInterrupted) = try await monitor.run(names: names) {
                try await mapConcurrently(names) { id in
                    try await ProductInstallation(id) { try await client.beginRepair(id) }
                }
            }
            if wasInterrupted { return await monitor.interrupted(repairs, cancel: false) }
            for (index, repair) in zip(damaged, repairs) {
                rows[index].apply(repair)
                if repair.result.failure == nil, !console.json { console.confirmation(rows[index].repairedLine) }
            }
        }
        let errors = Self.relevantErrors(rows)
        if console.json { console.document(ResultsDocument(results: rows, error: summary(of: errors))) }
        console.printFailures(rows.map { ($0.productIdentifier, $0.error) })
        return commonExitCode(of: errors)
    }

    /// Returns the errors that decide about the exit code: those of the damaged packs, if each pack could be checked.
    ///
    /// The check itself has not failed where it finds damage, and an intact pack needs no repair, so an intact pack
    /// beside damaged ones does not make it a partial failure.
    static func relevantErrors(_ rows: [Row]) -> [ErrorReport?] {
        if rows.contains(where: { $0.intact == nil && $0.error != nil }) { return rows.map(\.error) }
        return rows.filter { $0.intact == false }.map(\.error)
    }

    private func check(_ client: StoreClient) async throws -> [Row] {
        let isNamed = !ids.isEmpty
        let ids = try await isNamed ? ProductNames.packs(ids, client) : all(client)
        return try await mapConcurrently(ids) { id in
            do {
                return Row(try await client.verify(id))
            } catch is CancellationError {
                throw CancellationError()
            } catch let error as ErrorReport where error.code == .packByHand && !isNamed {
                return Row(unmanaged: id)
            } catch {
                return Row(id, await SimilarIdentifiers.clarify(id, ErrorReport(error), client))
            }
        }
    }

    /// Returns the identifiers of all packs that are to be checked, also of those whose directory is missing.
    private func all(_ client: StoreClient) async throws -> [String] {
        let list = try await client.packList()
        return distinct(list.packs.map(\.productIdentifier) + list.missing.map(\.productIdentifier))
    }

    private func show(_ rows: [Row], _ console: Console) {
        for row in rows {
            if row.isMissing { console.line("\(row.productIdentifier): its directory is missing") }
            for damage in row.damages where !row.isMissing {
                console.line("\(row.productIdentifier): \(damage.path): \(damage.damage.rawValue)")
            }
            if row.intact == true { console.confirmation("\(row.productIdentifier): intact.") }
            if row.isUnmanaged {
                console.confirmation("\(row.productIdentifier): unmanaged, can't be checked.")
            }
        }
    }

    /// An element of `results` in the JSON output of `verify`: one pack with its damaged files.
    struct Row: Encodable, Sendable {
        var productIdentifier: String
        @OrNull var operation: OperationID?
        @OrNull var end: OperationEnd?
        @OrNull var error: ErrorReport?
        /// Whether all files of the pack were intact before a repair; `null` if the check failed.
        @OrNull var intact: Bool?
        var damages: [PackDamage]
        /// Whether the pack is unmanaged (placed by hand), so that there is no receipt to check its files against.
        var isUnmanaged = false
        /// The number of bytes that the repair of the pack downloaded; `null` if nothing was repaired.
        @OrNull var fetched: Int?

        private enum CodingKeys: String, CodingKey {
            case productIdentifier, operation, end, error, intact, damages, fetched
            case isUnmanaged = "byHand"
        }

        init(unmanaged id: String) {
            productIdentifier = id
            operation = nil
            end = nil
            error = nil
            intact = nil
            damages = []
            isUnmanaged = true
            fetched = nil
        }

        init(_ document: VerificationDocument) {
            productIdentifier = document.productIdentifier
            operation = nil
            end = nil
            intact = document.intact
            damages = document.damages
            fetched = nil
            error = nil
            if !document.intact { error = ErrorReport(damageError) }
        }

        private var damageError: StoreError {
            if isMissing { return StoreError(.packDirectoryMissing, ["product": productIdentifier]) }
            return StoreError(.packDamaged, ["product": productIdentifier, "files": Self.text(of: damages)])
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

        /// Returns the number of files with each type of damage, such as `2 changed files and 1 added file`.
        static func text(of damages: [PackDamage]) -> String {
            let words: KeyValuePairs<PackDamage.Kind, String> = [
                .missing: "missing file", .changed: "changed file", .replaced: "replaced file",
                .unreadable: "unreadable file", .permissions: "file with wrong permissions", .added: "added file",
            ]
            let parts = words.compactMap { kind, noun -> String? in
                let count = damages.count { $0.damage == kind }
                guard count > 0 else { return nil }
                return kind == .permissions && count > 1
                    ? "\(count) files with wrong permissions" : counted(count, noun)
            }
            guard let last = parts.last, parts.count > 1 else { return parts.first ?? "damaged files" }
            return parts.dropLast().joined(separator: ", ") + " and " + last
        }

        /// Whether the whole directory of the pack is missing.
        var isMissing: Bool { damages == [PackDamage(path: ".", damage: .missing)] }

        /// The line about a repair that has ended: what was restored and removed, and the bytes that were downloaded.
        var repairedLine: String {
            let removed = damages.count { $0.damage == .added }
            let facts = [
                isMissing ? "installed again" : nil,
                !isMissing && removed < damages.count ? counted(damages.count - removed, "file") + " restored" : nil,
                removed > 0 ? counted(removed, "added file") + " removed" : nil,
                fetched.map { AmountFormat.bytes($0) + " fetched" },
            ]
            return "Repaired \(productIdentifier): \(facts.compactMap { $0 }.joined(separator: ", "))."
        }

        mutating func apply(_ repair: ProductInstallation) {
            operation = repair.result.operation
            end = repair.result.end
            error = repair.result.failure
            fetched = repair.fetched
        }
    }
}
