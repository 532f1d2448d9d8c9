import StoreEmoji
import StoreImages
public import StoreLibrary
import StorePlugins
public import StoreSettings
public import StoreSkins
import StoreStickers

extension ContentKinds {
    /// The kinds that this program knows: a new one is one line here.
    ///
    /// - Parameter skins: whoever knows which skin is in use; `nil` where none ever is.
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
