import ArgumentParser
import FoundationEssentials
import StoreAPI
import StoreClient
import StoreModel
import StoreSystem
import StoreTerminal

struct Store: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Says which stores are used.",
        discussion: """
            For example:
              storectl store add cups https://store.example/ --unsigned
              storectl store list
            """,
        subcommands: [Add.self, ListStores.self, Remove.self])

    struct Add: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Uses a store from now on.",
            discussion: """
                The catalogue is fetched at once; what can't be read is not added. URL is the folder that \
                catalogue.json lies in, or the document itself. A token, or the user and password of .netrc, is sent \
                to this scheme, host and port only; the token is kept where only you can read it.

                For example:
                  storectl store add cups https://store.example/ --unsigned --priority 10
                  storectl store add mugs https://store.example/mugs/ --unsigned --token-file token.txt
                """)

        @Argument(help: "What to call it here.")
        var name: String

        @Argument(help: "Where it is.")
        var url: String

        @Flag(help: "Take it although it is not signed.")
        var unsigned = false

        @Option(help: ArgumentHelp("Where several stores have a product, the greatest wins.", valueName: "n"))
        var priority = 0

        @Option(
            help: ArgumentHelp("A file with the token that the store asks for.", valueName: "file"),
            completion: .file())
        var tokenFile: String?

        @Flag(help: "Take user and password for the store from ~/.netrc.")
        var netrc = false

        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard let address = URL(string: url), ["http", "https", "file"].contains(address.scheme?.lowercased())
            else {
                throw ValidationError("'\(url)' is not an address; it should begin with https:// or http://.")
            }
            if tokenFile != nil, netrc { throw ValidationError("It is either --token-file or --netrc.") }
        }

        private func token() throws -> String? {
            guard let tokenFile else { return nil }
            let text = String(decoding: try OpenFile.open(tokenFile).readAll(limit: 64 << 10), as: UTF8.self)
            return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }

        func run(_ console: Console) async throws -> ExitCode {
            guard let address = URL(string: url) else { return .usage }
            let store = try await client().addStore(
                name: name, url: address, unsigned: unsigned, priority: priority, token: try token(), netrc: netrc)
            if console.json {
                console.document(store)
            } else {
                console.confirmation("Added store \(store.name), which has \(counted(store.products, "product")).")
            }
            return .done
        }
    }

    struct ListStores: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the stores that are used.",
            discussion: "For example:\n  storectl store list --json")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let stores = try await client().stores()
            if console.json {
                console.document(StoreList(stores: stores))
                return .done
            }
            if stores.isEmpty { console.remark("No store is used. Add one: storectl store add NAME URL") }
            console.show(stores)
            return .done
        }
    }

    struct Remove: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Uses a store no longer.",
            discussion: "What was installed from it stays.\n\nFor example:\n  storectl store remove cups")

        @Argument(help: "What it is called here.")
        var name: String

        @OptionGroup var common: CommonOptions

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
        commandName: "refresh", abstract: "Fetches the stores' catalogues.",
        discussion: """
            Only what has changed is fetched. Other commands refresh by themselves what is older than a setting.

            For example:
              storectl refresh
            """)

    @Argument(help: "Only this store.")
    var store: String?

    @OptionGroup var common: CommonOptions

    func run(_ console: Console) async throws -> ExitCode {
        let stores = try await client().refresh(store)
        let errors = stores.map(\.error)
        if console.json { console.document(RefreshDocument(stores: stores, error: summary(of: errors))) }
        for store in stores where store.error == nil && !console.json {
            console.confirmation("\(store.name): \(counted(store.products, "product")).")
        }
        console.complain(about: stores.map { ($0.name, $0.error) })
        return commonExitCode(of: errors)
    }
}

/// `{"stores":[…]}`, with the `error` of a failure beside it.
private struct RefreshDocument: Encodable {
    var stores: [StoreSummary]
    var error: ErrorReport?
}

extension Console {
    func show(_ stores: [StoreSummary]) {
        guard !stores.isEmpty else { return }
        var table = Table([
            .init(title: "NAME", flexible: true), .init(title: "URL", flexible: true),
            .init(title: "PRIORITY", right: true), .init(title: "PRODUCTS", right: true), .init(title: "REFRESHED"),
            .init(title: "NOTES", flexible: true),
        ])
        for store in stores {
            let notes = [store.unsigned ? "unsigned" : nil, store.error?.message].compactMap { $0 }
            table.add(
                store.name, store.url.absoluteString, "\(store.priority)", "\(store.products)",
                store.refreshedAt.map(shortTime) ?? "never", notes.joined(separator: ", "))
        }
        self.table(table)
    }
}
