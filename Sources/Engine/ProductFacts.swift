import Catalogue
import Library
import StoreModel

/// What states are derived from, gathered once for a whole list.
struct ProductFacts: Sendable {
    let packs: [String: LibraryPack]
    let downloading: Set<String>
    let purchased: Set<String>
    let inUse: Set<String>

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

extension StoreManager {
    func productFacts() async -> ProductFacts {
        let packs = (try? await library.all()) ?? []
        var inUse: Set<String> = []
        for pack in packs where await kinds[pack.kind]?.isInUse(pack.productIdentifier) == true {
            inUse.insert(pack.productIdentifier)
        }
        let purchases = (try? await database.purchases()) ?? []
        return ProductFacts(
            packs: Dictionary(packs.map { ($0.productIdentifier, $0) }) { a, b in a.origin != nil ? a : b },
            downloading: await downloads.active, purchased: Set(purchases.map(\.productIdentifier)), inUse: inUse)
    }
}
