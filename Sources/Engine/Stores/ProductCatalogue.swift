public import FoundationEssentials
public import StoreCatalogue
import StoreLibrary
public import StoreModel
import StoreTransfers

/// All details of one product.
public struct ProductOverview: Sendable {
    /// The store that offers the product.
    public let store: String
    /// The product's entry in the catalogue.
    public let product: ProductItem
    /// The product's states; a front-end with room for one shows the first.
    public let state: [ProductState]
    /// The details document; `nil` where the product has none or it can't be fetched.
    public let details: ProductDetails?
    /// The installed pack; `nil` where the product is not installed.
    public let pack: InstalledPack?
}

/// The products of all added stores: search, details and preview images.
public struct ProductCatalogue: Sendable {
    let stores: StoreRegistry
    let packs: PackLister
    let credentials: StoreCredentials
    let addresses: StoreAddresses
    let transfers: any Transferring
    let settings: SettingsManager

    /// Returns the products that match a query.
    ///
    /// - Parameters:
    ///   - after: the cursor of the last product of the previous page; `nil` begins with the first product.
    ///   - limit: the maximum number of products; `nil` is all.
    /// - Returns: the products; warnings about stores that did not respond; and as `next` the cursor of the last
    ///   product, where more follow.
    public func search(
        _ query: CatalogueQuery, after: SearchCursor? = nil, limit: Int? = nil
    ) async -> (products: [ProductSummary], warnings: [String], next: SearchCursor?) {
        let known = await stores.catalogues()
        let states = await packs.states()
        var found: [(item: ProductItem, store: String, place: SearchCursor)] = []
        for one in known {
            guard let catalogue = one.catalogue else { continue }
            found += catalogue.search(query).map { ($0, one.store, query.cursor(of: $0, in: one.store)) }
        }
        if let after { found.removeAll { $0.place <= after } }
        found.sort { $0.place < $1.place }
        let page = found.prefix(limit ?? .max)
        let products = page.map { found in
            ProductSummary(
                found.item, store: found.store, state: states.states(of: found.item, in: found.store),
                languages: query.languages)
        }
        return (products, known.compactMap(\.warning), page.count < found.count ? page.last?.place : nil)
    }

    /// Returns all details of a product; where no store responds, the details of the installed pack.
    ///
    /// - Parameters:
    ///   - store: the store that offers the product; `nil` prefers the store of the installed pack, then the store of
    ///     highest priority that offers the product.
    ///   - languages: the languages of names, the best first.
    /// - Throws: `store.unknown`, `product.unknown`, `product.withdrawn`, `conflict.several-stores`,
    ///   `store.unavailable`.
    public func product(_ identifier: String, store: String?, languages: [String]) async throws -> ProductOverview {
        let pack = try await packs.library.pack(of: identifier)
        let offer: ProductOffer
        do {
            offer = try await stores.resolve(identifier, store: store, origin: pack?.origin?.store)
        } catch {
            guard let pack, let origin = pack.origin, store == nil || store == origin.store else { throw error }
            return await overview(of: pack, from: origin, languages: languages)
        }
        let states = await packs.states()
        return ProductOverview(
            store: offer.store, product: offer.item, state: states.states(of: offer.item, in: offer.store),
            details: await details(of: offer),
            pack: pack.map {
                packs.installedPack(
                    $0, states: states, catalogues: [offer.store: offer.catalogue], languages: languages)
            })
    }

    private func overview(
        of pack: LibraryPack, from origin: LibraryPack.Origin, languages: [String]
    ) async -> ProductOverview {
        var item = ProductItem(
            productIdentifier: pack.productIdentifier, kind: pack.kind, productName: pack.name, version: pack.version,
            productPrice: origin.price)
        item.dependencies = origin.dependencies
        item.resource = origin.archive.url.map {
            ContentReference(url: $0, size: origin.archive.size, sha256: origin.archive.sha256)
        }
        let states = await packs.states()
        return ProductOverview(
            store: origin.store, product: item, state: states.states(of: pack, catalogue: nil), details: nil,
            pack: packs.installedPack(pack, states: states, catalogues: [:], languages: languages))
    }

    private func details(of offer: ProductOffer) async -> ProductDetails? {
        guard let reference = offer.item.details else { return nil }
        let fetcher = CatalogueFetcher(
            transfers: transfers, timeouts: .init(settings.current), retry: .init(attempts: 1),
            authorization: { [credentials] in credentials.authorization(for: offer.store, at: $0) },
            addresses: { [addresses] in addresses.policy(for: offer.store, at: $0) })
        let limit = reference.size ?? 4 << 20
        guard
            case .document(let data, _, _, let url)? = try? await fetcher.fetch(
                reference.url, ifNoneMatch: nil, ifModifiedSince: nil, sizeLimit: limit),
            reference.sha256.map({ $0 == SHA256Digest(of: data) }) ?? true
        else { return nil }
        return try? DetailsDocument.parse(data, url: url)
    }

    /// Returns a preview image of a product, and its media type where the server states one.
    ///
    /// - Parameter number: the index of the image, from 0.
    /// - Throws: as ``product(_:store:languages:)``; `product.no-preview`; `content.hash-mismatch` where the image does
    ///   not have the hash of the catalogue; the errors of a transfer.
    public func preview(
        _ number: Int, of identifier: String, store: String?
    ) async throws -> (image: Data, mediaType: String?) {
        let origin = store == nil ? try await packs.library.packInPlace(of: identifier)?.origin?.store : nil
        let offer = try await stores.resolve(identifier, store: store, origin: origin)
        var previews = offer.item.previews
        if previews.isEmpty { previews = await details(of: offer)?.previews.map { ContentReference(url: $0) } ?? [] }
        guard previews.indices.contains(number) else {
            throw StoreError(
                .noSuchPreview, ["product": identifier, "number": number, "count": previews.count])
        }
        let reference = previews[number]
        var request = TransferRequest(reference.url, timeouts: TransferTimeouts(settings.current))
        request.headers["Authorization"] = credentials.authorization(for: offer.store, at: reference.url)
        request.addresses = addresses.policy(for: offer.store, at: reference.url)
        let (response, image) = try await transfers.fetch(request)
        try response.requireSuccess()
        guard reference.sha256.map({ $0 == SHA256Digest(of: image) }) ?? true else {
            throw StoreError(.previewHashMismatch, ["url": reference.url])
        }
        return (image, response.headers["content-type"])
    }
}
