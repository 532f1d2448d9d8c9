import StoreAPI
import StoreEngine
import StoreModel

extension RouteTable {
    /// `/v1/operations`: what was done, the newest first.
    mutating func addOperations(_ manager: StoreManager) {
        get(
            "/v1/operations",
            Endpoint(
                "operations", "What was done, the newest first.",
                [.query("product", .name, "Only what was done to this product.")]
                    + .pages("How many at most; 100 unless given."),
                .ok("OperationList", "The operations."))
        ) { request in
            let limit = request.limit ?? 100
            let last = try request.after { $0.place.count == 1 ? OperationID(rawValue: $0.place[0]) : nil }
            // One more than is wanted tells whether there are more.
            let found = try await manager.history.operations(
                of: request.query("product"), limit: limit + 1, before: last)
            let operations = Array(found.prefix(limit))
            let next = found.count > limit ? operations.last.map { PageToken([$0.operation.rawValue]).text } : nil
            return try request.answer(OperationList(operations: operations, next: next))
        }
        get(
            "/v1/operations/:operation",
            Endpoint(
                "operation", "One operation, also one that ended long ago.", .ok("Operation", "The operation."),
                problems: [.operationUnknown])
        ) { request in
            try request.answer(await manager.history.operation(OperationID(rawValue: request.identifier("operation"))))
        }
    }
}
