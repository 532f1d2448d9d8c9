public import StoreModel
public import StoreOpenAPI

extension PlanRequest: ExampleProviding {
    public static var example: PlanRequest {
        PlanRequest(action: .install, products: [ChangePlan.Product(ExampleValues.product, store: ExampleValues.store)])
    }
}

extension ChangePlan: ExampleProviding {
    public static var example: ChangePlan {
        ChangePlan(
            steps: [
                ChangePlan.Step(
                    id: SHA256Digest(of: Array("step".utf8)).hex, action: .install,
                    productIdentifier: ExampleValues.product, store: ExampleValues.store, kind: .sticker, name: "Cups",
                    version: ExampleValues.version, downloadSize: 393_216, diskSize: ExampleValues.size)
            ], freeSpace: 52_428_800_000)
    }
}
