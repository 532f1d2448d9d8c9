import Engine
import Hummingbird
import StoreAPI

extension RouteTable {
    /// `/v1/updates`: what could be updated, and doing it.
    mutating func addUpdates(_ manager: StoreManager) {
        get("/v1/updates") { _ in
            let found = try await manager.availableUpdates()
            return try .json(UpdateList(updates: found.updates, warnings: found.warnings, error: found.error))
        }
        on(.post, "/v1/updates") { call in
            let wanted = try await call.body(UpdateRequest.self)
            let begun = try await manager.update(wanted.productIdentifiers, consent: wanted.consent ?? [])
            let results = begun.map { begun in
                OperationResult(
                    productIdentifier: begun.productIdentifier, operation: begun.operation, error: begun.error)
            }
            return try .json(OperationResultList(results: results), status: .accepted)
        }
    }
}
