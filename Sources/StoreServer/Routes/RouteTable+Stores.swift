import Hummingbird
import StoreAPI
import StoreEngine
import StoreModel
import StoreOpenAPI

extension RouteTable {
    /// Adds the HTTP routes below `/v1/stores` and `/v1/refresh`: the stores that the user added, and their catalogues.
    mutating func addStores(_ manager: StoreManager) {
        get(
            "/v1/stores", Endpoint("stores", "The configured stores.", .ok(StoreList.self, "The stores."))
        ) { request in
            try request.response(StoreList(stores: await manager.stores.list()))
        }
        on(
            .post, "/v1/stores",
            Endpoint(
                "addStore", "Adds a store, after its catalogue was fetched and read.", body: AddStoreRequest.self,
                .created(StoreSummary.self, "The store. Adding the same store again changes what is given."),
                errors: [
                    .storeBadName, .storeBadAddress, .storeBadCredentials, .storeExists, .storeUnsigned,
                    .trustRootNeeded, .trustFingerprint, .trustDowngrade,
                ] + ErrorCode.ofTrust + ErrorCode.ofCatalogues)
        ) { request in
            let body = try await request.body(AddStoreRequest.self)
            let store = try await manager.stores.add(
                name: body.name, url: body.url, unsigned: body.unsigned ?? false,
                root: body.root.map(StoreRoot.data) ?? body.rootURL.map(StoreRoot.url), fingerprint: body.fingerprint,
                priority: body.priority, token: body.token, netrc: body.netrc)
            return try .json(store, status: .created)
        }
        get(
            "/v1/stores/:name",
            Endpoint("store", "One store.", .ok(StoreSummary.self, "The store."), errors: [.storeUnknown])
        ) { request in
            try request.response(await manager.stores.store(request.identifier("name")))
        }
        get(
            "/v1/stores/:name/trust",
            Endpoint(
                "storeTrust", "The roles, keys and publishers of one store, and its last verification.",
                .ok(StoreTrustReport.self, "The basis on which the store's catalogue is accepted."),
                errors: [.storeUnknown])
        ) { request in
            try request.response(await manager.stores.trust(in: request.identifier("name")))
        }
        on(
            .delete, "/v1/stores/:name",
            Endpoint(
                "removeStore", "Removes a store. Packs installed from it are not removed.",
                .noContent("The store is removed."), errors: [.storeUnknown])
        ) { request in
            try await manager.stores.remove(request.identifier("name"))
            return Response(status: .noContent)
        }
        on(
            .post, "/v1/refresh",
            Endpoint(
                "refresh",
                "Fetches the catalogues. A store that fails does not stop the others; its `error` has the reason.",
                [.query("store", .nonEmptyText, "Only this store.")],
                .ok(StoreList.self, "The stores after the refresh."),
                errors: [.storeUnknown])
        ) { request in
            try .json(StoreList(stores: await manager.stores.refresh(request.query("store").map { [$0] })))
        }
    }
}
