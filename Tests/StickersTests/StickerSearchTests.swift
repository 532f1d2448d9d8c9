import FoundationEssentials
import StoreDatabase
import StoreLibrary
import StoreModel
import StoreStickerPacks
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreStickers

@Suite struct StickerSearchTests {
    private let home: TemporaryFolder
    private let stickers: StickersManager
    private var packs: Directory { get throws { try home.directory.openDirectory("packs") } }

    init() async throws {
        home = try TemporaryFolder()
        let library = try await Library.open(data: home.path, kinds: ContentKinds([StickerKind()]))
        stickers = StickersManager(
            library: library, database: try await LibraryDatabase(path: home.path + "/library.sqlite"))
        try place(
            "cups", name: #"{"en": "Cups", "pt": "Chávenas"}"#,
            #"{"id":"smile","file":"1.png","emoji":["🙂"],"keywords":["happy"],"description":{"en":"A cup that laughs"}}"#,
            #"{"id":"laugh","file":"2.png","emoji":["😂",":-D"],"keywords":["laugh","Straße"]}"#,
            #"{"id":"wave","file":"3.png","emoji":["👋🏽","❤️"],"keywords":["hello","laughter",":)","O:-)","🚀 go"]}"#)
        try place(
            "cats", name: #""Cats""#, #"{"id":"purr","file":"1.png","emoji":["🐱"],"keywords":["happy"]}"#,
            #"{"id":"astronaut","file":"2.png","emoji":["👩‍🚀"],"keywords":["space"]}"#)
    }

    private func place(_ pack: String, name: String, _ entries: String...) throws {
        for number in 1...max(entries.count, 1) {
            try packs.put("\(pack).stickers/\(number).png", Data(ImageForge.png(64, 32)))
        }
        try packs.put(
            "\(pack).stickers/pack.json",
            #"{"productIdentifier":"\#(pack)","name":\#(name),"stickers":[\#(entries.joined(separator: ","))]}"#)
    }

    private func found(_ text: String, pack: String? = nil, limit: Int = 100) async throws -> [String] {
        try await stickers.search(StickerQuery(text, pack: pack, limit: limit)).stickers.map(\.sticker.id)
    }

    @Test(
        arguments: [
            ("laugh", ["laugh", "wave", "smile"]),  // a keyword, the beginning of one, and that of a description
            ("LAUGHT", ["wave"]), ("happy", ["purr", "smile"]), ("chav", ["smile", "laugh", "wave"]),
            ("happy cup", ["smile"]), ("cup", ["smile", "laugh", "wave"]), ("strass", []), ("straße", ["laugh"]),
            ("😂", ["laugh"]), ("laugh😂", ["laugh"]), (":-D", ["laugh"]), (":-d", []), ("👋", ["wave"]),
            ("👋🏽", ["wave"]), ("👋🏿", ["wave"]), ("❤", ["wave"]), ("❤️", ["wave"]), ("👩‍🚀", ["astronaut"]),
            ("👩", []), ("😂 happy", []), (":)", ["wave"]), ("O:-)", ["wave"]), (":-)", []), ("=-O", []), ("🚀", ["wave"]),
            ("hello :)", ["wave"]), ("go", ["wave"]), ("purr", ["purr"]), ("nothing", []), ("a\u{0}b", []),
        ])
    func `words, emoji and emoticons find stickers, the best first`(text: String, expected: [String]) async throws {
        #expect(try await found(text) == expected)
    }

    @Test func `without words all stickers are found, within the limit`() async throws {
        let all = try await stickers.search(StickerQuery("  ", limit: 2))
        #expect(all.stickers.map(\.sticker.id) == ["purr", "astronaut"] && all.total == 5)
        #expect(try await found("", pack: "cups") == ["smile", "laugh", "wave"])
        #expect(try await found("happy", pack: "cups") == ["smile"])
        #expect(try await found("", pack: "nope").isEmpty)
        #expect(try await stickers.search(StickerQuery("", limit: 0)).total == 5)
    }

    @Test func `favourites and sent stickers are first among equals, and the order of packs decides then`() async throws
    {
        #expect(try await found("happy") == ["purr", "smile"])
        try await stickers.setOrder(["cups"])
        #expect(try await found("happy") == ["smile", "purr"])
        try await stickers.recordUses(of: [StickerName(productIdentifier: "cats", sticker: "purr")])
        #expect(try await found("happy") == ["purr", "smile"])
        try await stickers.addFavourite(StickerName(productIdentifier: "cups", sticker: "smile"))
        let found = try await stickers.search(StickerQuery("happy")).stickers
        #expect(found.map(\.sticker.id) == ["smile", "purr"])
        #expect(found.map(\.favourite) == [true, false] && found.map(\.sentCount) == [0, 1])
        #expect(found[0].packName.text(in: ["pt"]) == "Chávenas")
    }

    @Test func `packs that come, change and go are noticed`() async throws {
        #expect(try await found("dog").isEmpty)
        try place("dogs", name: #""Dogs""#, #"{"id":"bark","file":"1.png"}"#)
        #expect(try await found("dog") == ["bark"])
        try packs.removeTree("dogs.stickers")
        #expect(try await found("dog").isEmpty)
        try packs.put("cats.stickers/pack.json", "{")
        // A change within a directory is noticed when the pack is next read.
        _ = try await stickers.packs()
        #expect(try await found("purr").isEmpty)
    }

    @Test func `search results have the properties of images once their pack was shown`() async throws {
        let image = StickerImage(
            mediaType: "image/png", width: 64, height: 32, size: ImageForge.png(64, 32).count, animated: false)
        #expect(try await stickers.search(StickerQuery("purr")).stickers.map(\.sticker.image) == [nil])
        #expect(try await stickers.pack("cats").stickers.map(\.image) == [image, image])
        let found = try #require(try await stickers.search(StickerQuery("purr")).stickers.first)
        #expect(found.sticker.path == home.path + "/packs/cats.stickers/1.png")
        #expect(found.sticker.url == "/v1/packs/cats/files/1.png")
    }
}
