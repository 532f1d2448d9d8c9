import StoreCatalogue
import StoreModel

/// A product as one store offers it, with the name and the catalogue of the store.
struct ProductOffer: Sendable {
    let store: String
    let catalogue: Catalogue
    let item: ProductItem
    /// Why nothing is installed from the store at present; `nil` if that is possible.
    var refusal: ErrorReport?

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
            return (
                ProductOffer(store: one.store, catalogue: catalogue, item: item, refusal: one.trust?.refusal),
                one.priority
            )
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

    /// Returns the error for a product that none of the known catalogues has.
    private static func unknown(_ identifier: String, _ known: [StoreRegistry.KnownCatalogue]) -> StoreError {
        if let unavailable = known.first(where: { $0.catalogue == nil }), let error = unavailable.error {
            return StoreError(
                .unavailableStore(error.code.exitCode), ["product": identifier, "store": unavailable.store],
                cause: error)
        }
        if known.isEmpty { return StoreError(.noStores, ["product": identifier]) }
        let stores: TypedErrorArgument = .list(known.map { "'\($0.store)'" })
        if let outdated = known.first(where: { $0.error != nil }), let error = outdated.error {
            return StoreError(
                .noSuchProductInCache, ["product": identifier, "stores": stores, "store": outdated.store], cause: error)
        }
        return StoreError(.noSuchProduct, ["product": identifier, "stores": stores])
    }
}

/// The offers of several products for one request, for which the stores' catalogues are looked up only once.
///
/// They are fetched again once, if none of them has one of the products.
struct OfferLookup {
    private let stores: StoreRegistry
    /// The only store to search; `nil` is all.
    private let store: String?
    private var known: [StoreRegistry.KnownCatalogue]?
    private var isRefreshed = false

    init(stores: StoreRegistry, store: String? = nil) {
        self.stores = stores
        self.store = store
    }

    /// Warnings for display about stores that did not respond.
    var warnings: [String] { known?.flatMap(\.warnings) ?? [] }

    /// Returns the offer of a product by the store to install the product from.
    ///
    /// - Parameter origin: the store whose offer is preferred to all others, unless only one is searched.
    /// - Throws: `product.unknown`, `product.withdrawn`, `conflict.several-stores`, `store.unavailable`.
    mutating func offer(of identifier: String, origin: String?) async throws -> ProductOffer {
        let names = store.map { Set([$0]) }
        let origin = store == nil ? origin : nil
        let catalogues: [StoreRegistry.KnownCatalogue]
        if let known {
            catalogues = known
        } else {
            catalogues = await stores.catalogues(of: names)
            known = catalogues
        }
        do {
            return try ProductOffer.choose(identifier, among: catalogues, origin: origin)
        } catch {
            guard error.code == .productUnknown, !isRefreshed else { throw error }
            let current = await stores.catalogues(of: names, maximumAge: .zero)
            (known, isRefreshed) = (current, true)
            return try ProductOffer.choose(identifier, among: current, origin: origin)
        }
    }
}
