import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct Purchases: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purchases", abstract: "Keeps the user's list of purchases.",
        discussion: """
            A product that has a price is only installed where it is on this list.

            For example:
              storectl purchases grant org.example.gold
            """,
        subcommands: [ListPurchases.self, Grant.self, Revoke.self])

    struct ListPurchases: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the purchases.",
            discussion: "For example:\n  storectl purchases list --json")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let purchases = try await client().purchases()
            if console.json {
                console.document(PurchaseList(purchases: purchases))
                return .done
            }
            guard !purchases.isEmpty else {
                console.remark("Nothing was bought.")
                return .done
            }
            var table = Table([.init(title: "ID", flexible: true), .init(title: "GRANTED")])
            for purchase in purchases { table.add(purchase.productIdentifier, shortTime(purchase.grantedAt)) }
            console.table(table)
            return .done
        }
    }

    struct Grant: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "grant", abstract: "Puts a product on the list.",
            discussion: "For example:\n  storectl purchases grant org.example.gold")

        @Argument(help: "The product.")
        var id: String

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let purchase = try await client().grantPurchase(id)
            if console.json { console.document(purchase) } else { console.confirmation("\(id) is on the list.") }
            return .done
        }
    }

    struct Revoke: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Takes a product from the list.",
            discussion: "What is installed stays.\n\nFor example:\n  storectl purchases revoke org.example.gold")

        @Argument(help: "The product.")
        var id: String

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            try await client().revokePurchase(id)
            if console.json {
                console.document(["revoked": id])
            } else {
                console.confirmation("\(id) is off the list.")
            }
            return .done
        }
    }
}
