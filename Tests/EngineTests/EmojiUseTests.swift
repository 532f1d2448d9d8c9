import FoundationEssentials
import StoreEmoji
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// The emoji set in use: installed, chosen, published and removed.
@Suite struct EmojiUseTests {
    private let home: EngineHome
    private let store: FileStore

    init() throws {
        home = try EngineHome()
        store = try FileStore(.init("faces", type: "emoji"))
        store["faces"].bytes = try Self.archive(width: 1)
        try store.publish()
    }

    private static func archive(width: Int) throws -> [UInt8] {
        let item = EmojiSetDescription.Item(
            sequence: try #require(EmojiSequence(text: "😀")), images: [try EmojiImage(ImageForge.png(width, 1))],
            texts: ["en": EmojiNames(name: "grinning face"), "pt": EmojiNames(name: "cara sorridente")])
        let set = EmojiSetDescription(groups: [.init(name: "Smileys", subgroups: [.init(emoji: [item])])])
        return ZipForge().file("faces.emojiset", try set.compiled()).build()
    }

    private func states(_ manager: StoreManager) async throws -> [ProductState] {
        try #require(try await manager.observers.snapshot().packs.first { $0.productIdentifier == "faces" }).state
    }

    @Test func `a set in use is part of snapshots and events, and stays chosen after a restart`() async throws {
        var manager = try await home.open(using: store)
        #expect(try await manager.installed("faces").state == .finished)
        #expect(try await states(manager).contains(.inUse) == false)
        #expect(await failure { _ = try await manager.useEmojiSet("none") } == .emojiSetMissing)
        let before = try await manager.observers.snapshot().sequence
        let version = try await manager.emoji.set("faces").version
        #expect(try await manager.useEmojiSet("faces") == EmojiUse(set: "faces", version: version, chosen: "faces"))
        let snapshot = try await manager.observers.snapshot()
        #expect(snapshot.settings.first { $0.key == "emoji.set" }?.value == "faces" && snapshot.sequence > before)
        #expect(try await states(manager).contains(.inUse))
        await manager.close()

        manager = try await home.open()
        #expect(await manager.emoji.use().set == "faces")
        #expect(await failure { _ = try await manager.packs.uninstall("faces") } == .packInUse)
        #expect(try await manager.useEmojiSet(nil) == EmojiUse(set: nil, chosen: nil))
        #expect(try await states(manager).contains(.inUse) == false)
        _ = try await manager.packs.uninstall("faces")
        #expect(await failure { _ = try await manager.useEmojiSet("faces") } == .emojiSetMissing)
        await manager.close()
    }

    @Test func `a set placed by hand shows that it is in use`() async throws {
        let manager = try await home.open()
        try home.packs.put("mine.emoji/1f600.png", Data(ImageForge.png(1, 1)))
        func state() async throws -> [ProductState] { try await manager.packs.pack("mine").state }
        #expect(try await state() == [.downloaded])
        _ = try await manager.useEmojiSet("mine")
        #expect(try await state() == [.inUse, .downloaded])
        _ = try await manager.useEmojiSet(nil)
        #expect(try await state() == [.downloaded])
        await manager.close()
    }

    @Test func `an updated set has the new images, in the language of the user`() async throws {
        let manager = try await home.open(using: store)
        #expect(try await manager.installed("faces").state == .finished)
        _ = try await manager.useEmojiSet("faces")
        let face = try #require(EmojiSequence(text: "😀"))
        #expect(try await Array(manager.emoji.picture(of: face).data) == ImageForge.png(1, 1))
        #expect(
            try await manager.emoji.search("sorridente", languages: ["pt-PT", "en"]).map(\.name) == ["cara sorridente"])
        #expect(try await manager.emoji.search("grin", languages: ["de"]).map(\.emoji) == ["😀"])
        store["faces"].bytes = try Self.archive(width: 2)
        store["faces"].archive = "second.zip"
        try store.publish()
        #expect(try await manager.updated(["faces"]) == ["faces": nil])
        #expect(try await Array(manager.emoji.picture(of: face).data) == ImageForge.png(2, 1))
        await manager.close()
    }

    @Test func `a file of the set in use that is cut short in place ends nothing, and is read again`() async throws {
        let manager = try await home.open(using: store)
        #expect(try await manager.installed("faces").state == .finished)
        _ = try await manager.useEmojiSet("faces")
        let face = try #require(EmojiSequence(text: "😀"))
        #expect(try await manager.emoji.picture(of: face).emoji == "😀")
        let file = URL(filePath: home.folder.path + "/data/packs/faces.emoji/faces.emojiset")
        let whole = try Data(contentsOf: file)
        try whole.prefix(10).write(to: file)
        #expect(await failure { _ = try await manager.emoji.picture(of: face) } == .emojiMissing)
        try whole.write(to: file)
        #expect(try await manager.emoji.picture(of: face).emoji == "😀")
        await manager.close()
    }

    @Test func `a damaged compiled file is refused when the set is installed`() async throws {
        var bytes = try EmojiSetDescription(
            groups: [
                .init(
                    name: "a",
                    subgroups: [
                        .init(emoji: [
                            .init(
                                sequence: try #require(EmojiSequence(text: "😀")),
                                images: [try EmojiImage(ImageForge.png())])
                        ])
                    ])
            ]
        ).compiled()
        bytes[bytes.count - 1] ^= 1
        store["faces"].bytes = ZipForge().file("faces.emojiset", bytes).build()
        try store.publish()
        let manager = try await home.open(using: store)
        let status = try await manager.installed("faces")
        #expect(status.state == .failed && status.error?.code == .emojiDamaged)
        #expect(status.error?.message.contains("section 'data'") == true)
        await manager.close()
    }
}
