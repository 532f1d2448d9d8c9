import Hummingbird
import StoreAPI
import StoreEngine
import StoreModel
import StoreOpenAPI

extension RouteTable {
    /// Adds the HTTP routes below `/v1/purchases`: the user's list of purchases.
    mutating func addPurchases(_ manager: StoreManager) {
        get(
            "/v1/purchases",
            Endpoint(
                "purchases", "The user's list of purchases.",
                .ok(PurchaseList.self, "The entries, in the order of their productIdentifiers."))
        ) { request in
            try request.response(PurchaseList(purchases: await manager.purchases.list()))
        }
        on(
            .put, "/v1/purchases/:id",
            Endpoint(
                "grantPurchase", "Adds a product to the list. An existing entry is not changed.",
                .ok(Purchase.self, "The entry."))
        ) { request in
            try .json(await manager.purchases.grant(request.identifier()))
        }
        on(
            .delete, "/v1/purchases/:id",
            Endpoint(
                "revokePurchase", "Removes a product from the list. An installed pack is not removed.",
                .noContent("The product is not on the list any more."), errors: [.notOnList])
        ) { request in
            try await manager.purchases.revoke(request.identifier())
            return Response(status: .noContent)
        }
    }
}
