import ArgumentParser
import StoreAPI
import StoreClient
import StoreMessages
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
        if rows.isEmpty { console.note(console.messages.text("No packs installed.")) }
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
                if repair.result.failure == nil, !console.json {
                    console.confirmation(rows[index].repairedLine(console.messages))
                }
            }
        }
        let errors = Self.relevantErrors(rows)
        if console.json { console.document(ResultsDocument(results: rows, error: summary(of: errors))) }
        console.printFailures(rows.map { ($0.productIdentifier, $0.shownError(console.messages)) })
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
                return Row(id, await SimilarIdentifiers.clarify(id, ErrorReport(error), oneOf: ids.count, client))
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
            let (messages, product) = (console.messages, ["product": row.productIdentifier])
            if row.isMissing { console.line(messages.text("{product}: its directory is missing", product)) }
            for damage in row.damages where !row.isMissing {
                console.line("\(row.productIdentifier): \(damage.path): \(messages.word(for: damage.damage))")
            }
            if row.intact == true { console.confirmation(messages.text("{product}: intact.", product)) }
            if row.isUnmanaged {
                console.confirmation(messages.text("{product}: unmanaged, can't be checked.", product))
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
            if !document.intact { error = ErrorReport(damageError(.of(.english))) }
        }

        private func damageError(_ messages: Messages) -> StoreError {
            if isMissing { return StoreError(.packDirectoryMissing, ["product": productIdentifier]) }
            return StoreError(.packDamaged, ["product": productIdentifier, "files": Self.text(of: damages, messages)])
        }

        /// Returns the error as it is shown: the number of files with each type of damage is in the user's language.
        func shownError(_ messages: Messages) -> ErrorReport? {
            guard let error, error.code == .packDamaged, !isMissing, !damages.isEmpty else { return error }
            return ErrorReport(damageError(messages), formatter: messages.errorFormatter)
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
        static func text(of damages: [PackDamage], _ messages: Messages = .of(.english)) -> String {
            let kinds: [PackDamage.Kind] = [.missing, .changed, .replaced, .unreadable, .permissions, .added]
            let parts = kinds.compactMap { kind -> String? in
                let count = damages.count { $0.damage == kind }
                return count == 0 ? nil : messages.files(count, damagedBy: kind)
            }
            guard let last = parts.last, parts.count > 1 else {
                return parts.first ?? messages.text("damaged files")
            }
            return messages.text(
                "{parts} and {last}", ["parts": messages.list(parts.dropLast()), "last": last])
        }

        /// Whether the whole directory of the pack is missing.
        var isMissing: Bool { damages == [.missingDirectory] }

        /// The line about a repair that has ended: what was restored and removed, and the bytes that were downloaded.
        func repairedLine(_ messages: Messages) -> String {
            let removed = damages.count { $0.damage == .added }
            let restored = damages.count - removed
            let facts = [
                isMissing ? messages.text("installed again") : nil,
                !isMissing && restored > 0
                    ? messages.text(restored, one: "{count} file restored", other: "{count} files restored") : nil,
                removed > 0
                    ? messages.text(removed, one: "{count} added file removed", other: "{count} added files removed")
                    : nil,
                fetched.map { messages.text("{size} fetched", ["size": AmountFormat.bytes($0, messages)]) },
            ].compactMap { $0 }
            return messages.text(
                "Repaired {product}: {facts}.",
                ["product": productIdentifier, "facts": messages.list(facts)])
        }

        mutating func apply(_ repair: ProductInstallation) {
            operation = repair.result.operation
            end = repair.result.end
            error = repair.result.failure
            fetched = repair.fetched
        }
    }
}

extension Verify: OperandListCommand {
    static var operands: WritableKeyPath<Self, [String]> { \.ids }
}
