import Engine
import Hummingbird
import StoreAPI

extension RouteTable {
    /// `/v1/purchases`: the user's list of purchases.
    mutating func addPurchases(_ manager: StoreManager) {
        get("/v1/purchases") { _ in
            try .json(PurchaseList(purchases: await manager.purchases()))
        }
        on(.put, "/v1/purchases/:id") { call in
            try .json(await manager.grant(call.identifier()))
        }
        on(.delete, "/v1/purchases/:id") { call in
            try await manager.revoke(call.identifier())
            return Response(status: .noContent)
        }
    }
}
