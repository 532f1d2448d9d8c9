import StoreCatalogue
import StoreModel

/// A product as one store offers it.
struct ProductOffer: Sendable {
    let store: String
    let catalogue: Catalogue
    let item: ProductItem

    /// Chooses the offer that a product identifier stands for.
    ///
    /// - Parameters:
    ///   - known: the catalogues to look in.
    ///   - origin: the store whose offer is taken before all others.
    /// - Throws: `product.unknown`, `product.withdrawn`, `conflict.several-stores`, `store.unavailable`.
    static func choose(
        _ identifier: String, among known: [StoreRegistry.KnownCatalogue], origin: String?
    ) throws(EngineError) -> ProductOffer {
        let offers = known.compactMap { one -> (offer: ProductOffer, priority: Int)? in
            guard let catalogue = one.catalogue, let item = catalogue[identifier] else { return nil }
            return (ProductOffer(store: one.store, catalogue: catalogue, item: item), one.priority)
        }
        guard !offers.isEmpty else { throw unknown(identifier, known) }
        if let own = offers.first(where: { $0.offer.store == origin }) { return own.offer }
        let available = offers.filter { !$0.offer.item.withdrawn }
        guard let highest = available.map(\.priority).max() else {
            throw EngineError(
                .productWithdrawn,
                "'\(identifier)' was withdrawn from the store '\(offers[0].offer.store)'. "
                    + "Who has it keeps it; it can't be installed any more.")
        }
        let first = available.filter { $0.priority == highest }
        guard first.count == 1 else {
            let names = first.map { "'\($0.offer.store)'" }.sorted().joined(separator: ", ")
            throw EngineError(
                .severalStores,
                "'\(identifier)' is in several stores of the same priority: \(names). "
                    + "Name one with --store, or give one a higher --priority.")
        }
        return first[0].offer
    }

    private static func unknown(_ identifier: String, _ known: [StoreRegistry.KnownCatalogue]) -> EngineError {
        if let unavailable = known.first(where: { $0.catalogue == nil }), let error = unavailable.error {
            return EngineError(
                .init(ErrorCode.storeUnavailable.word, error.code.exitCode),
                "'\(identifier)' is in no store that could be asked, and '\(unavailable.store)' "
                    + "could not: \(error.message)")
        }
        let searched =
            known.isEmpty
            ? "there are no stores yet; 'storectl store add NAME URL' adds one"
            : "looked in " + known.map { "'\($0.store)'" }.joined(separator: ", ")
        return EngineError(.productUnknown, "There is no product '\(identifier)': \(searched).")
    }
}
