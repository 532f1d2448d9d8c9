import FoundationEssentials
import Hummingbird
import StoreAPI
import StoreCatalogue
import StoreEngine
import StoreModel
import StoreOpenAPI
import StoreTransfers

extension RouteTable {
    /// Adds the HTTP routes below `/v1/products`: the products of all stores.
    mutating func addProducts(_ manager: StoreManager) {
        get(
            "/v1/products",
            Endpoint(
                "products", "Searches the products of all stores.",
                [
                    .query("words", .text, "Words separated by spaces; each has to occur in a product's texts."),
                    .query("kind", .nonEmptyText, "Only products of this kind."),
                    .query("category", .nonEmptyText, "Only products of this category."),
                    .query("free", .boolean, "Only products that cost nothing."),
                    .query("sort", .enumeration(of: SearchOrder.self), "The order; `name` by default."),
                ] + .languages + .pages("The maximum number of products; all by default."),
                .ok(ProductList.self, "The products found, and warnings about stores that did not respond."))
        ) { request in
            let query = CatalogueQuery(
                words: request.query("words")?.split(separator: " ").map(String.init) ?? [],
                kind: request.query("kind").map(ProductKind.init), category: request.query("category"),
                freeOnly: request.flag("free"), sort: request.query("sort").flatMap(SearchOrder.init) ?? .name,
                languages: request.languages)
            let found = await manager.products.search(
                query, after: try request.pageStart { SearchCursor($0.position) }, limit: request.limit)
            let next = found.next.map { PageToken($0.parts).text }
            return try request.response(ProductList(products: found.products, warnings: found.warnings, next: next))
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
        get(
            "/v1/products/:store/:id/previews/:number",
            Endpoint(
                "preview", "One of the images that show a product in use.",
                [.path("number", .count, "The position in the list of previews, counted from 0.")],
                .ok(.file, "The image, of the media type of its content."),
                errors: ErrorCode.ofProducts + ErrorCode.ofTransfers + ErrorCode.ofImages
                    + [.noPreview, .contentHashMismatch])
        ) { request in
            let preview = try await manager.products.preview(
                Int(request.identifier("number")) ?? 0, of: request.identifier(), store: request.identifier("store"))
            return request.response(preview.image, mediaType: preview.mediaType, headers: .untrustedContent)
        }
        // Hummingbird's router requires path parameters at the same position to have the same name.
        get(
            "/v1/products/:store",
            Endpoint(
                "productOfAnyStore",
                "Everything known about a product, of the store of the greatest priority that offers it.",
                [.path("store", .nonEmptyText, "A productIdentifier.")] + .languages,
                .ok(ProductDocument.self, "The product."), errors: ErrorCode.ofProducts)
        ) { request in
            try request.response(
                ProductDocument(
                    await manager.products.product(
                        request.identifier("store"), store: nil, languages: request.languages)))
        }
    }
}

extension ProductDocument {
    fileprivate init(_ overview: ProductOverview) {
        self.init(
            store: overview.store, product: overview.product, state: overview.state, details: overview.details,
            pack: overview.pack, warnings: overview.warnings.isEmpty ? nil : overview.warnings)
    }
}
