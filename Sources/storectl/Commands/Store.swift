import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreClient
import StoreModel
import StoreSystem
import StoreTerminal

struct Store: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Manage stores",
        discussion: """
            Examples:
              storectl store add cups https://store.example/ --unsigned
              storectl store list
            """,
        subcommands: [Add.self, ListStores.self, Remove.self])

    struct Add: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Add a store",
            discussion: """
                Fetches the catalogue immediately; a store whose catalogue can't be read is not added. URL is the \
                directory of catalogue.json, or the document itself; https://, http://, or file:// for a directory of this \
                machine. A token, or the user and password from ~/.netrc, is \
                only sent to the scheme, host and port of URL; the token is stored readable by the user alone. Adding a \
                store again changes its priority and credentials, if they are given.

                Examples:
                  storectl store add cups https://store.example/ --unsigned --priority 10
                  storectl store add local file:///srv/store/public/ --unsigned
                  storectl store add mugs https://store.example/mugs/ --unsigned --token-file token.txt
                """)

        @Argument(help: "Name of the store")
        var name: String

        @Argument(help: "URL of the store")
        var url: String

        @Flag(help: "Accept a store that is not signed")
        var unsigned = false

        @Option(
            parsing: .unconditional,
            help: ArgumentHelp(
                "If several stores offer a product, the highest priority is used (default: 0, or unchanged)",
                valueName: "n"))
        var priority: Int?

        @Option(
            help: ArgumentHelp("File that contains the store's access token", valueName: "file"),
            completion: .file())
        var tokenFile: String?

        @Flag(help: "Use the user and password from ~/.netrc")
        var netrc = false

        static let createsHome = true

        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard Self.isAddress(url) else {
                if Self.isAddress(name) {
                    throw ValidationError(
                        "the name comes before the URL; did you mean 'storectl store add \(url) \(name)'?")
                }
                throw ValidationError("invalid URL '\(url)': expected https://…, http://… or file:///…")
            }
            if tokenFile != nil, netrc { throw ValidationError("--token-file and --netrc exclude each other") }
        }

        private static func isAddress(_ text: String) -> Bool {
            ["http", "https", "file"].contains(URL(string: text)?.scheme?.lowercased())
        }

        /// Returns the form of a store's URL that is the same for its directory and for its catalogue.
        static func comparable(_ url: URL) -> String {
            var text = url.absoluteString[...]
            if text.hasSuffix("/catalogue.json") { text = text.dropLast("catalogue.json".count) }
            while text.hasSuffix("/") { text = text.dropLast() }
            return String(text)
        }

        private func token() throws -> String? {
            guard let tokenFile else { return nil }
            let text = String(decoding: try OpenFile.open(tokenFile).readAll(limit: 64 << 10), as: UTF8.self)
            return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }

        func run(_ console: Console) async throws -> ExitCode {
            guard let address = URL(string: url) else { return .usage }
            let client = try client()
            let store = try await client.addStore(
                name: name, url: address, unsigned: unsigned, priority: priority, token: try token(),
                netrc: netrc ? true : nil)
            let others = ((try? await client.stores()) ?? []).filter {
                $0.name != store.name && Self.comparable($0.url) == Self.comparable(store.url)
            }
            if let other = others.first {
                console.warning(
                    "the store '\(other.name)' has the same URL; remove one with 'storectl store remove NAME'")
            }
            if console.json {
                console.document(store)
            } else {
                console.confirmation("Added store \(store.name) (\(store.productCount)).")
            }
            return .done
        }
    }

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
            if stores.isEmpty {
                console.note("No stores.")
                if !console.quiet { console.hint("add one with 'storectl store add NAME URL'") }
            }
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
                console.confirmation("Removed store \(name).")
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
        let stores = try await client().refresh(store)
        let errors = stores.map(\.error)
        if console.json { console.document(RefreshDocument(stores: stores, error: summary(of: errors))) }
        for store in stores where store.error == nil && !console.json {
            console.confirmation("\(store.name): \(store.productCount).")
        }
        console.printFailures(stores.map { ($0.name, $0.error) })
        return commonExitCode(of: errors)
    }
}

extension StoreSummary {
    /// The number of products that the store offers and, if there are any, of those that it has withdrawn.
    fileprivate var productCount: String {
        let offered = counted(products - (withdrawn ?? 0), "product")
        return withdrawn.map { "\(offered), \($0) withdrawn" } ?? offered
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
    /// Prints a table of the stores that the user added.
    func show(_ stores: [StoreSummary]) {
        guard !stores.isEmpty else { return }
        var table = Table([
            .identifier(title: "NAME"), .init(title: "URL", flexible: true, omission: 3),
            .init(title: "PRIORITY", right: true, omission: 1), .init(title: "PRODUCTS", right: true, omission: 2),
            .init(title: "REFRESHED", omission: 0), .init(title: "NOTES", flexible: true, omission: 4),
        ])
        for store in stores {
            let notes = [store.unsigned ? "unsigned" : nil, store.error?.message].compactMap { $0 }
            table.add(
                store.name, store.url.absoluteString, "\(store.priority)",
                "\(store.products - (store.withdrawn ?? 0))",
                store.refreshedAt.map(shortTime) ?? "never", notes.joined(separator: ", "))
        }
        self.table(table)
    }
}
