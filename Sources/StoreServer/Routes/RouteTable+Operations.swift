import Hummingbird
import StoreAPI
import StoreEngine
import StoreModel
import StoreOpenAPI

extension RouteTable {
    /// Adds the HTTP route `/v1/operations`: the history of operations, such as installs and updates.
    mutating func addOperations(_ manager: StoreManager) {
        get(
            "/v1/operations",
            Endpoint(
                "operations", "The history of operations, newest first.",
                [.query("product", .nonEmptyText, "Only operations on this product.")]
                    + .pages("The maximum number of operations; 100 by default."),
                .ok(OperationList.self, "The operations."))
        ) { request in
            let limit = request.limit ?? 100
            let start = try request.pageStart {
                $0.position.count == 1 ? OperationID(rawValue: $0.position[0]) : nil
            }
            // One more than the limit is requested, to find out whether there is a next page.
            let found = try await manager.history.operations(
                of: request.query("product"), limit: limit + 1, before: start)
            let operations = Array(found.prefix(limit))
            let next = found.count > limit ? operations.last.map { PageToken([$0.operation.rawValue]).text } : nil
            return try request.response(OperationList(operations: operations, next: next))
        }
        get(
            "/v1/operations/:operation",
            Endpoint(
                "operation", "One operation, at any time after its start.",
                .ok(OperationRecord.self, "The operation."), errors: [.operationUnknown])
        ) { request in
            let operation = OperationID(rawValue: try request.identifier("operation"))
            return try request.response(await manager.history.operation(operation))
        }
    }
}
