import FoundationEssentials
import StoreModel

/// The values that several examples of the OpenAPI document share: a store, its product, and the operation that installs it.
enum ExampleValues {
    static let product = "org.example.cups"
    static let store = "cups"
    static let storeAddress = URL(string: "https://store.example/")!
    static let operation = OperationID(rawValue: "019c936e3800-2f61b0c47d9a83e5")
    static let version = Version("1.2.0")
    static let path = "/home/ada/.local/share/storectl/packs/org.example.cups"
    static let startedAt = Date(timeIntervalSince1970: 1_772_000_000)
    static let endedAt = Date(timeIntervalSince1970: 1_772_000_004)
    static let size = 482_304

    /// The SHA-256 of a root or a key.
    static let digest = SHA256Digest(of: Array("root".utf8))

    /// An address below that of the store.
    static func address(_ path: String) -> URL { storeAddress.appending(path: path) }

    /// The error of a request that names a product that no store has.
    static var unknownProduct: ErrorReport {
        ErrorReport(StoreError(.noSuchProduct, ["product": "org.example.cats", "stores": .list(["'\(store)'"])]))
    }
}
