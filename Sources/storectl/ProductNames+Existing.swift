import StoreClient
import StoreModel

extension ProductNames {
    /// A pack or a download, with the name of the store that it came from; `nil` if it came from none.
    struct Existing: Sendable {
        var id: String
        var store: String?
    }

    /// Returns the identifiers of the installed packs that the names `ID` and `STORE/ID` mean, without duplicates.
    ///
    /// The daemon is only asked if a name contains a `/`. The identifier of a pack that is not installed is returned
    /// as well; the command that uses it fails.
    ///
    /// - Throws: `usage.invalid` if a name is empty; `pack.not-installed` if a pack came from another store than its name
    ///   states, so that the command fails before it changes anything.
    static func packs(_ names: [String], _ client: StoreClient) async throws -> [String] {
        try requireNotEmpty(names)
        guard names.contains(where: { $0.contains("/") }) else { return distinct(names) }
        let packs = try await client.packs().map { Existing(id: $0.productIdentifier, store: $0.store) }
        let stores = Set(try await client.stores().map(\.name))
        return distinct(
            try names.map { name in
                try identifier(name, among: packs, stores: stores) { pack, store in
                    guard let actual = pack.store else {
                        return StoreError(.packOfNoStore, ["product": pack.id, "store": store])
                    }
                    return StoreError(.packOfOtherStore, ["product": pack.id, "store": store, "actual": actual])
                }
            })
    }

    /// Returns the identifiers of the products whose downloads the names `ID` and `STORE/ID` mean, without duplicates.
    ///
    /// The daemon is only asked if a name contains a `/`.
    ///
    /// - Throws: `usage.invalid` if a name is empty; `download.unknown` if a product is downloaded from another store than its name states.
    static func downloads(_ names: [String], _ client: StoreClient) async throws -> [String] {
        try requireNotEmpty(names)
        guard names.contains(where: { $0.contains("/") }) else { return distinct(names) }
        let all = try await client.downloads()
        let running = Set(all.filter { !$0.state.isEnd }.map(\.productIdentifier))
        // A product's earlier downloads may have come from other stores.
        let current = all.filter { !$0.state.isEnd || !running.contains($0.productIdentifier) }
            .map { Existing(id: $0.productIdentifier, store: $0.store) }
        let stores = Set(try await client.stores().map(\.name))
        return distinct(
            try names.map { name in
                try identifier(name, among: current, stores: stores) { download, store in
                    StoreError(
                        .downloadOfOtherStore,
                        ["product": download.id, "store": store, "actual": download.store ?? "-"])
                }
            })
    }

    /// Returns the identifier that a name `ID` or `STORE/ID` means among existing packs or downloads.
    ///
    /// A name that is an existing identifier means that one. The store may be one that was removed since.
    ///
    /// - Parameters:
    ///   - stores: the names of the stores, for identifiers that are not among the existing ones.
    ///   - mismatch: returns the error for an existing pack or download that came from another store than its name states.
    static func identifier(
        _ name: String, among existing: [Existing], stores: Set<String>,
        mismatch: (_ existing: Existing, _ store: String) -> StoreError
    ) throws -> String {
        guard !existing.contains(where: { $0.id == name }), let (store, id) = split(name) else { return name }
        let found = existing.filter { $0.id == id }
        guard let first = found.first else { return stores.contains(store) ? id : name }
        guard found.contains(where: { $0.store == store }) else { throw mismatch(first, store) }
        return id
    }

    /// Splits `STORE/ID` at the first `/`; `nil` if a part is missing.
    static func split(_ name: String) -> (store: String, id: String)? {
        guard let slash = name.firstIndex(of: "/") else { return nil }
        let (store, id) = (name[..<slash], name[name.index(after: slash)...])
        return store.isEmpty || id.isEmpty ? nil : (String(store), String(id))
    }
}
