import StoreCatalogue
import StoreLibrary
import StoreModel

/// What states are derived from, gathered once for a whole list.
struct ProductStates: Sendable {
    let packs: [String: LibraryPack]
    let downloading: Set<String>
    let purchased: Set<String>
    let inUse: Set<String>

    init(_ packs: [LibraryPack], downloading: Set<String>, purchased: Set<String>, inUse: Set<String>) {
        self.packs = Dictionary(packs.map { ($0.productIdentifier, $0) }) { a, b in a.origin != nil ? a : b }
        self.downloading = downloading
        self.purchased = purchased
        self.inUse = inUse
    }

    /// The states of a store's product, the first to be shown first.
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

    /// The states of an installed pack.
    ///
    /// - Parameter catalogue: of the store that it came from; `nil` where that was never fetched or is not used any
    ///   more, which says nothing about the product.
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
    /// As lists show a pack.
    init(
        _ pack: LibraryPack, at path: String, facts: ProductStates, catalogues: [String: Catalogue], languages: [String]
    ) {
        self.init(
            productIdentifier: pack.productIdentifier, store: pack.origin?.store, operation: pack.origin?.operation,
            kind: pack.kind, name: pack.name.text(in: languages), version: pack.version, path: path, size: pack.size,
            installedAt: pack.installedAt, held: pack.origin?.held ?? false,
            permissions: pack.origin?.permissions ?? [],
            state: facts.states(of: pack, catalogue: pack.origin.flatMap { catalogues[$0.store] }))
    }
}

extension StoreManager {
    func productFacts() async -> ProductStates {
        let packs = (try? await library.all()) ?? []
        return ProductStates(
            packs, downloading: await downloads.active, purchased: await purchased(), inUse: await inUse(among: packs))
    }

    func inUse(among packs: [LibraryPack]) async -> Set<String> {
        var inUse: Set<String> = []
        for pack in packs where await kinds[pack.kind]?.isInUse(pack.productIdentifier) == true {
            inUse.insert(pack.productIdentifier)
        }
        return inUse
    }

    func purchased() async -> Set<String> {
        Set(((try? await database.purchases()) ?? []).map(\.productIdentifier))
    }
}
