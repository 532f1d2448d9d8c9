import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreLibrary

/// Tests packs with directories of any depth, which anyone can create by hand.
@Suite struct DeepPackTests {
    private let home: LibraryHome
    init() throws { home = try LibraryHome() }

    @Test func `an unmanaged pack of any depth is listed`() async throws {
        try home.packs.put("mine.thing/file", "12345")
        try home.packs.openDirectory("mine.thing").putChain(10_000)
        #expect(try await home.open().all().map(\.size) == [5])
    }

    @Test func `a deep directory that was added to a pack is reported once, and removed with the pack`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["sub/x": "1"])
        try home.packs.openDirectory("a.thing/sub").putChain(10_000)
        let damages = try await library.verify("a")
        let damage = try #require(damages.first)
        #expect(damages.count == 1 && damage.damage == .added)
        // The first directory whose path no system call accepts.
        #expect(damage.path.hasPrefix("sub/d/d/") && (4096...4097).contains(damage.path.utf8.count))
        _ = try await library.remove("a")
        await library.emptyTrash()
        #expect(try home.trash.entries().isEmpty)
    }
}
