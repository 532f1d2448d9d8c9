import StoreModel
import StoreSkins
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct SkinKindTests {
    @Test(arguments: [("colors.tdesktop-theme", "windowBg: #fff;"), ("a.attheme", "chat_inBubble=-1")])
    func `themes of other applications are accepted`(name: String, text: String) throws {
        let pack = try TemporaryFolder()
        try pack.directory.put(name, text)
        #expect(throws: Never.self) { try SkinKind().check(pack.directory) }
    }
}
