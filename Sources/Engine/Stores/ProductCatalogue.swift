public import FoundationEssentials
public import StoreCatalogue
import StoreLibrary
public import StoreModel
import StoreTransfers

/// A description of one product with all details, as the result of a query.
public struct ProductOverview: Sendable {
    /// The name of the store that offers the product.
    public let store: String
    /// Whether the store's catalogue was verified with its signatures.
    public let isSigned: Bool
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
    /// Whether the installed pack has, or had, a list of its files to be verified against (``PackListing/verifiable``).
    public let isVerifiable: Bool
    /// Warnings for display about stores that did not respond, and about details that can't be used.
    public let warnings: [String]

    /// The addresses of the product's images in the store.
    public var images: ProductImageReferences { ProductImageReferences(product, details: details) }
}

/// The part of the engine for the products of all added stores: search, details and images.
public struct ProductCatalogue: Sendable {
    /// The number of images of one store for which ``withImage(_:of:store:_:)`` runs a function at once.
    static let imageLimit = 8

    let stores: StoreRegistry
    let packs: PackLister
    let credentials: StoreCredentials
    let addresses: StoreAddresses
    let transfers: any Transferring
    let settings: SettingsManager
    let images: ProductImageLoader
    let recentDetails = RecentDetails()
    /// The limits of the images that are in memory while a function uses them.
    let imagesInUse = StoreConcurrencyLimits(ProductCatalogue.imageLimit)

    /// Returns the products of all added stores that match a search.
    ///
    /// - Parameters:
    ///   - store: the name of the only store to search; `nil` searches all.
    ///   - after: the position of the last product of the previous page; `nil` begins with the first product.
    ///   - limit: the maximum number of products; `nil` is all.
    ///   - isCacheOnly: whether only cached catalogues are searched, so that no store is contacted or waited for.
    public func search(
        _ query: CatalogueQuery, in store: String? = nil, after: SearchCursor? = nil, limit: Int? = nil,
        isCacheOnly: Bool = false
    ) async -> FoundProducts {
        let known = await catalogues(of: store, isCacheOnly: isCacheOnly)
        let states = await packs.states()
        // One more, which tells whether there is a next page.
        let most = limit.map { min($0, .max - 1) + 1 } ?? .max
        var found: [(catalogue: Int, product: Catalogue.Found)] = []
        for (number, one) in known.enumerated() {
            found += one.catalogue?.search(query, in: one.store, after: after, limit: most).map { (number, $0) } ?? []
        }
        let page = found.sorted { $0.product.cursor < $1.product.cursor }.prefix(limit ?? .max)
        return FoundProducts(
            warnings: known.flatMap(\.warnings), next: page.count < found.count ? page.last?.product.cursor : nil,
            stores: known.map { ($0.store, $0.catalogue?.isSigned ?? false, $0.catalogue?.products) }, states: states,
            languages: query.languages,
            places: page.map { ($0.catalogue, $0.product.position) })
    }

    /// Returns the categories of the products of one added store, or of all, and warnings as a search has them.
    ///
    /// - Parameters:
    ///   - store: the name of the only store; `nil` is all.
    ///   - isCacheOnly: whether only cached catalogues are read, so that no store is contacted or waited for.
    public func categories(
        of store: String? = nil, isCacheOnly: Bool = false
    ) async -> (categories: [ProductCategory], warnings: [String]) {
        let known = await catalogues(of: store, isCacheOnly: isCacheOnly)
        var counts = CategoryCounts()
        for case let catalogue? in known.map(\.catalogue) { counts.add(catalogue) }
        return (counts.categories, known.flatMap(\.warnings))
    }

