import StoreEngine

/// Names values of the engine and of the domain; of ours, only `StoreEngine` is imported.
func describe(_ manager: StoreManager, _ pack: InstalledPack, _ code: ErrorCode) -> String {
    "\(type(of: manager)) \(pack.productIdentifier) \(code.rawValue)"
}
