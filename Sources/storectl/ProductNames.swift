import StoreClient
import StoreModel

/// A product as the command line names it, optionally in a particular store.
struct ProductName: Sendable, Equatable {
    var id: String
    /// The store's name; `nil` selects the store of the highest priority that has the product.
    var store: String?
}

/// Parses `ID` and `STORE/ID`.
struct ProductNames: Sendable {
    /// The value of `--store`: it applies to all names, which are then taken as identifiers.
    var store: String?

    /// Parses names; asks the daemon for the stores only if a name contains a `/`.
    func parse(_ names: [String], _ client: StoreClient) async throws -> [ProductName] {
        var stores: Set<String> = []
        if store == nil, names.contains(where: { $0.contains("/") }) {
            stores = Set(try await client.stores().map(\.name))
        }
        return names.map { parse($0, stores: stores) }
    }

    /// Parses one name.
    ///
    /// An identifier may contain a `/` itself: the part before the first is a store only if a store has that name.
    func parse(_ name: String, stores: Set<String>) -> ProductName {
        if let store { return ProductName(id: name, store: store) }
        guard let slash = name.firstIndex(of: "/") else { return ProductName(id: name) }
        let (first, rest) = (String(name[..<slash]), String(name[name.index(after: slash)...]))
        guard stores.contains(first), !rest.isEmpty else { return ProductName(id: name) }
        return ProductName(id: rest, store: first)
    }
}
