import ArgumentParser
import StoreAPI
import StoreClient
import StoreMessages
import StoreModel
import StoreTerminal

struct List: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List installed packs",
        discussion: """
            The columns are id, name, kind, version, size, store, installed, notes and path; all but path by default. \
            Without --columns, some are left out on a narrow terminal. Sorted by size or installed, the largest or latest \
            pack is first.

            Examples:
              storectl list --kind sticker --updatable
              storectl list --columns id,version,path --sort size
            """, aliases: ["ls"])

    @Option(help: "Only packs of this kind", completion: CompletionCandidates.kinds)
    var kind: String?

    @Flag(help: "Only packs for which an update is available")
    var updatable = false

    @Flag(help: "Only packs that were installed for others, and that nothing needs any more")
    var unneeded = false

    private static let columnNames = CompletionKind.list(PackColumn.allCases.map(\.rawValue))

    @Option(
        help: ArgumentHelp("Columns to show, separated by commas", valueName: "columns"), completion: columnNames,
        transform: PackColumn.list)
    var columns: [PackColumn]?

    @Option(
        help: ArgumentHelp("Column to sort by (default: id)", valueName: "column"), completion: columnNames,
        transform: PackColumn.column)
    var sort: PackColumn?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if columns != nil, common.json {
            throw ValidationError(
                EnglishText.filled("--columns and --json exclude each other; the JSON document has all members"))
        }
    }

    /// Returns the text that is shown in place of an empty list.
    static func emptyText(
        kind: String?, updatable: Bool, unneeded: Bool, _ messages: Messages = .of(.english)
    ) -> String {
        let values = ["kind": kind ?? ""]
        return switch (kind, unneeded, updatable) {
        case (nil, true, _): messages.text("No unneeded packs.")
        case (_?, true, _): messages.text("No unneeded packs of the kind '{kind}'.", values)
        case (nil, false, true): messages.text("No known updates.")
        case (_?, false, true): messages.text("No known updates of packs of the kind '{kind}'.", values)
        case (nil, false, false): messages.text("No packs installed.")
        case (_?, false, false): messages.text("No packs of the kind '{kind}' are installed.", values)
        }
    }

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let isWhole = kind == nil && !updatable && !unneeded
        let list =
            isWhole
            ? try await client.packList()
            : PackList(
                packs: try await client.packs(
                    kind: kind.map(ProductKind.init), updatableOnly: updatable, unneededOnly: unneeded))
        var packs = list.packs
        if let sort { packs = sort.sorted(packs) }
        if console.json {
            console.document(PackList(packs: packs, missing: list.missing))
            return .done
        }
        for pack in list.missing { console.warning(pack.warning) }
        guard !packs.isEmpty else {
            console.note(
                Self.emptyText(kind: kind, updatable: updatable, unneeded: unneeded, console.messages))
            if let kind, !console.quiet, !CompletionCandidates.kindWords.contains(kind),
                let similar = Suggestion.best(for: kind, among: CompletionCandidates.kindWords)
            {
                console.hint(Suggestion.hint(naming: similar))
            }
            // The list is made from the cached catalogues.
            if updatable, !console.quiet {
                console.hint(console.messages.text("fetch the catalogues with 'storectl refresh'"))
            }
            return .done
        }
        let shown = columns ?? PackColumn.standard
        var table = Table(shown.map { $0.column(isChosen: columns != nil, console.messages) })
        for pack in packs { table.add(shown.map { $0.text(of: pack, console.messages) }) }
        console.table(table)
        return .done
    }
}
