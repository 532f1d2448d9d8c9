public import StoreModel
import StoreSettings

extension StoreManager {
    /// Makes an emoji set the one in use, and publishes the change; returns the set in use.
    ///
    /// The choice is the setting `emoji.set`, so that observers learn of it from that setting's event and from the states
    /// of the packs.
    ///
    /// - Parameter productIdentifier: the emoji set; `nil` for none.
    /// - Throws: `emoji.no-set` if the set is not installed; `conflict.busy` if it is being uninstalled or rolled back; an
    ///   error of the set's or the settings' file.
    public func useEmojiSet(_ productIdentifier: String?) async throws -> EmojiUse {
        if let productIdentifier {
            // Otherwise the set could be uninstalled between the check and the change of the setting.
            try locks.lock([productIdentifier])
            defer { locks.unlock([productIdentifier]) }
            try await emoji.requireUsable(productIdentifier)
            _ = try await set(.emojiSet, to: productIdentifier)
        } else {
            _ = try await unset(.emojiSet)
        }
        return await emoji.use()
    }
}
