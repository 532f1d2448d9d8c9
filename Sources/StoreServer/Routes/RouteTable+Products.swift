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
        ) { call in
            let query = CatalogueQuery(
                words: call.query("words")?.split(separator: " ").map(String.init) ?? [],
                kind: call.query("kind").map(ProductKind.init), category: call.query("category"),
                freeOnly: call.flag("free"), sort: call.query("sort").flatMap(CatalogueQuery.Sort.init) ?? .name,
                languages: call.languages)
            let found = await manager.search(
                query, after: try call.after { CataloguePlace($0.place) }, limit: call.limit)
            let next = found.next.map { Cursor($0.parts).text }
            return try call.answer(ProductList(products: found.products, warnings: found.warnings, next: next))
        }
        get(
            "/v1/products/:store/:id",
            Endpoint(
                "product", "All that is known of a product, its details fetched.", .languages,
                .ok("ProductOverview", "The product."), problems: ErrorCode.ofProducts)
        ) { call in
            try call.answer(
                ProductDocument(
                    await manager.product(
                        call.identifier(), store: call.identifier("store"), languages: call.languages)))
        }
        get(
            "/v1/products/:store/:id/previews/:number",
            Endpoint(
                "preview", "One of the pictures that show a product in use.",
                [.path("number", .count, "Counted from 0.")],
                .ok(.file, "The picture, of the type that the store says."),
                problems: ErrorCode.ofProducts + [.noPreview, .contentHashMismatch])
        ) { call in
            let preview = try await manager.preview(
                Int(call.identifier("number")) ?? 0, of: call.identifier(), store: call.identifier("store"))
            return call.answer(preview.image, type: preview.mediaType ?? "application/octet-stream")
        }
        // The router wants parts in the same place to have the same name.
        get(
            "/v1/products/:store",
            Endpoint(
                "productOfAnyStore", "The same of whichever store the identifier means.",
                [.path("store", .name, "A productIdentifier.")] + .languages,
                .ok("ProductOverview", "The product."), problems: ErrorCode.ofProducts)
        ) { call in
            try call.answer(
                ProductDocument(
                    await manager.product(call.identifier("store"), store: nil, languages: call.languages)))
        }
    }
}

extension ProductDocument {
    fileprivate init(_ found: ProductOverview) {
        self.init(
            store: found.store, product: found.product, state: found.state, details: found.details, pack: found.pack)
    }
}
