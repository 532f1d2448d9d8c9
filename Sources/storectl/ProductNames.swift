import StoreClient
import StoreModel

/// What a command line names: a product, or a product of one store.
struct ProductName: Sendable, Equatable {
    var id: String
    /// `nil` leaves the choice to the stores' priorities.
    var store: String?
}

/// Reads `ID` and `STORE/ID`.
struct ProductNames: Sendable {
    /// `--store`, which holds for all and takes every name as an identifier.
    var store: String?

    /// Asks for the stores' names only where a name could mean one.
    func read(_ names: [String], _ client: StoreClient) async throws -> [ProductName] {
        var stores: Set<String> = []
        if store == nil, names.contains(where: { $0.contains("/") }) {
            stores = Set(try await client.stores().map(\.name))
        }
        return names.map { read($0, stores: stores) }
    }

    /// An identifier may hold a `/` itself: what stands before the first is only a store where there is one of that
    /// name.
    func read(_ name: String, stores: Set<String>) -> ProductName {
        if let store { return ProductName(id: name, store: store) }
        guard let slash = name.firstIndex(of: "/") else { return ProductName(id: name) }
        let (first, rest) = (String(name[..<slash]), String(name[name.index(after: slash)...]))
        guard stores.contains(first), !rest.isEmpty else { return ProductName(id: name) }
        return ProductName(id: rest, store: first)
    }
}
