import Glibc
import StoreEmoji
import StoreLibrary
import StoreModel
import StoreStickerPacks
import StoreSystem
import StoreTestSupport
import Testing

/// The sticker and emoji themes of Debian's package pidgin-themes.
@Suite struct RealPacksTests {
    /// Where pidgin-themes, which `scripts/test` installs, has its themes.
    private static let themes = "/usr/share/pixmaps/pidgin/emotes"

    /// Two themes contain images of formats that front-ends don't support.
    private static let rejected = ["dmogdotorg": "a BMP image", "inbob": "a GIMP image"]

    @Test(.needs(themes + "/dmogdotorg", debian: "pidgin-themes")) func `themes of other applications are accepted`()
        throws
    {
        let themes = try Directory.open(Self.themes).names()
        // The directory exists with any package that ships a theme.
        #expect(Set(Self.rejected.keys).isSubset(of: themes), "\(themes)")
        for theme in themes {
            let pack = try Directory.open(Self.themes + "/" + theme)
            for kind in [StickerKind(), EmojiKind()] as [any ContentKind] {
                if let reason = Self.rejected[theme] {
                    let error = #expect(throws: StoreError.self, "\(theme)") { try kind.check(pack) }
                    #expect(error?.code == .fileType && error?.message.contains(reason) == true)
                } else {
                    #expect(throws: Never.self, "\(theme)") { try kind.check(pack) }
                }
            }
        }
    }
}
