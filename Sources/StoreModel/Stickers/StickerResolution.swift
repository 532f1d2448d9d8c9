/// The answer to the question what a sticker reference in a message stands for on this machine.
public struct StickerResolution: Sendable, Hashable, Codable {
    /// What can be shown for a sticker reference.
    public enum State: String, Sendable, Hashable, Codable, CaseIterable {
        /// The version of the pack that the sender had is installed; the sticker is in it.
        case installed
        /// Another version of the pack is installed, which has a sticker with the same image.
        case replaced
        /// The image was fetched before and is in the cache; its pack is not installed, or has it no more.
        case cached
        /// A store that the user added offers the pack; the image can be fetched at the user's request.
        case available
        /// No store that the user added has the key in the reference.
        case unknownStore
        /// The store does not offer the product.
        case unknownProduct
        /// The store has withdrawn the product.
        case withdrawn
    }

    /// The reference that was resolved.
    public var reference: StickerReference
    public var state: State
    /// The text to show where there is no image: the sender's emoji; `nil` if the sender sent none.
    @OrNull public var emoji: String?
    public var productIdentifier: String
    /// The image to show, of an installed pack or of the cache; `nil` where there is none.
    @OrNull public var sticker: Sticker?
    /// The pack, if a store that the user added offers it or it is installed; else `nil`.
    @OrNull public var pack: Pack?

    /// The pack of a referenced sticker, as a front-end offers it to the user.
    public struct Pack: Sendable, Hashable, Codable {
        public var productIdentifier: String
        /// The name of the store that offers the pack, or from which it was installed; `nil` for an unmanaged pack.
        @OrNull public var store: String?
        public var name: LocalizedText
        /// The version that is installed, or else the version that the store offers.
        @OrNull public var version: Version?
        /// The size in bytes of the pack's archive, or of its files if it is installed; `nil` if unknown.
        @OrNull public var size: Int?
        public var price: Price
        public var installed: Bool

        public init(
            productIdentifier: String, store: String?, name: LocalizedText, version: Version?, size: Int?,
            price: Price, installed: Bool
        ) {
            self.productIdentifier = productIdentifier
            self.store = store
            self.name = name
            self.version = version
            self.size = size
            self.price = price
            self.installed = installed
        }
    }

    public init(reference: StickerReference, state: State, sticker: Sticker? = nil, pack: Pack? = nil) {
        self.reference = reference
        self.state = state
        emoji = reference.emoji.isEmpty ? nil : reference.emoji
        productIdentifier = reference.productIdentifier
        self.sticker = sticker
        self.pack = pack
    }
}
