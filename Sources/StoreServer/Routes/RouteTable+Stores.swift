import Engine
import Hummingbird
import StoreAPI

extension RouteTable {
    /// `/v1/stores` and `/v1/refresh`: which stores are used.
    mutating func addStores(_ manager: StoreManager) {
        get("/v1/stores") { _ in
            try .json(StoreList(stores: await manager.storeList()))
        }
        on(.post, "/v1/stores") { call in
            let wanted = try await call.body(AddStoreRequest.self)
            let store = try await manager.addStore(
                name: wanted.name, url: wanted.url, unsigned: wanted.unsigned ?? false, priority: wanted.priority ?? 0,
                token: wanted.token, netrc: wanted.netrc ?? false)
            return try .json(store, status: .created)
        }
        get("/v1/stores/:name") { call in
            try .json(await manager.store(call.identifier("name")))
        }
        on(.delete, "/v1/stores/:name") { call in
            try await manager.removeStore(call.identifier("name"))
            return Response(status: .noContent)
        }
        on(.post, "/v1/refresh") { call in
            try .json(StoreList(stores: await manager.refresh(call.query("store").map { [$0] })))
        }
    }
}
