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
                console.note(console.messages.text("No purchases."))
                return .done
            }
            var table = Table([
                .identifier(title: console.messages.text("ID")),
                .init(title: console.messages.text("GRANTED"), omission: 0),
            ])
            for purchase in purchases { table.add(purchase.productIdentifier, shortTime(purchase.grantedAt)) }
            console.table(table)
            return .done
        }
    }

    struct Grant: StoreCommand {
        static let configuration = CommandConfiguration(
            commandName: "grant", abstract: "Record the purchase of a product",
            discussion: """
                The purchase counts for the product of any store. Warns if no store offers the product.

                Examples:
                  storectl purchases grant org.example.gold
                """)

        @Argument(
            help: ArgumentHelp("Product identifier, or STORE/ID", valueName: "id"),
            completion: CompletionCandidates.pricedProducts)
        var id: String

        static let createsHome = true

        @OptionGroup var common: CommonOptions

        func run(_ console: Console) async throws -> ExitCode {
            let client = try client()
            // A purchase is of the product in any store.
            let name = try await ProductNames().parse([id], client)[0]
            let id = name.id
            let purchase = try await client.grantPurchase(id)
            await warnIfUnknown(name, client, console)
            if console.json {
                console.document(purchase)
            } else {
                console.confirmation(
                    console.messages.text("Recorded the purchase of {product}.", ["product": id]))
            }
            return .done
        }

        /// Warns of a purchase of a product that no store offers, and names an identifier which may be meant.
        ///
        /// Where a store can't be reached, it may offer the product.
        private func warnIfUnknown(_ name: ProductName, _ client: StoreClient, _ console: Console) async {
            let filter = ProductFilter(named: name.id, store: name.store)
            guard let found = try? await client.products(filter), found.warnings.isEmpty,
                !found.products.contains(where: { $0.productIdentifier == name.id })
            else { return }
            let messages = console.messages
            console.warning(
                name.store.map { store in
                    messages.text(
                        "the store '{store}' does not offer a product '{product}'",
                        ["store": store, "product": name.id])
                } ?? messages.text("no store offers a product '{product}'", ["product": name.id]))
            let similar = await SimilarIdentifiers.offered(client, like: name.id, in: name.store)
            if let similar, similar != name.id {
                console.hint(
                    messages.text(
                        "did you mean '{word}'? Remove this purchase with 'storectl purchases revoke {product}'",
                        ["word": similar, "product": name.id]))
            }
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
                console.confirmation(
                    console.messages.text("Revoked the purchase of {product}.", ["product": id]))
            }
            return .done
        }
    }
}
