/// The name of one sticker among all packs: the product of its pack, and its identifier in the pack.
public struct StickerName: Sendable, Hashable, Codable {
    public var productIdentifier: String
    /// The identifier of the sticker, unique in its sticker pack.
    public var sticker: String

    public init(productIdentifier: String, sticker: String) {
        self.productIdentifier = productIdentifier
        self.sticker = sticker
    }
}
