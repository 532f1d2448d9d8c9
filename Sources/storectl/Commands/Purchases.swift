import ArgumentParser
import StoreAPI
import StoreClient
import StoreModel
import StoreTerminal

struct Purchases: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purchases", abstract: "Manage purchases",
        discussion: """
            A priced product can only be installed if it has been purchased.

            Examples:
              storectl purchases grant org.example.gold
            """,
        subcommands: [ListPurchases.self, Grant.self, Revoke.self])

    struct ListPurchases: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List purchases",
            discussion: "Examples:\n  storectl purchases list --json")

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let purchases = try await client().purchases()
            if console.json {
                console.document(PurchaseList(purchases: purchases))
                return .done
            }
            guard !purchases.isEmpty else {
                console.note("No purchases.")
                return .done
            }
            var table = Table([.identifier(title: "ID"), .init(title: "GRANTED", omission: 0)])
            for purchase in purchases { table.add(purchase.productIdentifier, shortTime(purchase.grantedAt)) }
            console.table(table)
            return .done
        }
    }

    struct Grant: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "grant", abstract: "Record the purchase of a product",
            discussion: "Examples:\n  storectl purchases grant org.example.gold")

        @Argument(
            help: ArgumentHelp("Product identifier, or STORE/ID", valueName: "id"),
            completion: CompletionCandidates.pricedProducts)
        var id: String

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            // A purchase is of the product in any store.
            let id = try await ProductNames().parse([id], client)[0].id
            let purchase = try await client.grantPurchase(id)
            if console.json {
                console.document(purchase)
            } else {
                console.confirmation("Recorded the purchase of \(id).")
            }
            return .done
        }
    }

    struct Revoke: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Remove a purchase",
            discussion: "An installed pack is not removed.\n\nExamples:\n  storectl purchases revoke org.example.gold")

        @Argument(
            help: ArgumentHelp("Product identifier, or STORE/ID", valueName: "id"),
            completion: CompletionCandidates.purchases)
        var id: String

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            let id = try await ProductNames().parse([id], client)[0].id
            try await client.revokePurchase(id)
            if console.json {
                console.document(["revoked": id])
            } else {
                console.confirmation("Revoked the purchase of \(id).")
            }
            return .done
        }
    }
}
