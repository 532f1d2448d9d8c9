import StoreClient
import StoreModel

/// A product as the command line names it, optionally in a particular store.
struct ProductName: Sendable, Hashable {
    var id: String
    /// The name of the product's store; `nil` selects the store of the highest priority that has the product.
    var store: String?
}

/// A parser of the product names `ID` and `STORE/ID`.
struct ProductNames: Sendable {
    /// The store's name that the option `--store` gives; if it is set, each name is an identifier in that store.
    var store: String?

    /// Parses product names `ID` and `STORE/ID`.
    ///
    /// The list of stores is requested from the daemon only if a name contains a `/`.
    ///
    /// - Throws: `usage.invalid` if a name is empty.
    func parse(_ names: [String], _ client: StoreClient) async throws -> [ProductName] {
        try Self.requireNotEmpty(names)
        var stores: Set<String> = []
        if store == nil, names.contains(where: { $0.contains("/") }) {
            stores = Set(try await client.stores().map(\.name))
        }
        return names.map { parse($0, stores: stores) }
    }

    /// Checks that no name is empty, as that of an unset variable of a script is.
    ///
    /// - Throws: `usage.invalid`.
    static func requireNotEmpty(_ names: [String]) throws(StoreError) {
        if names.contains("") { throw StoreError(.identifierArgumentEmpty) }
    }

    /// Parses one product name, `ID` or `STORE/ID`.
    ///
    /// An identifier may itself contain a `/`: the part before the first `/` is interpreted as a store only if a store
    /// has that name.
    func parse(_ name: String, stores: Set<String>) -> ProductName {
        if let store { return ProductName(id: name, store: store) }
        guard let (store, id) = Self.split(name), stores.contains(store) else { return ProductName(id: name) }
        return ProductName(id: id, store: store)
    }
}
