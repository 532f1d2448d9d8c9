import StoreCatalogue
import StoreEvents
public import StoreModel

// The catalogues of the stores that the user added, and the choice of a store for a product.
extension StoreRegistry {
    /// Fetches the catalogues of some added stores, or of all, and returns descriptions of these stores.
    ///
    /// A failure to fetch a catalogue is reported in the description of its store.
    ///
    /// - Throws: `store.unknown`.
    public func refresh(_ names: [String]? = nil) async throws -> [StoreSummary] {
        let wanted = try names.map { try $0.map(added) } ?? stores
        await withTaskGroup(of: Void.self) { group in
            for store in wanted { group.addTask { await self.checkForSignature(store) } }
            _ = await catalogues(of: wanted, maximumAge: .zero, within: nil)
        }
        var summaries: [StoreSummary] = []
        for store in wanted { summaries.append(await store.summary()) }
        return summaries
    }

    /// The known catalogue of one added store, and the error if it is missing or may be out of date.
    struct KnownCatalogue: Sendable {
        let store: String
        let priority: Int
        /// The store's catalogue; `nil` if it was never fetched and can't be fetched now.
        let catalogue: Catalogue?
        /// The reason why the store's catalogue is missing or may be out of date; `nil` if it is current.
        let error: ErrorReport?
        /// Whether products of the store may be installed; `nil` for an unsigned store, where nothing is known of that.
        var trust: StoreTrustVerdict?

        /// Warnings for display that the store's catalogue may be out of date, or about its trust.
        var warnings: [String] { warnings(usesCache: catalogue != nil) }

        /// Returns the warnings for display about the store's catalogue.
        ///
        /// - Parameter usesCache: whether the caller uses the cached catalogue if it may be out of date.
        func warnings(usesCache: Bool) -> [String] {
            let outdated = error.map { error in
                let values = ["store": "\(store)", "reason": error.message]
                return switch (error.isTrustFailure, usesCache) {
                case (true, true):
                    EnglishText.filled(
                        "the store '{store}' did not verify; using its cached catalogue: {reason}", values)
                case (true, false): EnglishText.filled("the store '{store}' did not verify: {reason}", values)
                case (false, true):
                    EnglishText.filled(
                        "could not reach the store '{store}'; using its cached catalogue: {reason}", values)
                case (false, false): EnglishText.filled("could not reach the store '{store}': {reason}", values)
                }
            }
            return [outdated].compactMap { $0 } + (trust?.warnings ?? [])
        }
    }

    /// How long a request waits for a store that is being contacted.
    enum Waiting {
        /// As long as the setting `catalogue.waitTimeout` says; the request then uses the cached catalogue.
        case short
        /// Until the catalogue is there, or fetching it has failed.
        case untilEnd
    }

    /// Returns the catalogues of added stores, after fetching in parallel those that are too old.
    ///
    /// A store that takes too long is reported with an error and its cached catalogue, so that it does not delay the
    /// others.
    ///
    /// - Parameters:
    ///   - names: the stores; names of stores that were not added are ignored; `nil` is all stores.
    ///   - age: the maximum age; `nil` is that of the settings.
    ///   - waiting: how long to wait for each store.
    func catalogues(
        of names: Set<String>? = nil, maximumAge age: Duration? = nil, waiting: Waiting = .short
    ) async -> [KnownCatalogue] {
        await catalogues(
            of: stores.filter { names?.contains($0.configuration.name) ?? true },
            maximumAge: age ?? settings.current.catalogueRefreshAfter,
            within: waiting == .short ? settings.current.catalogueWaitTimeout : nil)
    }

    private func catalogues(
        of stores: [StoreCatalogue], maximumAge age: Duration, within limit: Duration?
    ) async -> [KnownCatalogue] {
        await withTaskGroup(of: (Int, KnownCatalogue).self) { group in
            for (index, store) in stores.enumerated() {
                let (name, priority) = (store.configuration.name, store.configuration.priority)
                group.addTask { [events] in
                    var catalogue: Catalogue?
                    var failure: ErrorReport?
                    do {
                        catalogue = try await store.refresh(ifOlderThan: age, within: limit) {
                            events.publish(.catalogue(store: name))
                        }
                    } catch {
                        failure = ErrorReport(error)
                        catalogue = await store.cached()
                    }
                    return (
                        index,
                        KnownCatalogue(
                            store: name, priority: priority, catalogue: catalogue, error: failure,
                            trust: await store.verdict(after: failure))
                    )
                }
            }
            var known: [(Int, KnownCatalogue)] = []
            for await one in group { known.append(one) }
            return known.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Returns what is cached of the catalogues of added stores, without contacting a store.
    ///
    /// - Parameter names: the stores; `nil` is all.
    func cached(of names: Set<String>? = nil) async -> [KnownCatalogue] {
        var known: [KnownCatalogue] = []
        for store in stores where names?.contains(store.configuration.name) ?? true {
            let configuration = store.configuration
            known.append(
                KnownCatalogue(
                    store: configuration.name, priority: configuration.priority, catalogue: await store.cached(),
                    error: nil))
        }
        return known
    }

    /// Returns the catalogues of added stores that are in the cache, by the store's name.
    func cachedCatalogues() async -> [String: Catalogue] {
        var catalogues: [String: Catalogue] = [:]
        for store in stores { catalogues[store.configuration.name] = await store.cached() }
        return catalogues
    }

    // MARK: Resolution

    /// Chooses the store to install a product from, and returns that store's offer.
    ///
    /// If a store is named, its offer is returned. Otherwise the store of origin is preferred, then, among the stores
    /// that offer the product, the one with the highest priority. If none has the product, the catalogues are fetched
    /// again.
    ///
    /// - Parameters:
    ///   - name: the name of the store that the user named.
    ///   - origin: the name of the store that the installed pack, or a product that depends on this one, came from.
    /// - Throws: `store.unknown`, `product.unknown`, `product.withdrawn`, `conflict.several-stores`,
    ///   `store.unavailable`.
    func resolve(_ identifier: String, store name: String?, origin: String?) async throws -> ProductOffer {
        var lookup = try offers(of: name)
        return try await lookup.offer(of: identifier, origin: origin)
    }

    /// Returns the offers of one store, or of all, for one request that may need several products.
    ///
    /// - Throws: `store.unknown`.
    func offers(of name: String?) throws -> OfferLookup {
        if let name { _ = try added(name) }
        return OfferLookup(stores: self, store: name)
    }
}
