public import FoundationEssentials
public import StoreCatalogue
import StoreLibrary
public import StoreModel
import StoreTransfers

/// All that is known of a product.
public struct ProductOverview: Sendable {
    public let store: String
    public let product: ProductItem
    public let state: [ProductState]
    /// `nil` where the product has none, or they can't be had now.
    public let details: ProductDetails?
    /// `nil` where it is not installed.
    public let pack: InstalledPack?
}

extension StoreManager {
    /// The products that match, of all stores, and what to know of stores that could not be asked.
    ///
    /// - Parameters:
    ///   - after: only what comes after this place in the order.
    ///   - limit: how many at most; `nil` is all.
    /// - Returns: as `next` the place of the last, where more follow.
    public func search(
        _ query: CatalogueQuery, after: CataloguePlace? = nil, limit: Int? = nil
    ) async -> (products: [ProductSummary], warnings: [String], next: CataloguePlace?) {
        let known = await refresh(stores, ifOlderThan: settings.catalogueRefreshAfter)
        let facts = await productFacts()
        var found: [(item: ProductItem, store: String, place: CataloguePlace)] = []
        for one in known {
            guard let catalogue = one.catalogue else { continue }
            let name = one.store.definition.name
            found += catalogue.search(query).map { ($0, name, query.place(of: $0, in: name)) }
        }
        if let after { found.removeAll { $0.place <= after } }
        found.sort { $0.place < $1.place }
        let piece = found.prefix(limit ?? .max)
        let products = piece.map { found in
            ProductSummary(
                found.item, store: found.store, state: facts.states(of: found.item, in: found.store),
                languages: query.languages)
        }
        return (products, known.compactMap(warning), piece.count < found.count ? piece.last?.place : nil)
    }

    func warning(_ known: Known) -> String? {
        known.error.map { error in
            "The store '\(known.store.definition.name)' could not be asked"
                + (known.catalogue == nil ? ": " : ", so this is what it had before: ") + error.message
        }
    }

    /// All that is known of a product, its details document fetched. Where no store can say anything, what is known of
    /// the installed pack.
    ///
    /// - Throws: as ``resolve(_:store:)``.
    public func product(_ identifier: String, store: String?, languages: [String]) async throws -> ProductOverview {
        let offer: Offer
        do {
            offer = try await resolve(identifier, store: store)
        } catch {
            guard let pack = try await library.pack(of: identifier), let origin = pack.origin,
                store == nil || store == origin.store
            else { throw error }
            return await description(of: pack, from: origin, languages: languages)
        }
        let name = offer.store.definition.name
        let facts = await productFacts()
        let pack = try await library.pack(of: identifier)
        return ProductOverview(
            store: name, product: offer.item, state: facts.states(of: offer.item, in: name),
            details: await details(of: offer),
            pack: pack.map {
                installedPack($0, facts: facts, catalogues: [name: offer.catalogue], languages: languages)
            })
    }

    private func description(
        of pack: LibraryPack, from origin: LibraryPack.Origin, languages: [String]
    ) async -> ProductOverview {
        var item = ProductItem(
            productIdentifier: pack.productIdentifier, kind: pack.kind, productName: pack.name, version: pack.version,
            productPrice: origin.price)
        item.dependencies = origin.dependencies
        item.resource = origin.archive.url.map {
            ContentReference(url: $0, size: origin.archive.size, sha256: origin.archive.sha256)
        }
        let facts = await productFacts()
        return ProductOverview(
            store: origin.store, product: item, state: facts.states(of: pack, catalogue: nil), details: nil,
            pack: installedPack(pack, facts: facts, catalogues: [:], languages: languages))
    }

    private func details(of offer: Offer) async -> ProductDetails? {
        guard let reference = offer.item.details else { return nil }
        let fetcher = CatalogueFetcher(
            transfers: transfers, timeouts: .init(settings), retry: .init(attempts: 1)
        ) { [credentials, name = offer.store.definition.name] in credentials.authorization(for: name, at: $0) }
        let limit = reference.size ?? 4 << 20
        guard
            case .document(let data, _, _, let url)? = try? await fetcher.fetch(
                reference.url, ifNoneMatch: nil, ifModifiedSince: nil, sizeLimit: limit),
            reference.sha256.map({ $0 == SHA256Digest(of: data) }) ?? true
        else { return nil }
        return try? DetailsDocument.parse(data, url: url)
    }

