package import StoreModel

/// The content of a sticker pack's directory as its information file describes it, without where the directory is.
package struct StickerPackContent: Sendable, Equatable {
    package let publisher: String?
    package let license: String?
    /// The path of the cover image, relative to the pack's directory; `nil` if there is no image at all.
    package let cover: String?
    /// The stickers in order; ``Sticker/path``, ``Sticker/url`` and ``Sticker/image`` have no value.
    package let stickers: [Sticker]
}
