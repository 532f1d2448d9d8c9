import FoundationEssentials
import Hummingbird
import StoreAPI
import StoreCatalogue
import StoreEngine
import StoreModel
import StoreOpenAPI
import StoreTransfers

extension RouteTable {
    /// Adds the HTTP routes below `/v1/products`, and `/v1/categories`: the products of all stores.
    mutating func addProducts(_ manager: StoreManager) {
        get(
            "/v1/products",
            Endpoint(
                "products", "Searches the products of all stores.",
                [
                    .query("words", .text, "Words separated by spaces; each has to occur in a product's texts."),
                    .query(
                        "named", .nonEmptyText,
                        "Only products with this name or identifier, or whose identifier ends with it after a dot."),
                    .query("kind", .nonEmptyText, "Only products of this kind."),
                    .query("category", .nonEmptyText, "Only products of this category."),
                    .query("store", .nonEmptyText, "Only products of this store."),
                    .query("free", .boolean, "Only products that cost nothing."),
                    .query(
                        "cached", .boolean, "Only what is cached; no store is contacted, also if it is out of date."),
                    .query("sort", .enumeration(of: SearchOrder.self), "The order; `name` by default."),
                ] + .languages + .pages("The maximum number of products; all by default."),
                .ok(ProductList.self, "The products found, and warnings about stores that did not respond."),
                errors: [.storeUnknown])
        ) { request in
            let store = request.query("store")
            if let store { _ = try await manager.stores.store(store) }
            let query = CatalogueQuery(
                words: request.query("words")?.split(separator: " ").map(String.init) ?? [],
                named: request.query("named"), kind: request.query("kind").map(ProductKind.init),
                category: request.query("category"), freeOnly: request.flag("free"),
                sort: request.query("sort").flatMap(SearchOrder.init) ?? .name,
                languages: request.languages)
            let found = await manager.products.search(
                query, in: store, after: try request.pageStart { SearchCursor($0.position) }, limit: request.limit,
                isCacheOnly: request.flag("cached"))
            let next = found.next.map { PageToken($0.parts).text }
            // The members of a `ProductList`, in the order of their names.
            var document = LargeDocument()
            if let next { try document.add("next", next) }
            try document.addArray("products", count: found.count) { range in
                found.products(in: range) { item, store in
                    item.image.map {
                        ProductImage.icon.path(of: item.productIdentifier, store: store, sha256: $0.sha256)
                    }
                }
            }
            try document.add("warnings", found.warnings)
            return try request.response(document)
        }
        get(
            "/v1/categories",
            Endpoint(
                "categories", "The categories of the products of all stores, or of one.",
                [
                    .query("store", .nonEmptyText, "Only products of this store."),
                    .query(
                        "cached", .boolean, "Only what is cached; no store is contacted, also if it is out of date."),
                ],
                .ok(CategoryList.self, "The categories, and warnings about stores that did not respond."),
                errors: [.storeUnknown])
        ) { request in
            let store = request.query("store")
            if let store { _ = try await manager.stores.store(store) }
            let (categories, warnings) = await manager.products.categories(
                of: store, isCacheOnly: request.flag("cached"))
            return try request.response(CategoryList(categories: categories, warnings: warnings))
        }
        get(
            "/v1/products/:store/:id",
            Endpoint(
                "product", "Everything known about a store's product, its details included.", .languages,
                .ok(ProductDocument.self, "The product."), errors: ErrorCode.ofProducts)
        ) { request in
            try request.response(
                ProductDocument(
                    await manager.products.product(
                        request.identifier(), store: request.identifier("store"), languages: request.languages)))
        }
        addImages(manager)
        get(
            "/v1/products/:id",
            Endpoint(
                "productOfAnyStore",
                "Everything known about a product, of the store of the greatest priority that offers it.", .languages,
                .ok(ProductDocument.self, "The product."), errors: ErrorCode.ofProducts),
            routerPath: "/v1/products/:store"
        ) { request in
            try request.response(
                ProductDocument(
                    await manager.products.product(
                        request.identifier("store"), store: nil, languages: request.languages)))
        }
    }

