public import StoreModel

/// The catalogue of a store that several parties publish: a part of each, with products of their own.
public struct CatalogueParts {
    /// The merged catalogue; `nil` before the first part was added.
    public private(set) var catalogue: Catalogue?
    /// The products that were left out, because the party whose part lists them must not offer them; the first of them as
    /// far as ``warningLimit`` allows, one line each.
    public private(set) var refusals: [String] = []
    private let limits: CatalogueLimits

    /// The maximum number of refused products that are described; a part may list any number of them.
    public static let warningLimit = 20

    /// Creates a catalogue without parts.
    public init(limits: CatalogueLimits) { self.limits = limits }

    /// Appends the products of one part.
    ///
    /// - Parameters:
    ///   - part: the catalogue of one party.
    ///   - accept: throws the reason for which the party must not offer the product with an identifier. Only that product
    ///     is left out.
    /// - Throws: `catalogue.too-large` if the merged catalogue would exceed a limit; the part is left out then.
    public mutating func append(
        _ part: Catalogue, accept: (String) throws(StoreError) -> Void
    ) throws(StoreError) {
        let count = (catalogue?.products.count ?? 0) + part.products.count
        let memory = (catalogue?.memory ?? 0) + part.memory
        let document = "the catalogue of all publishers"
        guard count <= limits.products else {
            throw StoreError(.catalogueTooManyProducts, ["document": document, "limit": limits.products])
        }
        guard memory <= limits.memory else {
            throw StoreError(.catalogueTooMuchMemory, ["document": document, "limit": .bytes(limits.memory)])
        }
        var list = catalogue?.list ?? CatalogueProducts()
        var refused = ""
        list.append(contentsOf: part.list) { identifier in
            do throws(StoreError) {
                try accept(identifier)
                return true
            } catch {
                refused += identifier + "\n"
                if refusals.count < Self.warningLimit { refusals.append(ErrorReport(error).message) }
                return false
            }
        }
        // The revision changes whenever a part or what is left out of it changes.
        var revision = part.revision
        if let catalogue { revision = SHA256Digest(of: (catalogue.revision.hex + revision.hex).utf8) }
        if !refused.isEmpty { revision = SHA256Digest(of: (revision.hex + refused).utf8) }
        let first = catalogue ?? part
        catalogue = Catalogue(
            format: first.format, name: first.name, url: first.url, revision: revision, list: list, memory: memory)
    }
}
