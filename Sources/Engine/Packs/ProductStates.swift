import StoreCatalogue
import StoreLibrary
import StoreModel

/// The data from which the states of products, such as "downloading" or "in use", are computed for a whole list.
struct ProductStates: Sendable {
    /// The installed packs, by product identifier.
    let packs: [String: LibraryPack]
    /// The identifiers of the products for which a download is running.
    let downloading: Set<String>
    let purchased: Set<String>
    /// The identifiers of the products that are in use at the moment, such as the applied skin.
    let inUse: Set<String>

    init(_ packs: [LibraryPack], downloading: Set<String>, purchased: Set<String>, inUse: Set<String>) {
        self.packs = Dictionary(packs.map { ($0.productIdentifier, $0) }) { a, b in a.origin != nil ? a : b }
        self.downloading = downloading
        self.purchased = purchased
        self.inUse = inUse
    }

    /// Returns the states of a store's product, such as "downloaded", the most important first.
    ///
    /// A front-end with room for one shows the first.
    func states(of item: ProductItem, in store: String) -> [ProductState] {
        let pack = packs[item.productIdentifier]
        var states: [ProductState] = []
        if downloading.contains(item.productIdentifier) { states.append(.downloading) }
        if inUse.contains(item.productIdentifier) { states.append(.inUse) }
        if pack != nil { states.append(.downloaded) }
        if purchased.contains(item.productIdentifier) { states.append(.purchased) }
        if item.productPrice.isFree { states.append(.free) }
        if let pack, pack.origin?.store == store, UpdateRule.isNewer(item, than: pack) { states.append(.updatable) }
        if pack != nil, item.withdrawn { states.append(.withdrawn) }
        return states
    }

    /// Returns the states of an installed pack, such as "updatable".
    ///
    /// - Parameter catalogue: the catalogue of the pack's store; `nil` if it was never fetched or the store was
    ///   removed, so that it is unknown whether the product is withdrawn or has a newer version.
    func states(of pack: LibraryPack, catalogue: Catalogue?) -> [ProductState] {
        guard let origin = pack.origin else {
            return downloading.contains(pack.productIdentifier) ? [.downloading, .downloaded] : [.downloaded]
        }
        if let item = catalogue?[pack.productIdentifier] { return states(of: item, in: origin.store) }
        var known = ProductItem(productIdentifier: pack.productIdentifier, kind: pack.kind, productName: pack.name)
        known.productPrice = origin.price
        known.version = pack.version
        known.withdrawn = catalogue != nil
        return states(of: known, in: origin.store)
    }
}

extension InstalledPack {
    /// Creates the description of an installed pack for lists.
    ///
    /// - Parameters:
    ///   - path: the path of the pack's directory.
    ///   - states: the data from which the pack's states are computed.
    ///   - catalogues: the catalogues of the stores, by store name.
    ///   - languages: the languages of the pack's name, the best first.
    init(
        _ pack: LibraryPack, at path: String, states: ProductStates, catalogues: [String: Catalogue],
        languages: [String]
    ) {
        self.init(
            productIdentifier: pack.productIdentifier, store: pack.origin?.store, operation: pack.origin?.operation,
            kind: pack.kind, name: pack.name.text(in: languages), version: pack.version, path: path, size: pack.size,
            installedAt: pack.installedAt, held: pack.origin?.held ?? false,
            permissions: pack.origin?.permissions ?? [],
            state: states.states(of: pack, catalogue: pack.origin.flatMap { catalogues[$0.store] }))
    }
}
