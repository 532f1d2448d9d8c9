import FoundationEssentials
import StoreLibrary
import StoreModel
import StoreStickers
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct StickerKindTests {
    private let pack: TemporaryFolder

    init() throws { pack = try TemporaryFolder() }

    @Test func `a sticker or cover that is not an image is rejected`() throws {
        try pack.directory.put("a.txt", "text")
        try pack.directory.put("a.png", Data(ImageForge.png()))
        for (information, isAccepted) in [
            (#"{"stickers":[{"file":"a.png"}],"cover":"a.png"}"#, true), (#"{"stickers":[{"file":"a.txt"}]}"#, false),
            (#"{"cover":"a.txt"}"#, false), (#"{"stickers":[{"file":"pack.json"}]}"#, false),
        ] {
            try pack.directory.put("pack.json", information)
            do {
                try StickerKind().check(pack.directory)
                #expect(isAccepted, "\(information)")
            } catch let error as StoreError {
                #expect(!isAccepted && error.code == .badInformation, "\(information): \(error)")
            }
        }
    }

    @Test func `themes of chat applications are rejected`() throws {
        try pack.directory.put("a.attheme", "chat_inBubble=-1")
        let error = #expect(throws: StoreError.self) { try StickerKind().check(pack.directory) }
        #expect(error?.code == .fileType)
    }
}
