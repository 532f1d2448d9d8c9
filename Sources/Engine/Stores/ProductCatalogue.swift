public import FoundationEssentials
public import StoreCatalogue
import StoreImages
import StoreLibrary
public import StoreModel
import StoreSystem
import StoreTransfers

/// A description of one product with all details, as the result of a query.
public struct ProductOverview: Sendable {
    /// The name of the store that offers the product.
    public let store: String
    /// The product's entry in the store's catalogue.
    public let product: ProductItem
    /// The product's states, such as "downloaded", the most important first.
    ///
    /// A front-end with room for one shows the first.
    public let state: [ProductState]
    /// The contents of the product's details document; `nil` if the product has none or it can't be fetched.
    public let details: ProductDetails?
    /// The installed pack of the product; `nil` if it is not installed.
    public let pack: InstalledPack?
    /// Warnings for display about stores that did not respond.
    public let warnings: [String]
}

/// The part of the engine for the products of all added stores: search, details and preview images.
public struct ProductCatalogue: Sendable {
    let stores: StoreRegistry
    let packs: PackLister
    let credentials: StoreCredentials
    let addresses: StoreAddresses
    let transfers: any Transferring
    let settings: SettingsManager

    /// Returns the products of all added stores that match a search.
    ///
    /// - Parameters:
    ///   - after: the position of the last product of the previous page; `nil` begins with the first product.
    ///   - limit: the maximum number of products; `nil` is all.
    /// - Returns: the products; warnings about stores that did not respond; and as `next` the position of the last
    ///   product, if more follow.
    public func search(
        _ query: CatalogueQuery, after: SearchCursor? = nil, limit: Int? = nil
    ) async -> (products: [ProductSummary], warnings: [String], next: SearchCursor?) {
        let known = await stores.catalogues()
        let states = await packs.states()
        // Positions instead of products, which would be copied (``Catalogue/positions(matching:)``).
        var found: [(catalogue: Int, position: Int, place: SearchCursor)] = []
        for (number, one) in known.enumerated() {
            guard let catalogue = one.catalogue else { continue }
            for position in catalogue.positions(matching: query) {
                let place = query.cursor(of: catalogue.products[position], in: one.store)
                if let after, place <= after { continue }
                found.append((number, position, place))
            }
        }
        found.sort { $0.place < $1.place }
        let page = found.prefix(limit ?? .max)
        let products = page.compactMap { found -> ProductSummary? in
            let (store, item) = (
                known[found.catalogue].store, known[found.catalogue].catalogue?.products[found.position]
            )
            return item.map {
                ProductSummary(
                    $0, store: store, state: states.states(of: $0, in: store), languages: query.languages)
            }
        }
        return (products, known.compactMap(\.warning), page.count < found.count ? page.last?.place : nil)
    }

    /// Returns all details of a product; if no store responds, the details of the installed pack.
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
        var lookup: OfferLookup?
        do {
            var found = try await stores.offers(of: store)
            defer { lookup = found }
            offer = try await found.offer(of: identifier, origin: pack?.origin?.store)
        } catch {
            guard let pack, let origin = pack.origin, store == nil || store == origin.store else { throw error }
            return await overview(of: pack, from: origin, warnings: lookup?.warnings ?? [], languages: languages)
        }
        let states = await packs.states()
        return ProductOverview(
            store: offer.store, product: offer.item, state: states.states(of: offer.item, in: offer.store),
            details: await details(of: offer),
            pack: pack.map {
                packs.installedPack(
                    $0, states: states, catalogues: [offer.store: offer.catalogue], languages: languages)
            }, warnings: lookup?.warnings ?? [])
    }

    private func overview(
        of pack: LibraryPack, from origin: LibraryPack.Origin, warnings: [String], languages: [String]
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
            pack: packs.installedPack(pack, states: states, catalogues: [:], languages: languages), warnings: warnings)
    }

    private func details(of offer: ProductOffer) async -> ProductDetails? {
        guard let reference = offer.item.details else { return nil }
        // The details add to what is known already, so that they must not delay it.
        var timeouts = TransferTimeouts(settings.current)
        timeouts.whole = settings.current.catalogueWaitTimeout
        let fetcher = CatalogueFetcher(
            transfers: transfers, timeouts: timeouts, retry: .init(attempts: 1),
            authorization: { [credentials] in credentials.authorization(for: offer.store, at: $0) },
            addresses: { [addresses] in addresses.policy(for: offer.store, at: $0) })
        let limits = CatalogueLimits(settings.current)
        let limit = min(reference.size ?? limits.detailsSize, limits.detailsSize)
        guard
            case .document(let data, _, _, let url)? = try? await fetcher.fetch(
                reference.url, ifNoneMatch: nil, ifModifiedSince: nil, sizeLimit: limit),
            reference.sha256.map({ $0 == SHA256Digest(of: data) }) ?? true
        else { return nil }
        return try? DetailsDocument.parse(data, url: url, limits: limits)
    }

    /// Returns a preview image of a product, and the media type of its content.
    ///
    /// The image is checked each time, as images in packs are: what the server declares it to be does not count.
    ///
    /// - Parameter number: the index of the image, from 0.
    /// - Throws: as ``product(_:store:languages:)``; `product.no-preview`; `content.hash-mismatch` where the image does
    ///   not have the hash of the catalogue; `content.…` where it is no image, or one that packs must not contain; the
    ///   errors of a transfer.
    public func preview(
        _ number: Int, of identifier: String, store: String?
    ) async throws -> (image: Data, mediaType: String) {
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
        let format = try await Self.checking.run { [limits = ImageLimits(settings.current)] in
            do {
                return try ImageReader(limits: limits).read(Array(image)).format
            } catch let error as StoreError where error.isImageError {
                throw StoreError(.previewRefused, ["url": reference.url], cause: error)
            }
        }
        return (image, format.mediaType)
    }

    /// The queue for checking images, which takes a while for large ones.
    private static let checking = BlockingWork(label: "engine.previews", concurrent: true)
}
