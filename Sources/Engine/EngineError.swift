public import StoreModel

/// Why the store manager could not do as it was asked.
public struct EngineError: CodedError {
    public let code: ErrorCode
    public let message: String

    public init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode {
    public static let productUnknown = ErrorCode("product.unknown", .notFound)
    public static let productWithdrawn = ErrorCode("product.withdrawn", .notFound)
    /// The store says too little of the product to install it.
    public static let productIncomplete = ErrorCode("product.incomplete", .refused)
    /// The product has no such picture.
    public static let noPreview = ErrorCode("product.no-preview", .notFound)
    /// Several stores of the same priority have the product.
    public static let severalStores = ErrorCode("conflict.several-stores", .conflict)
    public static let storeUnknown = ErrorCode("store.unknown", .notFound)
    public static let storeExists = ErrorCode("conflict.store-exists", .conflict)
    public static let storeBadName = ErrorCode("store.bad-name", .usage)
    public static let storeBadAddress = ErrorCode("store.bad-address", .usage)
    /// What is to prove to a store who asks is missing, or can't be sent.
    public static let storeBadCredentials = ErrorCode("store.bad-credentials", .usage)
    public static let storesMalformed = ErrorCode("store.malformed-list", .daemon)
    /// Nobody signed what the store says, and it was not added as such.
    public static let storeUnsigned = ErrorCode("store.unsigned", .refused)
    /// Its catalogue was never fetched, and can't be now.
    public static let storeUnavailable = ErrorCode("store.unavailable", .network)
    public static let operationUnknown = ErrorCode("operation.unknown", .notFound)
    /// The daemon ended in the middle of it, before it changed anything.
    public static let operationInterrupted = ErrorCode("operation.interrupted", .failed)
    /// Another installed pack needs it.
    public static let packNeeded = ErrorCode("conflict.needed", .conflict)
    public static let packInUse = ErrorCode("conflict.in-use", .conflict)
    /// Another operation on the same product runs.
    public static let productBusy = ErrorCode("conflict.busy", .conflict)
    public static let notPurchased = ErrorCode("entitlement.missing", .notEntitled)
    public static let notOnList = ErrorCode("entitlement.not-on-list", .notFound)
}
