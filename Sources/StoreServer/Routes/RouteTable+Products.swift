import Catalogue
import Engine
import StoreAPI
import StoreModel

extension RouteTable {
    /// `/v1/products`: what the stores have.
    mutating func addProducts(_ manager: StoreManager) {
        get("/v1/products") { call in
            let sort = try call.query("sort", expected: "name, newest, popular or price") {
                CatalogueQuery.Sort(rawValue: $0)
            }
            let query = CatalogueQuery(
                words: call.query("words")?.split(separator: " ").map(String.init) ?? [],
                kind: call.query("kind").map(ProductKind.init), category: call.query("category"),
                freeOnly: try call.flag("free"), sort: sort ?? .name, languages: call.languages)
            let found = await manager.search(query)
            return try .json(ProductList(products: found.products, warnings: found.warnings))
        }
        get("/v1/products/:store/:id") { call in
            let found = try await manager.product(
                call.identifier(), store: call.identifier("store"), languages: call.languages)
            return try .json(
                ProductDocument(
                    store: found.store, product: found.product, state: found.state, details: found.details,
                    pack: found.pack))
        }
    }
}
