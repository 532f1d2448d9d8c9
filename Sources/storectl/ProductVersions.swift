import StoreClient
import StoreModel

/// A namespace for product names with a version, `ID@VERSION`, of which `install` installs just that version.
enum ProductVersions {
    /// Returns the product that `ID@VERSION` names, in a store that offers this version.
    ///
    /// An identifier may itself contain an `@`, so that a text which is one, or has no `@`, is returned unchanged.
    ///
    /// - Throws: `product.version-unknown` if no store offers the version; `conflict.other-version` if another version
    ///   is installed; the errors of finding a product.
    static func resolve(_ name: ProductName, _ client: StoreClient) async throws -> ProductName {
        guard let (id, version) = split(name.id) else { return name }
        if try await !offers(of: name, client).isEmpty { return name }
        if (try? await client.pack(name.id)) != nil { return name }

        let product = ProductName(id: id, store: name.store)
        let offers = try await offers(of: product, client)
        let matching = offers.filter { $0.version == version }
        if let pack = try? await client.pack(id) {
            if pack.version == version { return product }
            if !matching.isEmpty { throw conflict(pack, wanted: version) }
        }
        guard !offers.isEmpty else {
            // Fails with the reason, unless only installing the product does, such as where it is withdrawn.
            do {
                _ = try await client.product(id, store: name.store)
            } catch let error as ErrorReport {
                throw await ProductCandidates.clarify(id, as: product, error, client)
            }
            return product
        }
        guard !matching.isEmpty else {
            let offered = offers.map { offer in
                offer.version.map { "'\(offer.store)/\(id)@\($0.text)'" }
                    ?? EnglishText.filled("'{product}' (without a version)", ["product": "\(offer.store)/\(id)"])
            }
            throw StoreError(
                .productVersionNotOffered, ["product": id, "version": version.text, "offers": .list(offered)])
        }
        // The stores' priorities decide between stores that all offer the version.
        if matching.count == offers.count { return product }
        return ProductName(id: id, store: try await preferredStore(of: matching.map(\.store), id, client))
    }

    /// Splits `ID@VERSION` at the last `@`; `nil` if a part is missing.
    static func split(_ text: String) -> (id: String, version: Version)? {
        guard let at = text.lastIndex(of: "@") else { return nil }
        let (id, version) = (text[..<at], text[text.index(after: at)...])
        return id.isEmpty || version.isEmpty ? nil : (String(id), Version(String(version)))
    }

    private static func offers(of name: ProductName, _ client: StoreClient) async throws -> [ProductSummary] {
        try await client.products(ProductFilter(named: name.id, store: name.store)).products
            .filter { $0.productIdentifier == name.id }
    }

    /// Returns the one of several stores that has the highest priority.
    private static func preferredStore(
        of stores: [String], _ id: String, _ client: StoreClient
    ) async throws -> String? {
        let known = try await client.stores().filter { stores.contains($0.name) }
        let highest = known.map(\.priority).max()
        let best = known.filter { $0.priority == highest }.map(\.name)
        guard best.count > 1 else { return best.first ?? stores.first }
        throw StoreError(.ambiguousProduct, ["product": id, "stores": .list(best.sorted().map { "'\($0)'" })])
    }

    private static func conflict(_ pack: InstalledPack, wanted: Version) -> StoreError {
        let installed =
            pack.version.map { EnglishText.filled("version {version}", ["version": $0.text]) }
            ?? EnglishText.filled("an unknown version")
        let isUpdate = pack.version.map { $0 < wanted } ?? true
        return StoreError(
            isUpdate ? .olderVersionInstalled : .newerVersionInstalled,
            ["product": pack.productIdentifier, "version": wanted.text, "installed": installed])
    }
}