    /// One of the pictures that show a product in use, counted from 0, and its media type where the server tells.
    ///
    /// - Throws: as ``resolve(_:store:)``; `product.no-preview`; `content.hash-mismatch` where it is not what the catalogue
    ///   says; what keeps it from being fetched.
    public func preview(
        _ number: Int, of identifier: String, store: String?
    ) async throws -> (image: Data, mediaType: String?) {
        let offer = try await resolve(identifier, store: store)
        var previews = offer.item.previews
        if previews.isEmpty { previews = await details(of: offer)?.previews.map { ContentReference(url: $0) } ?? [] }
        guard previews.indices.contains(number) else {
            throw EngineError(
                .noPreview, "'\(identifier)' has no picture \(number): its store has \(previews.count), counted from 0."
            )
        }
        let reference = previews[number]
        var request = TransferRequest(reference.url, timeouts: TransferTimeouts(settings))
        request.headers["Authorization"] = credentials.authorization(
            for: offer.store.definition.name, at: reference.url)
        let (response, image) = try await transfers.fetch(request)
        try response.requireSuccess()
        guard reference.sha256.map({ $0 == SHA256Digest(of: image) }) ?? true else {
            throw EngineError(
                .contentHashMismatch,
                "The picture \(reference.url.absoluteString) has not the SHA-256 that the catalogue gives. "
                    + "Try again later; if it stays so, ask the store's publisher.")
        }
        return (image, response.headers["content-type"])
    }

    // MARK: Which store

    /// A product as one store offers it.
    struct Offer: Sendable {
        let store: StoreCatalogue
        let catalogue: Catalogue
        let item: ProductItem
    }

    /// The store that `identifier` means: the one named, the one that its pack came from, or of those that have it the
    /// one of highest priority. A product that nobody has is looked for once more in catalogues fetched anew.
    ///
    /// - Parameter preferred: the store of a product that needs this one: where that has it, it is not looked for
    ///   elsewhere.
    /// - Throws: `store.unknown`, `product.unknown`, `product.withdrawn`, `conflict.several-stores`,
    ///   `store.unavailable`.
    func resolve(_ identifier: String, store name: String?, preferring preferred: String? = nil) async throws -> Offer {
        let origin = try await library.packInPlace(of: identifier)?.origin?.store ?? preferred
        let wanted = try name.map { [try usedStore($0)] } ?? stores
        let own = name == nil ? origin : nil
        let known = await refresh(wanted, ifOlderThan: settings.catalogueRefreshAfter)
        do {
            return try choose(identifier, among: known, origin: own)
        } catch {
            guard error.code == .productUnknown else { throw error }
            return try choose(identifier, among: await refresh(wanted, ifOlderThan: .zero), origin: own)
        }
    }

    private func choose(_ identifier: String, among known: [Known], origin: String?) throws(EngineError) -> Offer {
        let offers = known.compactMap { one -> Offer? in
            guard let catalogue = one.catalogue, let item = catalogue[identifier] else { return nil }
            return Offer(store: one.store, catalogue: catalogue, item: item)
        }
        guard !offers.isEmpty else { throw unknown(identifier, known) }
        if let own = offers.first(where: { $0.store.definition.name == origin }) { return own }
        let offered = offers.filter { !$0.item.withdrawn }
        guard let best = offered.map(\.store.definition.priority).max() else {
            throw EngineError(
                .productWithdrawn,
                "'\(identifier)' was withdrawn from the store '\(offers[0].store.definition.name)'. "
                    + "Who has it keeps it; it can't be installed any more.")
        }
        let first = offered.filter { $0.store.definition.priority == best }
        guard first.count == 1 else {
            let names = first.map { "'\($0.store.definition.name)'" }.sorted().joined(separator: ", ")
            throw EngineError(
                .severalStores,
                "'\(identifier)' is in several stores of the same priority: \(names). "
                    + "Name one with --store, or give one a higher --priority.")
        }
        return first[0]
    }

    private func unknown(_ identifier: String, _ known: [Known]) -> EngineError {
        if let unavailable = known.first(where: { $0.catalogue == nil }), let error = unavailable.error {
            return EngineError(
                .init(ErrorCode.storeUnavailable.word, error.code.exitCode),
                "'\(identifier)' is in no store that could be asked, and '\(unavailable.store.definition.name)' "
                    + "could not: \(error.message)")
        }
        let places =
            known.isEmpty
            ? "there are no stores yet; 'storectl store add NAME URL' adds one"
            : "looked in " + known.map { "'\($0.store.definition.name)'" }.joined(separator: ", ")
        return EngineError(.productUnknown, "There is no product '\(identifier)': \(places).")
    }
}
