import Engine
import StoreAPI
import StoreModel

extension RouteTable {
    /// `/v1/operations`: what was done, the newest first.
    mutating func addOperations(_ manager: StoreManager) {
        get("/v1/operations") { call in
            let limit = try call.query("limit", expected: "a number from 1 to 1000") { text in
                Int(text).flatMap { (1...1000).contains($0) ? $0 : nil }
            }
            let operations = try await manager.history(productIdentifier: call.query("product"), limit: limit ?? 100)
            return try .json(OperationList(operations: operations))
        }
        get("/v1/operations/:operation") { call in
            try .json(await manager.operation(OperationID(rawValue: call.identifier("operation"))))
        }
    }
}
