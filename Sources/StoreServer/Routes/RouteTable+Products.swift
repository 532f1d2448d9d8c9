import Catalogue
import Engine
import FoundationEssentials
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
        get("/v1/products/:store/:id") { call in
            try .json(
                ProductDocument(
                    await manager.product(
                        call.identifier(), store: call.identifier("store"), languages: call.languages)))
        }
        get("/v1/products/:store/:id/previews/:number") { call in
            let name = try call.identifier("number")
            guard let number = Int(name) else {
                throw ServerError(.requestMalformed, "'\(name)' is no number of a picture; they count from 0.")
            }
            let preview = try await manager.preview(
                number, of: call.identifier(), store: call.identifier("store"))
            return Response(
                status: .ok, headers: [.contentType: preview.mediaType ?? "application/octet-stream"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: preview.image)))
        }
        // Of whichever store the identifier means. The router wants parts in the same place to have the same name.
        get("/v1/products/:store") { call in
            try .json(
                ProductDocument(
                    await manager.product(call.identifier("store"), store: nil, languages: call.languages)))
        }
    }
}

extension ProductDocument {
    fileprivate init(_ found: ProductDescription) {
        self.init(
            store: found.store, product: found.product, state: found.state, details: found.details, pack: found.pack)
    }
}
