import StoreClient
import StoreModel
import StoreTerminal

/// A namespace for finding the product that a text means which is not a product's identifier, such as a name.
///
/// Without a question to the user, such a text selects nothing: a name that only one product has today may be that of
/// another store's product tomorrow.
enum ProductCandidates {
    /// The minimum number of names for which all products are listed, instead of a request for each name.
    private static let minimumForList = 16

    /// Returns those of many names that are identifiers of offered products, so that there is nothing to ask about.
    ///
    /// The daemon searches all products for each name: that takes seconds for a thousand names. The result is empty for
    /// few names, and if there is no terminal.
    static func identifiers(
        among names: [ProductName], _ client: StoreClient, _ console: Console
    ) async -> Set<ProductName> {
        guard console.canAsk, names.count >= minimumForList else { return [] }
        var found: Set<ProductName> = []
        for store in Set(names.map(\.store)) {
            let offered = Set(await SimilarIdentifiers.offered(client, in: store))
            found.formUnion(names.filter { $0.store == store && offered.contains($0.id) })
        }
        return found
    }

    /// Asks the user at the terminal whether to install the product whose name a text is.
    ///
    /// - Returns: the product to install: `name` if it is an identifier already, if there is no terminal, or if it is
    ///   unclear which product is meant.
    /// - Throws: `operation.cancelled` if the answer is no.
    static func confirm(_ name: ProductName, _ client: StoreClient, _ console: Console) async throws -> ProductName {
        guard console.canAsk, let found = try? await find(name, client), let first = found.first else { return name }
        let identifiers = Set(found.map(\.productIdentifier))
        guard identifiers.count == 1, !identifiers.contains(name.id) else { return name }
        // A pack that no store offers any more is installed already.
        guard (try? await client.pack(name.id)) == nil else { return name }
        let stores = found.map { "'\($0.store)'" }.joined(separator: ", ")
        let question = console.messages.text(
            "There is no product '{text}'. Install '{product}' ({name}, in {stores})?",
            ["text": name.id, "product": first.productIdentifier, "name": first.name, "stores": stores])
        guard try await console.ask(question) == true else {
            throw StoreError(.productCancelled, ["product": name.id])
        }
        return ProductName(id: first.productIdentifier, store: found.count == 1 ? first.store : name.store)
    }

    /// Returns a clearer error for an unknown product: one that names the products which may be meant.
    ///
    /// - Parameter text: the product as the command line names it.
    static func clarify(
        _ text: String, as name: ProductName, _ error: ErrorReport, _ client: StoreClient
    ) async -> ErrorReport {
        guard error.code == .productUnknown else { return error }
        let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
        // The store that the text names is not in use, or it would not be part of the identifier.
        let unknownStore = name.store == nil && parts.count == 2 ? parts[0] : nil
        var found = (try? await find(name, client)) ?? []
        let isInOtherStores: Bool
        if found.isEmpty, unknownStore != nil {
            found = (try? await find(ProductName(id: parts[1]), client)) ?? []
            isInOtherStores = true
        } else {
            isInOtherStores = false
        }
        if let unknownStore, found.isEmpty {
            let unknown = ErrorReport(StoreError(.noSuchProductOrStore, ["product": text, "store": unknownStore]))
            return await SimilarIdentifiers.clarify(store: unknownStore, unknown, client)
        }
        if found.isEmpty { return await SimilarIdentifiers.clarify(name.id, error, client) }
        // If there is such a product, the error is about one that it needs.
        guard !found.contains(where: { $0.productIdentifier == name.id }) else { return error }
        var candidates = found.prefix(maximumCount).map { "'\($0.store)/\($0.productIdentifier)'" }
        if found.count > maximumCount {
            candidates.append(
                EnglishText.filled(found.count - maximumCount, one: "and {count} more", other: "and {count} more"))
        }
        if isInOtherStores, let unknownStore {
            return ErrorReport(
                StoreError(
                    .storeOfProductNotAdded,
                    ["product": text, "store": unknownStore, "candidates": .list(candidates)]))
        }
        return ErrorReport(
            StoreError(.productNamedOtherwise, ["product": text, "candidates": .list(candidates)]))
    }

    /// The maximum number of products that an error names.
    private static let maximumCount = 5

    /// Returns the products whose identifier or name a text is, in all stores or in the one that it names.
    private static func find(_ name: ProductName, _ client: StoreClient) async throws -> [ProductSummary] {
        try await client.products(ProductFilter(named: name.id)).products
            .filter { name.store == nil || $0.store == name.store }
    }
}
