import Emoji
public import Library
import Plugins
public import Settings
import Skins
import Stickers

extension ContentKinds {
    /// The kinds that this program knows: a new one is one line here.
    public static func builtIn(_ settings: Settings) -> ContentKinds {
        ContentKinds([
            StickerKind(),
            SkinKind(folderExtension: settings.skinsPurchasedExtension),
            EmojiKind(),
            PluginKind(),
        ])
    }
}