    private func catalogues(of store: String?, isCacheOnly: Bool) async -> [StoreRegistry.KnownCatalogue] {
        guard isCacheOnly else { return await stores.catalogues(of: store.map { [$0] }) }
        return await stores.cached().filter { store == nil || $0.store == store }
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
        let known = try await packs.library.pack(of: identifier)
        let offer: ProductOffer
        var lookup: OfferLookup?
        do {
            var found = try await stores.offers(of: store)
            defer { lookup = found }
            offer = try await found.offer(of: identifier, origin: known?.origin?.store)
        } catch {
            guard let known, let origin = known.origin, store == nil || store == origin.store else { throw error }
            return await overview(of: known, from: origin, warnings: lookup?.warnings ?? [], languages: languages)
        }
        var warnings = lookup?.warnings ?? []
        var details: ProductDetails?
        do {
            details = try await self.details(of: offer)
        } catch {
            // The catalogue's part is shown without them.
            warnings.append(
                EnglishText.filled(
                    "could not read the details of '{product}': {reason}",
                    ["product": "\(identifier)", "reason": ErrorReport(error).message]))
        }
        // Packs may be installed and removed while a store is waited for: states and pack are those of one moment.
        let states = await packs.states()
        let pack = states.packs[identifier]
        return ProductOverview(
            store: offer.store, isSigned: offer.catalogue.isSigned, product: offer.item,
            state: states.states(of: offer.item, in: offer.store),
            details: details, pack: await installed(pack, states: states, languages: languages),
            isVerifiable: pack?.isVerifiable ?? false, warnings: warnings)
    }

    private func overview(
        of pack: LibraryPack, from origin: LibraryPack.Origin, warnings: [String], languages: [String]
    ) async -> ProductOverview {
        var item = ProductItem(
            productIdentifier: pack.productIdentifier, kind: pack.kind, productName: pack.name, version: pack.version,
            productPrice: origin.price)
        item.dependencies = origin.dependencies
        item.permissions = origin.permissions.filter { !pack.kind.ownPermissions.contains($0) }
        item.resource = origin.archive.url.map {
            ContentReference(url: $0, size: origin.archive.size, sha256: origin.archive.sha256)
        }
        // The store may have offered the product before, and not know it any more.
        let installed = await installed(pack, states: packs.states(), languages: languages)
        item.withdrawn = installed?.state.contains(.withdrawn) ?? false
        return ProductOverview(
            store: origin.store, isSigned: installed?.signed ?? false, product: item, state: installed?.state ?? [],
            details: nil, pack: installed, isVerifiable: pack.isVerifiable,
            warnings: warnings)
    }

    /// Returns the description of an installed pack, with its states by the catalogue of its own store.
    private func installed(_ pack: LibraryPack?, states: ProductStates, languages: [String]) async -> InstalledPack? {
        guard let pack else { return nil }
        return packs.installedPack(
            pack, states: states, catalogues: await stores.cachedCatalogues(), languages: languages)
    }

    /// Fetches the details document of a product; `nil` if the product has none.
    ///
    /// Calls at the same time share one fetch.
    ///
    /// - Parameter usingKept: whether details that were fetched before are used, as they are for images.
    /// - Throws: `catalogue.too-large`, `catalogue.malformed`, `content.hash-mismatch`; the errors of a transfer;
    ///   `CancellationError`.
    func details(of offer: ProductOffer, usingKept: Bool = false) async throws -> ProductDetails? {
        guard let reference = offer.item.details else { return nil }
        return try await recentDetails.details(for: RecentDetails.Key(offer), usingKept: usingKept) {
            try await fetchDetails(reference, of: offer.store)
        }
    }

    private func fetchDetails(_ reference: ContentReference, of store: String) async throws -> ProductDetails? {
        // The details add to what is known already, so that they must not delay it.
        var timeouts = TransferTimeouts(settings.current)
        timeouts.whole = settings.current.catalogueWaitTimeout
        let fetcher = CatalogueFetcher(
            transfers: transfers, timeouts: timeouts, retry: .init(attempts: 1),
            authorization: { [credentials] in credentials.authorization(for: store, at: $0) },
            addresses: { [addresses] in addresses.policy(for: store) })
        let limits = CatalogueLimits(settings.current)
        let limit = min(reference.size ?? limits.detailsSize, limits.detailsSize)
        let fetched = try await fetcher.fetch(
            reference.url, ifNoneMatch: nil, ifModifiedSince: nil, sizeLimit: limit)
        switch fetched {
        case .document(let data, _, _, let url):
            let found = SHA256Digest(of: data)
            if let expected = reference.sha256, found != expected {
                throw StoreError(
                    .contentHashDiffers, ["url": reference.url, "found": found.hex, "expected": expected.hex])
            }
            return try DetailsDocument.parse(data, url: url, limits: limits)
        case .tooLarge:
            throw StoreError(
                .catalogueDocumentTooLarge,
                ["document": "details document '\(reference.url.withoutSecrets)'", "limit": .bytes(limit)])
        case .missing, .notModified:
            return nil
        }
    }

