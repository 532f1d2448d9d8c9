import FoundationEssentials
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// The images of the previous version of an emoji set, which messages may still show.
@Suite struct PreviousEmojiTests {
    private static let list = """
        <emojis><category name="smileys">
        <emoji unicode="1F601" image="u1f601.png"/><emoji unicode="1F600" image="u1f600.png"/>
        </category></emojis>
        """

    /// Returns the archive of an emoji set of two emoji, in another order than that of their code points.
    private func archive(_ width: Int) -> [UInt8] {
        ZipForge().file("u1f600.png", ImageForge.png(width, 1)).file("u1f601.png", ImageForge.png(width, 2))
            .file("order.xml", Array(Self.list.utf8)).build()
    }

    @Test func `the list of a previous version is read once for all of its images`() async throws {
        let home = try EngineHome()
        let store = try FileStore(.init("faces", type: "emoji"))
        store["faces"].bytes = archive(1)
        try store.publish()
        let manager = try await home.open(using: store)
        #expect(try await manager.installed("faces").state == .finished)
        let operation = try #require(try await manager.emoji.set("faces").operation)
        store["faces"].bytes = archive(2)
        store["faces"].archive = "second.zip"
        try store.publish()
        #expect(try await manager.updated(["faces"]) == ["faces": nil])

        func image(_ number: Int, _ operation: OperationID?) async throws -> [UInt8] {
            Array(try await manager.emoji.image(number, of: "faces", operation: operation).data)
        }
        #expect(try await image(0, operation) == ImageForge.png(1, 2))
        // Without the list, the names of the files determine the order.
        try await manager.packs.directory(of: "faces", operation: operation).remove("order.xml")
        #expect(try await image(1, operation) == ImageForge.png(1, 1))
        #expect(try await image(0, nil) == ImageForge.png(2, 2))
        await manager.close()
    }
}
