import StoreEngine

/// Uses values of the engine and of the model, and imports only `StoreEngine` from this project.
func describe(_ manager: StoreManager, _ pack: InstalledPack, _ code: ErrorCode) -> String {
    "\(type(of: manager)) \(pack.productIdentifier) \(code.rawValue)"
}
