import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

/// The removal of several packs, in an order in which none is removed while another one of them needs it.
struct PackRemoval: Sendable {
    private let identifiers: [String]
    /// The packs in groups that are removed one after another; the packs of a group don't need each other.
    let groups: [[String]]

    /// Orders packs for their removal: those that need others come first.
    ///
    /// - Parameter packs: the descriptions of the packs; one that is not among them is taken to need nothing.
    init(_ identifiers: [String], among packs: [InstalledPack]) {
        self.identifiers = identifiers
        let dependencies = Dictionary(packs.map { ($0.productIdentifier, Set($0.dependencies)) }) { $0.union($1) }
        var groups: [[String]] = []
        var remaining = identifiers
        while !remaining.isEmpty {
            let needed = Set(remaining.flatMap { pack in (dependencies[pack] ?? []).subtracting([pack]) })
            let free = remaining.filter { !needed.contains($0) }
            // Of packs that need each other, any may be the first.
            let group = free.isEmpty ? [remaining[0]] : free
            groups.append(group)
            remaining.removeAll(where: Set(group).contains)
        }
        self.groups = groups
    }

    /// Removes the packs, prints what was done, and returns the exit code.
    ///
    /// - Parameters:
    ///   - plan: the plan that the user saw: nothing else is removed. `nil` if there was none.
    ///   - successor: the skin to use instead of a removed one.
    func run(
        _ client: StoreClient, _ console: Console, plan: ChangePlan?, using successor: String? = nil
    ) async throws -> ExitCode {
        var rows: [String: Row] = [:]
        for group in groups {
            let done = try await mapConcurrently(group) { [count = identifiers.count] pack in
                try await Self.remove(pack, oneOf: count, client, plan, using: successor)
            }
            for row in done { rows[row.result.productIdentifier] = row }
        }
        let removed = Set(rows.values.filter { $0.result.failure == nil }.map(\.result.productIdentifier))
        // A dependency may itself have been named, and removed later.
        for identifier in rows.keys { rows[identifier]?.unneeded.removeAll(where: removed.contains) }
        if !console.json { report(rows, console) }
        let ordered = identifiers.compactMap { rows[$0] }
        return console.finish(ordered.map(\.result), rows: ordered)
    }

    private func report(_ rows: [String: Row], _ console: Console) {
        for identifier in identifiers where rows[identifier]?.result.failure == nil {
            console.confirmation(console.messages.text("Removed {product}.", ["product": identifier]))
        }
        let unneeded = Set(rows.values.flatMap(\.unneeded)).sorted()
        guard !unneeded.isEmpty else { return }
        let names = console.messages.names(unneeded.map { "'\($0)'" })
        console.hint(
            console.messages.text(
                unneeded.count, one: "nothing needs {products} any more; remove it with 'storectl autoremove'",
                other: "nothing needs {products} any more; remove them with 'storectl autoremove'",
                ["products": names]))
    }

    private static func remove(
        _ identifier: String, oneOf count: Int, _ client: StoreClient, _ plan: ChangePlan?, using successor: String?
    ) async throws -> Row {
        do {
            if let failure = plan?.failures.first(where: { $0.productIdentifier == identifier }) { throw failure.error }
            let step = plan?.steps.first { $0.productIdentifier == identifier }
            let done = try await client.uninstall(identifier, using: successor, agreed: step?.id)
            return Row(result: OperationResult(done.record), unneeded: done.unneeded)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            let report = await SimilarIdentifiers.clarify(identifier, ErrorReport(error), oneOf: count, client)
            return Row(result: OperationResult(productIdentifier: identifier, error: report))
        }
    }

    /// An element of `results` in the JSON output of removing packs.
    ///
    /// It has the result for one pack, and the pack's dependencies that nothing needs any more.
    private struct Row: Encodable, Sendable {
        let result: OperationResult
        var unneeded: [String] = []
        private enum Key: String, CodingKey { case unneeded }

        func encode(to encoder: any Encoder) throws {
            try result.encode(to: encoder)
            var values = encoder.container(keyedBy: Key.self)
            try values.encode(unneeded, forKey: .unneeded)
        }
    }
}
