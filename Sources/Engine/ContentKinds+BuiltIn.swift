import Emoji
import Images
public import Library
import Plugins
public import Settings
import Skins
import Stickers

extension ContentKinds {
    /// The kinds that this program knows: a new one is one line here.
    public static func builtIn(_ settings: Settings) -> ContentKinds {
        let images = ImageLimits(settings)
        return ContentKinds([
            StickerKind(images: images),
            SkinKind(folderExtension: settings.skinsPurchasedExtension, images: images),
            EmojiKind(images: images),
            PluginKind(),
        ])
    }
}
