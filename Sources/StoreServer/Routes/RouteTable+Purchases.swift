import Hummingbird
import StoreAPI
import StoreEngine

extension RouteTable {
    /// `/v1/purchases`: the user's list of purchases.
    mutating func addPurchases(_ manager: StoreManager) {
        get(
            "/v1/purchases",
            Endpoint("purchases", "The user's list of purchases.", .ok("PurchaseList", "By productIdentifier."))
        ) { request in
            try request.answer(PurchaseList(purchases: await manager.purchases.list()))
        }
        on(
            .put, "/v1/purchases/:id",
            Endpoint(
                "grantPurchase", "Puts a product on the list; one that is on it stays as it is.",
                .ok("Purchase", "The entry that is on the list now."))
        ) { request in
            try .json(await manager.purchases.grant(request.identifier()))
        }
        on(
            .delete, "/v1/purchases/:id",
            Endpoint(
                "revokePurchase", "Takes a product from the list. What is installed stays.",
                .noContent("It is not on the list any more."), problems: [.notOnList])
        ) { request in
            try await manager.purchases.revoke(request.identifier())
            return Response(status: .noContent)
        }
    }
}
