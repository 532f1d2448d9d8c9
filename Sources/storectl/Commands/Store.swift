import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreClient
import StoreMessages
import StoreModel
import StoreSystem
import StoreTerminal

struct Store: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Manage stores",
        discussion: """
            Examples:
              storectl store add cups https://store.example/ --root root.json
              storectl store list
              storectl store trust cups
            """,
        subcommands: [StoreAdd.self, ListStores.self, StoreTrustCommand.self, Remove.self])

    struct ListStores: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List stores",
            discussion: "Examples:\n  storectl store list --json")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let stores = try await client().stores()
            if console.json {
                console.document(StoreList(stores: stores))
                return .done
            }
            if stores.isEmpty { console.noteNoStores() }
            console.show(stores)
            return .done
        }
    }

    struct Remove: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a store",
            discussion: "Packs installed from the store are not removed.\n\nExamples:\n  storectl store remove cups")

        @Argument(help: "Name of the store", completion: CompletionCandidates.stores)
        var name: String

        @OptionGroup var common: CommonOptions

        var chosenStore: String? { name }

        func run(_ console: Console) async throws -> ExitCode {
            try await client().removeStore(name)
            if console.json {
                console.document(["removed": name])
            } else {
                console.confirmation(console.messages.text("Removed store {store}.", ["store": name]))
            }
            return .done
        }
    }
}

struct Refresh: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Fetch the catalogues of the stores",
        discussion: """
            Fetches only catalogues that have changed. Other commands refresh catalogues automatically if they are older \
            than the setting catalogue.refreshAfter.

            Examples:
              storectl refresh
            """)

    @Argument(help: "Only this store", completion: CompletionCandidates.stores)
    var store: String?

    @OptionGroup var common: CommonOptions

    var chosenStore: String? { store }

    func run(_ console: Console) async throws -> ExitCode {
        let client = try client()
        let known = Set(((try? await client.stores()) ?? []).filter(\.signatureAvailable).map(\.name))
        let stores = try await client.refresh(store)
        let errors = stores.map(\.error)
        if stores.isEmpty { console.noteNoStores() }
        if console.json { console.document(RefreshDocument(stores: stores, error: summary(of: errors))) }
        for store in stores where store.error == nil && !console.json {
            console.confirmation(
                console.messages.text(
                    "{store}: {products}.",
                    ["store": store.name, "products": store.productCount(console.messages)]))
            for warning in store.signature?.warnings ?? [] {
                console.warning(
                    console.messages.text(
                        "store '{store}': {warning}",
                        ["store": store.name, "warning": console.messages.translation(of: warning)]))
            }
        }
        for store in stores where store.signatureAvailable && !known.contains(store.name) && !console.json {
            console.showSignatureHint(for: store)
        }
        console.printFailures(stores.map { ($0.name, $0.error) })
        return commonExitCode(of: errors)
    }
}

extension StoreSummary {
    /// Returns the number of products that the store offers and, if there are any, of those that it has withdrawn.
    func productCount(_ messages: Messages) -> String {
        let offered = messages.products(products - (withdrawn ?? 0))
        return withdrawn.map { number in
            messages.text(
                number, one: "{products}, {count} withdrawn", other: "{products}, {count} withdrawn",
                ["products": offered])
        } ?? offered
    }
}

/// The JSON output `{"stores":[…]}` of refreshing catalogues.
///
/// It has an `error` if any store's catalogue could not be refreshed.
private struct RefreshDocument: Encodable {
    var stores: [StoreSummary]
    var error: ErrorReport?
}

extension Console {
    /// Says that there are no stores, and how to add one; suppressed by `--quiet` and `--json`.
    func noteNoStores() {
        if json { return }
        note(messages.text("No stores."))
        if !quiet { hint(messages.text("add one with 'storectl store add NAME URL'")) }
    }

    /// Prints a table of the stores that the user added.
    func show(_ stores: [StoreSummary]) {
        guard !stores.isEmpty else { return }
        var table = Table([
            .identifier(title: messages.text("NAME")), .init(title: messages.text("URL"), flexible: true, omission: 3),
            .init(title: messages.text("PRIORITY"), right: true, omission: 1),
            .init(title: messages.text("PRODUCTS"), right: true, omission: 2),
            .init(title: messages.text("REFRESHED"), omission: 0),
            .init(title: messages.text("NOTES"), flexible: true, omission: 4),
        ])
        for store in stores {
            let signature =
                store.signatureAvailable
                ? messages.text("unsigned, but signed metadata exists") : messages.text("unsigned")
            let problems = [store.error?.message].compactMap { $0 } + (store.signature?.warnings ?? [])
            let notes = (store.unsigned ? [signature] : []) + problems.map { messages.translation(of: $0) }
            table.add(
                store.name, store.url.absoluteString, "\(store.priority)",
                "\(store.products - (store.withdrawn ?? 0))",
                store.refreshedAt.map(shortTime) ?? messages.text("never"), messages.list(notes))
        }
        self.table(table)
    }
}
