import FoundationEssentials
import StoreLibrary
import StoreModel
import StoreStickerPacks
import StoreSystem
import StoreTestSupport
import Testing

@Suite struct StickerKindTests {
    private let pack: TemporaryFolder

    init() throws { pack = try TemporaryFolder() }

    @Test func `a sticker or cover that is not an image is rejected`() throws {
        try pack.directory.put("a.txt", "text")
        try pack.directory.put("a.png", Data(ImageForge.png()))
        for name in ["d/a.png", ".git/a.png", "._a.png"] { try pack.directory.put(name, Data(ImageForge.png(2, 2))) }
        for (information, isAccepted) in [
            (#"{"stickers":[{"file":"a.png"}],"cover":"a.png"}"#, true), (#"{"stickers":[{"file":"a.txt"}]}"#, false),
            (#"{"cover":"a.txt"}"#, false), (#"{"stickers":[{"file":"pack.json"}]}"#, false),
            (#"{"stickers":[{"file":"./a.png"}]}"#, false), (#"{"stickers":[{"file":"d/../a.png"}]}"#, false),
            (#"{"stickers":[{"file":"d//a.png"}]}"#, false), (#"{"cover":"./pack.json"}"#, false),
            (#"{"stickers":[{"file":"d/a.png"}]}"#, true), (#"{"stickers":[{"file":"a.txt\u0000.png"}]}"#, false),
            (#"{"cover":"a.txt\u0000.png"}"#, false), (#"{"stickers":[{"file":".git/a.png"}]}"#, false),
            (#"{"cover":"._a.png"}"#, false), (#"{"cover":"a.png"}"#, true),
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

    @Test func `Telegram's animations are stickers, and other gzip files and films are rejected`() throws {
        try pack.directory.put("1.webm", Data(AnimationForge.webm()))
        try pack.directory.put("2.tgs", Data(AnimationForge.tgs()))
        try pack.directory.put("pack.json", #"{"stickers":[{"file":"1.webm"},{"file":"2.tgs"}],"cover":"2.tgs"}"#)
        try StickerKind().check(pack.directory)
        for (name, bytes, code) in [
            ("3.tgs", AnimationForge.gzip(Array("{}".utf8)), ErrorCode.imageDamaged),
            ("3.webm", AnimationForge.webm(codec: "V_AV1"), .imageDamaged),
            ("3.gz", AnimationForge.tgs(), .fileType), ("3.mkv", AnimationForge.webm(), .fileType),
            ("3.webm", AnimationForge.webm() + [UInt8](repeating: 0, count: 300_000), .contentTooLarge),
        ] {
            try pack.directory.put(name, Data(bytes))
            let error = #expect(throws: StoreError.self) { try StickerKind().check(pack.directory) }
            #expect(error?.code == code, "\(name): \(error?.message ?? "")")
            try pack.directory.remove(name)
        }
    }

    @Test func `themes of chat applications are rejected`() throws {
        try pack.directory.put("a.attheme", "chat_inBubble=-1")
        let error = #expect(throws: StoreError.self) { try StickerKind().check(pack.directory) }
        #expect(error?.code == .fileType)
    }
}
