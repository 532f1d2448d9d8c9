import StoreEmoji
import StoreImages
public import StoreLibrary
import StorePlugins
public import StoreSettings
public import StoreSkins
import StoreStickerPacks

extension ContentKinds {
    /// Returns the implementations of the kinds of products that this program supports, such as sticker packs.
    ///
    /// A new kind is registered by adding a line here.
    ///
    /// - Parameters:
    ///   - skins: the manager of the skin in use; `nil` if no skin is ever in use.
    ///   - emojiSet: returns the product identifier of the emoji set in use; `nil` if none is in use.
    public static func builtIn(
        _ settings: Settings, skins: SkinsManager? = nil, emojiSet: @escaping @Sendable () -> String? = { nil }
    ) -> ContentKinds {
        let images = ImageLimits(settings)
        return ContentKinds([
            StickerKind(images: images),
            SkinKind(folderExtension: settings.skinsPurchasedExtension, images: images, skins: skins),
            EmojiKind(images: images, setInUse: emojiSet),
            PluginKind(),
        ])
    }
}