    /// Returns an image of a product, and the media type of its content.
    ///
    /// It comes from the cache if it is there. The store's cached catalogue decides which image it is, so that a list
    /// with many icons contacts the store for the missing icons only.
    ///
    /// - Throws: as ``product(_:store:languages:)``; `product.no-preview`, `product.no-image`; the errors of the details
    ///   document where only that may name the image; `content.hash-mismatch`
    ///   where the image does not have the hash of the catalogue; `content.…` where it is no image, or one that packs
    ///   must not contain; the errors of a transfer.
    public func image(
        _ image: ProductImage, of identifier: String, store: String?
    ) async throws -> (data: Data, mediaType: String) {
        let (reference, store) = try await imageReference(image, of: identifier, store: store)
        return try await images.image(reference, of: store)
    }

    /// Calls a function (`body`) with an image of a product, and returns its result.
    ///
    /// Of one store, only a few images are in memory at once until their functions have ended, such as one that makes a
    /// thumbnail and has to wait for that.
    ///
    /// - Throws: as ``image(_:of:store:)``; what `body` throws; `CancellationError`.
    public func withImage<Value: Sendable>(
        _ image: ProductImage, of identifier: String, store: String?,
        _ body: @escaping @Sendable ((data: Data, mediaType: String)) async throws -> Value
    ) async throws -> Value {
        let (reference, store) = try await imageReference(image, of: identifier, store: store)
        return try await imagesInUse[store].run { try await body(images.image(reference, of: store)) }
    }

    /// Returns the reference to an image of a product, and the store that offers the product.
    private func imageReference(
        _ image: ProductImage, of identifier: String, store: String?
    ) async throws -> (reference: ContentReference, store: String) {
        let offer = try await knownOffer(of: identifier, store: store)
        let references = try await imageReferences(of: offer, for: image)
        guard let reference = references[image] else {
            switch image {
            case .preview(let number):
                throw StoreError(
                    .noSuchPreview,
                    ["product": identifier, "number": number, "count": references.previews.count])
            case .icon, .image, .sprite:
                throw StoreError(
                    .noSuchImage, ["product": identifier, "image": "\(image.name)", "store": offer.store])
            }
        }
        return (reference, offer.store)
    }

    /// Returns the offer of a product in the store's cached catalogue, or in the current one if it is not there.
    private func knownOffer(of identifier: String, store: String?) async throws -> ProductOffer {
        guard let store else {
            let origin = try await packs.library.packInPlace(of: identifier)?.origin?.store
            return try await stores.resolve(identifier, store: nil, origin: origin)
        }
        if let catalogue = await stores.cached(of: [store]).first?.catalogue, let item = catalogue[identifier] {
            return ProductOffer(store: store, catalogue: catalogue, item: item)
        }
        return try await stores.resolve(identifier, store: store, origin: nil)
    }

    /// Returns the addresses of a product's images, from its details document too if one image may only be there.
    private func imageReferences(
        of offer: ProductOffer, for image: ProductImage
    ) async throws -> ProductImageReferences {
        let known = ProductImageReferences(offer.item, details: nil)
        let isKnown = image == .image ? offer.item.details == nil : known[image] != nil
        if isKnown || !known.previews.isEmpty && image.isPreview { return known }
        do {
            return ProductImageReferences(offer.item, details: try await details(of: offer, usingKept: true))
        } catch  where known[image] != nil && !(error is CancellationError) {
            // Without the details, the product has the images of the catalogue.
            return known
        }
    }
}

extension ProductImage {
    fileprivate var isPreview: Bool { if case .preview = self { true } else { false } }
}
