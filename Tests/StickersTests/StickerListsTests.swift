import FoundationEssentials
import StoreDatabase
import StoreLibrary
import StoreModel
import StoreStickerPacks
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreStickers

@Suite struct StickerListsTests {
    private final class Clock: Sendable {
        let now = Mutex(Date(timeIntervalSince1970: 1_700_000_000))
        func advance(_ seconds: TimeInterval) { now.withLock { $0 += seconds } }
    }

    private let home: TemporaryFolder
    private let library: Library
    private let database: LibraryDatabase
    private let clock = Clock()
    private let limit = 3
    private let stickers: StickersManager
    private var packs: Directory { get throws { try home.directory.openDirectory("packs") } }

    init() async throws {
        home = try TemporaryFolder()
        library = try await Library.open(data: home.path, kinds: ContentKinds([StickerKind()]))
        database = try await LibraryDatabase(path: home.path + "/library.sqlite")
        let (clock, limit) = (clock, limit)
        stickers = StickersManager(
            library: library, database: database, settings: { .init(maximumRecents: limit) },
            date: { clock.now.withLock { $0 } })
        for pack in ["cups", "plates"] {
            for file in ["1", "2", "3", "4"] {
                try packs.put("\(pack).stickers/\(file).png", Data(ImageForge.png(8, 8)))
            }
        }
    }

    private func name(_ sticker: String, of pack: String = "cups") -> StickerName {
        StickerName(productIdentifier: pack, sticker: sticker)
    }

    private func send(_ sticker: String, of pack: String = "cups") async throws {
        clock.advance(60)
        try await stickers.recordUses(of: [name(sticker, of: pack)])
    }

    @Test func `recents are the newest first, each once, within the limit`() async throws {
        for sticker in ["1", "2", "3", "1", "4"] { try await send(sticker) }
        #expect(try await stickers.recents().map(\.sticker.id) == ["4", "1", "3"])
        let recents = try await stickers.recents()
        #expect(recents.map(\.sentCount) == [1, 2, 1] && recents.allSatisfy { $0.sticker.image?.width == 8 })
        #expect(recents[0].sentAt == clock.now.withLock { $0 })
        try await stickers.forgetUses(of: name("4"))
        #expect(try await stickers.recents().map(\.sticker.id) == ["1", "3", "2"])
        await #expect(throws: StoreError.self) { try await stickers.forgetUses(of: name("4")) }
        try await stickers.forgetAllUses()
        #expect(try await stickers.lists() == StickerLists())
    }

    @Test func `frequent stickers are those that were sent most, and old uses count less`() async throws {
        for sticker in ["1", "1", "1", "2", "2", "3"] { try await send(sticker) }
        #expect(try await stickers.frequent().map(\.sticker.id) == ["1", "2", "3"])
        clock.advance(4 * StickerUse.halfLife)
        try await send("3")
        #expect(try await stickers.frequent().map(\.sticker.id) == ["3", "1", "2"])
    }

