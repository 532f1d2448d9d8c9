import Hummingbird
import StoreAPI
import StoreEngine

extension RouteTable {
    /// `/v1/updates`: what could be updated, and doing it.
    mutating func addUpdates(_ manager: StoreManager) {
        get(
            "/v1/updates",
            Endpoint(
                "updates", "What could be updated, and why not what is not. Refreshes what is older than a setting.",
                .ok("UpdateList", "The updates."))
        ) { request in
            let found = try await manager.updates.available()
            return try request.answer(UpdateList(updates: found.updates, warnings: found.warnings, error: found.error))
        }
        on(
            .post, "/v1/updates",
            Endpoint(
                "update", "Brings packs to the version that their stores have now.", body: "UpdateRequest",
                .accepted("ResultList", "The operation that was begun for each, or the error."))
        ) { request in
            let wanted = try await request.body(UpdateRequest.self)
            let begun = try await manager.updates.update(wanted.productIdentifiers, consent: wanted.consent ?? [])
            let results = begun.map { begun in
                OperationResult(
                    productIdentifier: begun.productIdentifier, operation: begun.operation, error: begun.error)
            }
            return try .json(OperationResultList(results: results), status: .accepted)
        }
    }
}
