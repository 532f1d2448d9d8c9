import Glibc
import StoreEmoji
import StoreLibrary
import StoreModel
import StoreStickers
import StoreSystem
import StoreTestSupport
import Testing

@Suite("Real packs")
struct RealPacksTests {
    /// Of Debian's pidgin-themes, which `scripts/test` installs.
    private static let themes = "/usr/share/pixmaps/pidgin/emotes"

    /// Two hold images of formats that front-ends don't show.
    private static let refused = ["dmogdotorg": "a BMP image", "inbob": "a GIMP image"]

    @Test(.enabled(if: access(themes, R_OK) == 0)) func areTaken() throws {
        for theme in try Directory.open(Self.themes).names() {
            let pack = try Directory.open(Self.themes + "/" + theme)
            for kind in [StickerKind(), EmojiKind()] as [any ContentKind] {
                if let reason = Self.refused[theme] {
                    let error = #expect(throws: StoreError.self, "\(theme)") { try kind.check(pack) }
                    #expect(error?.code == .fileType && error?.message.contains(reason) == true)
                } else {
                    #expect(throws: Never.self, "\(theme)") { try kind.check(pack) }
                }
            }
        }
    }
}
