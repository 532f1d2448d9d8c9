import Catalogue
import Engine
import Hummingbird
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
        get("/v1/products/:store") { call in
            // One segment is a product, of the store that the rule of priorities gives.
            try await product(call.identifier("store"), in: nil, call, manager)
        }
        get("/v1/products/:store/:id") { call in
            try await product(call.identifier(), in: call.identifier("store"), call, manager)
        }
        get("/v1/products/:store/:id/previews/:number") { call in
            let number = Int(try call.identifier("number")) ?? -1
            let (data, url) = try await manager.preview(
                number, of: call.identifier(), store: call.identifier("store"))
            return Response(
                status: .ok, headers: [.contentType: FileAnswer.mediaType(of: url.path())],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
        }
    }
}

private func product(
    _ identifier: String, in store: String?, _ call: Call, _ manager: StoreManager
) async throws -> Response {
    let found = try await manager.product(identifier, store: store, languages: call.languages)
    return try .json(
        ProductDocument(
            store: found.store, product: found.product, state: found.state, details: found.details, pack: found.pack))
}
