import StoreEmoji
import StoreImages
public import StoreLibrary
import StorePlugins
public import StoreSettings
public import StoreSkins
import StoreStickers

extension ContentKinds {
    /// Returns the kinds of content that this program supports.
    ///
    /// A new kind of content is registered by adding a line here.
    ///
    /// - Parameter skins: the manager of the skin in use; `nil` where no skin is ever in use.
    public static func builtIn(_ settings: Settings, skins: SkinsManager? = nil) -> ContentKinds {
        let images = ImageLimits(settings)
        return ContentKinds([
            StickerKind(images: images),
            SkinKind(folderExtension: settings.skinsPurchasedExtension, images: images, skins: skins),
            EmojiKind(images: images),
            PluginKind(),
        ])
    }
}