    /// Adds the HTTP routes for the images of products, so that pages need not contact stores.
    private mutating func addImages(_ manager: StoreManager) {
        addImage(
            "icon", Endpoint.productImage("productIcon", "The image of a product for lists.", errors: [.noImage]),
            manager
        ) { _ in .icon }
        addImage(
            "image",
            Endpoint.productImage("productImage", "The image for the description of a product.", errors: [.noImage]),
            manager
        ) { _ in .image }
        addImage(
            "sprite",
            Endpoint.productImage("productSprite", "One image that shows a product's content.", errors: [.noImage]),
            manager
        ) { _ in .sprite }
        addImage(
            "previews/:number",
            Endpoint.productImage(
                "preview", "One of the images that show a product in use.",
                [.path("number", .count, "The position in the list of previews, counted from 0.", example: 0)],
                errors: [.noPreview]),
            manager
        ) { .preview(try $0.number("number")) }
    }

    private mutating func addImage(
        _ path: String, _ endpoint: Endpoint, _ manager: StoreManager,
        _ image: @escaping @Sendable (APIRequest) throws -> ProductImage
    ) {
        get("/v1/products/:store/:id/" + path, endpoint) { request in
            let (original, (data, mediaType)) = try await request.image(image(request), manager)
            var headers = HTTPFields.untrustedContent
            // At a path with its hash, an image never changes. Others are compared by their entity tag each time, as is
            // an image of which no thumbnail could be made now.
            let isComplete = request.query("size") == nil || data != original.data
            let isPermanent = isComplete && request.query("sha256") == SHA256Digest(of: original.data).hex
            headers[.cacheControl] = isPermanent ? "private, max-age=31536000, immutable" : "private, no-cache"
            return request.response(data, mediaType: mediaType, headers: headers)
        }
    }
}

extension APIRequest {
    /// Returns an image of the product that the request names, and the image to send: its thumbnail.
    ///
    /// If the request names no size, or no thumbnail can be made, the original image is sent.
    fileprivate func image(
        _ image: ProductImage, _ manager: StoreManager
    ) async throws -> (original: (data: Data, mediaType: String), shown: (data: Data, mediaType: String)) {
        let (product, store) = (try identifier(), try identifier("store"))
        guard query("size") != nil else {
            let original = try await cancelledOnClose {
                try await manager.products.image(image, of: product, store: store)
            }
            return (original, original)
        }
        return try await cancelledOnClose {
            try await manager.products.withImage(image, of: product, store: store) { original in
                (original, try await thumbnail(insteadOf: original, manager))
            }
        }
    }
}

extension Endpoint {
    /// Creates the description of a route that serves an image of a product.
    fileprivate static func productImage(
        _ name: String, _ summary: String, _ parameters: [Parameter] = [], errors: [ErrorCode]
    ) -> Endpoint {
        Endpoint(
            name, summary,
            parameters + [
                .query(
                    "sha256", .text(.sha256),
                    "The hash of the image that the client wants to keep. If it is that of the image, the response may "
                        + "be cached for good."),
                .optionalThumbnailSize,
            ],
            .ok(.image, "The image, of the media type of its content."),
            errors: ErrorCode.ofProducts + ErrorCode.ofTransfers + ErrorCode.ofImages
                + [.contentHashMismatch, .catalogueMalformed, .catalogueTooLarge] + errors)
    }
}

extension ProductDocument {
    fileprivate init(_ overview: ProductOverview) {
        self.init(
            store: overview.store, signed: overview.isSigned, product: overview.product,
            images: ProductImages(overview), state: overview.state,
            details: overview.details, pack: overview.pack,
            warnings: overview.warnings)
    }
}

extension ProductImages {
    init(_ overview: ProductOverview) {
        let references = overview.images
        let path = { (image: ProductImage) in
            references[image].map {
                image.path(of: overview.product.productIdentifier, store: overview.store, sha256: $0.sha256)
            }
        }
        self.init(
            icon: path(.icon), image: path(.image), sprite: path(.sprite),
            previews: references.previews.indices.compactMap { path(.preview($0)) })
    }
}