    @Test func `a removed pack takes its recent stickers along, and its favourites come back with it`() async throws {
        try await install("bowls")
        try await send("1", of: "bowls")
        try await send("1")
        try await stickers.addFavourite(name("1", of: "bowls"))
        try await stickers.setOrder(["bowls", "cups"])
        _ = try await library.remove("bowls")
        try await stickers.didRemove("bowls")
        #expect(
            try await stickers.lists() == StickerLists(recents: [name("1")], frequent: [name("1")], order: ["cups"]))
        try await install("bowls")
        let lists = try await stickers.lists()
        #expect(lists.recents == [name("1")] && lists.favourites == [name("1", of: "bowls")])
        #expect(lists.order == ["bowls", "cups"])
    }

    @Test func `a directory removed by hand, and a sticker that an edit removes, leave the lists`() async throws {
        try await send("1")
        try await send("2", of: "plates")
        try packs.removeTree("plates.stickers")
        #expect(try await stickers.recents().map(\.productIdentifier) == ["cups"])
        try packs.remove("cups.stickers/1.png")
        _ = try await stickers.packs()
        #expect(try await stickers.lists() == StickerLists())
    }

    @Test func `what is not installed can't be sent, marked or ordered`() async throws {
        for (name, code) in [(name("9"), ErrorCode.stickerMissing), (name("1", of: "nope"), .packMissing)] {
            var error = await #expect(throws: StoreError.self) { try await stickers.recordUses(of: [name]) }
            #expect(error?.code == code)
            error = await #expect(throws: StoreError.self) { try await stickers.addFavourite(name) }
            #expect(error?.code == code)
        }
        let error = await #expect(throws: StoreError.self) { try await stickers.setOrder(["cups", "nope"]) }
        #expect(error?.code == .packMissing)
        await #expect(throws: StoreError.self) { try await stickers.removeFavourite(name("1")) }
        // One that is not installed leaves nothing recorded.
        await #expect(throws: StoreError.self) { try await stickers.recordUses(of: [name("1"), name("9")]) }
        #expect(try await stickers.lists() == StickerLists())
    }

    @Test func `packs are listed in the user's order, and then by directory`() async throws {
        try packs.put("bowls.stickers/1.png", "")
        #expect(try await stickers.packs().map(\.productIdentifier) == ["bowls", "cups", "plates"])
        try await stickers.setOrder(["plates", "plates"])
        #expect(try await stickers.packs().map(\.productIdentifier) == ["plates", "bowls", "cups"])
        #expect(try await stickers.lists().order == ["plates"])
        try await stickers.setOrder([])
        #expect(try await stickers.packs().map(\.productIdentifier) == ["bowls", "cups", "plates"])
    }

    @Test func `changes of the order that are made at the same time all count`() async throws {
        try packs.put("bowls.stickers/1.png", "")
        let stickers = stickers
        try await withThrowingTaskGroup { group in
            for _ in 0..<10 {
                group.addTask { try await stickers.changeOrder { Array($0.dropFirst() + $0.prefix(1)) } }
            }
            try await group.waitForAll()
        }
        // Ten moves of the first of three packs to the end.
        #expect(try await stickers.packs().map(\.productIdentifier) == ["cups", "plates", "bowls"])
        #expect(try await stickers.lists().order == ["cups", "plates", "bowls"])
    }

    @Test func `each change of the lists is announced`() async throws {
        let count = Mutex(0)
        await stickers.observeLists { count.withLock { $0 += 1 } }
        try await send("1")
        try await stickers.addFavourite(name("1"))
        try await stickers.setOrder(["cups"])
        try await stickers.removeFavourite(name("1"))
        try await stickers.forgetAllUses()
        #expect(count.withLock { $0 } == 5)
    }

    @Test func `images of an installed version are read once, and again after an update`() async throws {
        try await install("bowls")
        let image = try #require(try await stickers.pack("bowls").stickers.first?.image)
        #expect(image.width == 8 && !image.animated && image.mediaType == "image/png")
        // Another process finds the properties in the database, without reading the image.
        try packs.put("bowls.stickers/1.png", "no image")
        let next = StickersManager(library: library, database: database)
        #expect(try await next.pack("bowls").stickers.first?.image == image)
        try await install("bowls", image: ImageForge.apng(9, 9))
        let updated = try #require(try await next.pack("bowls").stickers.first?.image)
        #expect(updated.width == 9 && updated.animated && updated.mediaType == "image/apng")
    }

    @Test(arguments: [
        ("1.tgs", AnimationForge.tgs(width: 500), "application/x-tgsticker"),
        ("1.WebM", AnimationForge.webm(width: 100, height: 90), "video/webm"),
    ])
    func `an animation has the properties with which a front-end can play it`(
        file: String, content: [UInt8], mediaType: String
    ) async throws {
        let expected = StickerImage(mediaType: mediaType, width: 0, height: 0, size: content.count, animated: true)
        try await install("bowls", file: file, image: content)
        let sticker = try #require(try await stickers.pack("bowls").stickers.first)
        #expect(sticker.image == expected && sticker.url.contains("/files/" + file))
        let next = StickersManager(library: library, database: database)
        try await next.addFavourite(name("1", of: "bowls"))
        #expect(try await next.favourites().first?.sticker.image == expected)
    }

    @Test func `what an earlier version of the program did not read is read later`() async throws {
        try await install("bowls", file: "1.tgs", image: AnimationForge.tgs())
        let operation = try #require(try await library.all().first { $0.folder == "bowls.stickers" }?.origin?.operation)
        try await database.keep(
            stickerImages: Data("{}".utf8), of: "bowls.stickers", by: operation, installed: ["bowls.stickers"])
        #expect(try await stickers.pack("bowls").stickers.first?.image?.mediaType == "application/x-tgsticker")
        let stored = try await database.stickerImages()["bowls.stickers"]
        #expect(stored?.images != Data("{}".utf8))
    }

    private func install(
        _ product: String, file: String = "1.png", image: [UInt8] = ImageForge.png(8, 8)
    ) async throws {
        let operation = OperationID()
        let staged = try await library.placement(of: product, kind: .sticker, by: operation).stage()
        try staged.directory.put(file, Data(image))
        let receipt = Receipt(
            operation: operation, store: "main", productIdentifier: product, kind: .sticker, name: "Bowls",
            version: Version("1"), price: .free, installedAt: Date(), dependencies: [],
            archive: .init(address: nil, size: 0, sha256: .init(of: []), etag: nil),
            files: [.init(path: file, size: image.count, sha256: SHA256Digest(of: image))])
        _ = try await library.commit(staged.addReceipt(receipt))
    }
}
