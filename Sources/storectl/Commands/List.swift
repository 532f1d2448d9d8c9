import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct List: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List installed packs",
        discussion: "Examples:\n  storectl list --kind sticker --updatable")

    @Option(help: "Only packs of this kind")
    var kind: String?

    @Flag(help: "Only packs for which an update is available")
    var updatable = false

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let packs = try await client().packs(kind: kind.map(ProductKind.init), updatableOnly: updatable)
        if console.json {
            console.document(PackList(packs: packs))
            return .done
        }
        guard !packs.isEmpty else {
            console.note(updatable ? "All packs are up to date." : "No packs installed.")
            return .done
        }
        var table = Table([
            .init(title: "ID", flexible: true), .init(title: "NAME", flexible: true), .init(title: "KIND"),
            .init(title: "VERSION", flexible: true), .init(title: "SIZE", right: true),
            .init(title: "STORE", flexible: true), .init(title: "INSTALLED"), .init(title: "NOTES"),
        ])
        for pack in packs {
            let states = pack.state.filter { ![.downloaded, .free, .purchased].contains($0) }.map(\.rawValue)
            table.add(
                pack.productIdentifier, pack.name, pack.kind.rawValue, pack.version?.text ?? "-",
                AmountFormat.bytes(pack.size), pack.store ?? "-", shortTime(pack.installedAt),
                (states + (pack.held ? ["held"] : [])).joined(separator: ", "))
        }
        console.table(table)
        return .done
    }
}
