import FoundationEssentials
import Hummingbird
import StoreAPI
import StoreCatalogue
import StoreEngine
import StoreModel
import StoreTransfers

extension RouteTable {
    /// `/v1/products`: what the stores have.
    mutating func addProducts(_ manager: StoreManager) {
        get(
            "/v1/products",
            Endpoint(
                "products", "Finds products in all stores.",
                [
                    .query("words", .text, "Apart by spaces; each must be found in a product's texts."),
                    .query("kind", .name, "Only products of this kind."),
                    .query("category", .name, "Only products of this category."),
                    .query("free", .flag, "Only what costs nothing."),
                    .query("sort", .words(of: CatalogueQuery.Sort.self), "Their order; by `name` unless given."),
                ] + .languages + .pages("How many at most; all unless given."),
                .ok("ProductList", "Those that were found, and what to know of stores that could not be asked."))
        ) { request in
            let query = CatalogueQuery(
                words: request.query("words")?.split(separator: " ").map(String.init) ?? [],
                kind: request.query("kind").map(ProductKind.init), category: request.query("category"),
                freeOnly: request.flag("free"), sort: request.query("sort").flatMap(CatalogueQuery.Sort.init) ?? .name,
                languages: request.languages)
            let found = await manager.products.search(
                query, after: try request.after { CataloguePlace($0.place) }, limit: request.limit)
            let next = found.next.map { PageToken($0.parts).text }
            return try request.answer(ProductList(products: found.products, warnings: found.warnings, next: next))
        }
        get(
            "/v1/products/:store/:id",
            Endpoint(
                "product", "All that is known of a product, its details fetched.", .languages,
                .ok("ProductOverview", "The product."), problems: ErrorCode.ofProducts)
        ) { request in
            try request.answer(
                ProductDocument(
                    await manager.products.product(
                        request.identifier(), store: request.identifier("store"), languages: request.languages)))
        }
        get(
            "/v1/products/:store/:id/previews/:number",
            Endpoint(
                "preview", "One of the pictures that show a product in use.",
                [.path("number", .count, "Counted from 0.")],
                .ok(.file, "The picture, of the type that the store says."),
                problems: ErrorCode.ofProducts + [.noPreview, .contentHashMismatch])
        ) { request in
            let preview = try await manager.products.preview(
                Int(request.identifier("number")) ?? 0, of: request.identifier(), store: request.identifier("store"))
            return request.answer(preview.image, type: preview.mediaType ?? "application/octet-stream")
        }
        // The router wants parts in the same place to have the same name.
        get(
            "/v1/products/:store",
            Endpoint(
                "productOfAnyStore", "The same of whichever store the identifier means.",
                [.path("store", .name, "A productIdentifier.")] + .languages,
                .ok("ProductOverview", "The product."), problems: ErrorCode.ofProducts)
        ) { request in
            try request.answer(
                ProductDocument(
                    await manager.products.product(
                        request.identifier("store"), store: nil, languages: request.languages)))
        }
    }
}

extension ProductDocument {
    fileprivate init(_ found: ProductOverview) {
        self.init(
            store: found.store, product: found.product, state: found.state, details: found.details, pack: found.pack)
    }
}
