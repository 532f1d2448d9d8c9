public import StoreModel

extension StoreManager {
    /// Makes a skin the one in use, and returns a description of it.
    ///
    /// Until the skin is in use, neither it nor a skin that it inherits from can be uninstalled.
    ///
    /// - Parameter identifier: the skin; `nil` for the default skin.
    /// - Throws: `skin.not-found`, or another error of reading the skin; `conflict.busy` if one of these skins is being
    ///   uninstalled or rolled back; an error of the file system. The skin in use does not change then.
    @discardableResult
    public func useSkin(_ identifier: String?) async throws -> SkinUse {
        try await skins.use(identifier, locking: locks)
        return skins.skinUse
    }
}
