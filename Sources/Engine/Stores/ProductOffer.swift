import StoreCatalogue
import StoreModel

/// A product as one store offers it, with the name and the catalogue of the store.
struct ProductOffer: Sendable {
    let store: String
    let catalogue: Catalogue
    let item: ProductItem

    /// Chooses the store whose offer of a product is used, and returns the offer.
    ///
    /// - Parameters:
    ///   - known: the catalogues to search.
    ///   - origin: the name of the store whose offer is preferred to all others.
    /// - Throws: `product.unknown`, `product.withdrawn`, `conflict.several-stores`, `store.unavailable`.
    static func choose(
        _ identifier: String, among known: [StoreRegistry.KnownCatalogue], origin: String?
    ) throws(StoreError) -> ProductOffer {
        let offers = known.compactMap { one -> (offer: ProductOffer, priority: Int)? in
            guard let catalogue = one.catalogue, let item = catalogue[identifier] else { return nil }
            return (ProductOffer(store: one.store, catalogue: catalogue, item: item), one.priority)
        }
        guard !offers.isEmpty else { throw unknown(identifier, known) }
        if let own = offers.first(where: { $0.offer.store == origin }) { return own.offer }
        let available = offers.filter { !$0.offer.item.withdrawn }
        guard let highest = available.map(\.priority).max() else {
            throw StoreError(.productGone, ["product": identifier, "store": offers[0].offer.store])
        }
        let first = available.filter { $0.priority == highest }
        guard first.count == 1 else {
            throw StoreError(
                .ambiguousProduct,
                ["product": identifier, "stores": .list(first.map { "'\($0.offer.store)'" }.sorted())])
        }
        return first[0].offer
    }

    private static func unknown(_ identifier: String, _ known: [StoreRegistry.KnownCatalogue]) -> StoreError {
        if let unavailable = known.first(where: { $0.catalogue == nil }), let error = unavailable.error {
            return StoreError(
                .unavailableStore(error.code.exitCode), ["product": identifier, "store": unavailable.store],
                cause: error)
        }
        if known.isEmpty { return StoreError(.noStores, ["product": identifier]) }
        return StoreError(
            .noSuchProduct, ["product": identifier, "stores": .list(known.map { "'\($0.store)'" })])
    }
}
