import Foundation
import StoreClient
import StoreModel
import StoreTestSupport
import Testing

/// The commands and the API of stickers, and single stickers without their packs, with the real programs.
@Suite(.hangGuard) struct StickersTests {
    private let sender: TestHome
    private let store: TestStore

    init() async throws {
        sender = try TestHome()
        store = try await TestStore()
    }

    private static let information = """
        {"kind":"sticker","name":{"en":"Cups","pt":"Chávenas"},"stickers":[
        {"id":"smile","file":"1.gif","emoji":["🙂"],"keywords":["happy"],"description":{"en":"A smiling cup"}},
        {"id":"laugh","file":"2.gif","emoji":["😂"],"keywords":["lol"]},
        {"id":"in/side","file":"in/3.gif"}]}
        """

    /// Publishes a pack, and serves it with an origin that records the requests.
    ///
    /// - Parameter size: the size of each of two large images in bytes, beside two of 60,000 and 70,000 bytes.
    private func publish(_ origin: Origin, size: Int) async throws {
        let files = [
            "pack.json": Data(Self.information.utf8), "1.gif": TestStore.bytes(60_000, seed: 1),
            "2.gif": TestStore.bytes(70_000, seed: 2), "in/3.gif": try Self.largeImage(size),
            "4.gif": try Self.largeImage(size),
        ]
        try await store.add("org.example.cups", version: "1.0.0", files: files)
        try await store.publish()
        origin.serve(folder: store.publicPath)
    }

    /// Returns a GIF of about `size` random bytes, which can't be compressed.
    private static func largeImage(_ size: Int) throws -> Data {
        let random = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
        var blocks = try #require(try random.read(upToCount: size / 256 * 256))
        for start in stride(from: 0, to: blocks.count, by: 256) { blocks[start] = 255 }
        return Data(ImageForge.gifHeader(1, 1) + ImageForge.gifFrameHeader(1, 1)) + blocks + Data([0x00, 0x3B])
    }

    private func use(_ origin: Origin, _ home: TestHome) async throws {
        try await home.must("store", "add", "shop", origin.url.absoluteString, "--unsigned")
    }

    @Test func `a person searches, sends, marks and orders stickers`() async throws {
        let origin = try Origin()
        try await publish(origin, size: 2_560)
        try await use(origin, sender)
        try await sender.must("install", "org.example.cups")
        let cups = "org.example.cups"

        let search = try await sender.must("stickers", "search", "hap", "🙂", "--json").json
        let found = try #require(search["stickers"]?.elements.first)
        #expect(search["total"]?.number == 1 && found["sticker"]["id"].text == "smile")
        let path = try #require(found["sticker"]["path"].text)
        #expect(FileManager.default.contents(atPath: path) == TestStore.bytes(60_000, seed: 1))
        let url = try #require(found["sticker"]["url"].text)
        let served = try DaemonWire.get(url, at: sender.path + "/run/stored.sock")
        #expect(served.status == 200)
        #expect(try await sender.must("stickers", "search", "chaven").output.contains("in/side"))
        #expect(try await sender.must("stickers", "search", "nothing").output.isEmpty)

        try await sender.must("stickers", "sent", cups, "laugh")
        try await sender.must("stickers", "sent", cups, "in/side")
        let recents = try await sender.must("stickers", "recents", "--json").json["stickers"]?.elements ?? []
        #expect(recents.map { $0["sticker"]["id"].text } == ["in/side", "laugh"])
        #expect(recents.first?["sticker"]["image"]["mediaType"].text == "image/gif")
        #expect(try await sender.must("stickers", "frequent").output.contains("laugh"))
        try await sender.must("stickers", "favourite", cups, "smile")
        #expect(try await sender.must("stickers", "favourite").output.contains("smile"))
        try await sender.must("stickers", "order", cups)
        #expect(try await sender.must("stickers", "order").output == cups + "\n")

        // All of it is there after a crash, and what concerns the pack goes with it.
        await sender.killDaemon()
        #expect(try await sender.must("stickers", "recents").output.contains("in/side"))
        let lists = try await StoreClient(homeDirectory: sender.path).snapshot().stickers
        let smile = StickerName(productIdentifier: cups, sticker: "smile")
        let reference = try await sender.must("stickers", "reference", cups, "smile").output
        #expect(try await sender.must("stickers", "resolve", String(reference.dropLast())).output.contains("1.gif"))
        #expect(lists.recents.count == 2 && lists.favourites == [smile] && lists.order == [cups])
        try await sender.must("uninstall", cups)
        try await sender.must("install", cups)
        #expect(try await sender.must("stickers", "recents", "--json").json["stickers"]?.elements.isEmpty == true)
        #expect(try await sender.must("stickers", "favourite").output.contains("smile"))
        try await sender.must("stickers", "favourite", "--remove", cups, "smile")
        try await sender.must("stickers", "order", "--reset")

        let missing = try await sender.storectl("stickers", "sent", cups, "nope")
        #expect(missing.exit == 3 && missing.errors.contains("no sticker 'nope'"))
        #expect(try await sender.storectl("stickers", "favourite", cups).exit == 2)
        #expect(try await sender.storectl("stickers", "favourite", "--remove", cups, "smile").exit == 3)
        try await sender.must("daemon", "stop")
    }

    @Test func `a receiver without the pack sees the emoji, and fetches only the sticker at a request`() async throws {
        let origin = try Origin()
        // The archive has 50 MB.
        try await publish(origin, size: 26_000_000)
        let image = TestStore.bytes(70_000, seed: 2)
        let reference = try #require(
            StickerReference(
                store: StoreKey(address: origin.url), productIdentifier: "org.example.cups", version: "1.0.0",
                sticker: "laugh", sha256: SHA256Digest(of: image), emoji: "😂")
        ).text
        let receiver = sender
        // A store that the user has not added is never contacted.
        let before = origin.requests.count
        var found = try await receiver.must("stickers", "resolve", reference, "--json").json
        #expect(found["state"]?.text == "unknownStore" && found["emoji"]?.text == "😂")
        #expect(try await receiver.storectl("stickers", "resolve", "--fetch", reference).exit == 3)
        #expect(origin.requests.count == before)

        try await use(origin, receiver)
        let added = origin.requests.count
        found = try await receiver.must("stickers", "resolve", reference, "--json").json
        #expect(found["state"]?.text == "available" && found["pack"]?["store"].text == "shop")
        #expect(try await receiver.must("stickers", "resolve", reference).output == "😂\n")
        #expect(origin.requests.count == added, "a lookup makes no request")

        found = try await receiver.must("stickers", "resolve", "--fetch", reference, "--json").json
        #expect(found["state"]?.text == "cached")
        let path = try #require(found["sticker"]?["path"].text)
        #expect(FileManager.default.contents(atPath: path) == image)
        let url = try #require(found["sticker"]?["url"].text)
        #expect(try DaemonWire.get(url, at: receiver.path + "/run/stored.sock").status == 200)
        let requests = origin.requests.dropFirst(added)
        #expect(requests.count == 2 && requests.last?.range != nil, "\(requests.map(\.path))")
        let archive = try #require(requests.last?.path)
        #expect(origin.bytesSent(of: archive) <= 70_000 + 1_024, "only the bytes of the sticker")
        #expect(try await receiver.must("list", "--json").json["packs"]?.elements.isEmpty == true)
        // It is shown without the server from now on.
        origin.stop()
        #expect(try await receiver.must("stickers", "resolve", reference).output == path + "\n")
        #expect(try await receiver.storectl("stickers", "resolve", "sticker1~x").exit == 2)
        try await receiver.must("daemon", "stop")
    }
}
