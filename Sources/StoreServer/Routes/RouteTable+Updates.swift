import Hummingbird
import StoreAPI
import StoreEngine
import StoreOpenAPI

extension RouteTable {
    /// Adds the HTTP route `/v1/updates`: the available updates of packs, and their installation.
    ///
    /// - Parameter operations: receives the operations that are begun.
    mutating func addUpdates(_ manager: StoreManager, _ operations: BegunOperations) {
        get(
            "/v1/updates",
            Endpoint(
                "updates",
                "The available updates, and why others are held back. Refreshes catalogues older than a setting allows.",
                .ok(UpdateList.self, "The updates."))
        ) { request in
            let found = try await request.cancelledOnClose { try await manager.updates.available() }
            return try request.response(
                UpdateList(updates: found.updates, warnings: found.warnings, error: found.error))
        }
        on(
            .post, "/v1/updates",
            Endpoint(
                "update", "Updates packs to the versions that their stores offer.", body: UpdateRequest.self,
                .accepted(OperationResultList.self, "The operation started for each product, or the error.")
            ).with(.viewer)
        ) { request in
            let body = try await request.body(UpdateRequest.self)
            let started = try await manager.updates.update(
                body.productIdentifiers, consent: body.granted, agreed: body.agreed)
            for update in started { operations.insert(update.operation, viewer: request.viewer) }
            let results = started.map { update in
                OperationResult(
                    productIdentifier: update.productIdentifier, operation: update.operation, error: update.error)
            }
            return try .json(OperationResultList(results: results), status: .accepted)
        }
    }
}
