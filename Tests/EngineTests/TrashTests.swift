import StoreEngine
import StoreSystem
import StoreTestSupport
import Testing

/// Tests when removed packs, and what installations leave, are deleted from the trash.
@Suite(.hangGuard) struct TrashTests {
    private let home: EngineHome
    private let store: FileStore

    init() throws {
        home = try EngineHome()
        store = try FileStore(.init("a"))
    }

    private func trash() throws -> Directory { try home.folder.directory.openDirectory("data/trash") }

    @Test func `the trash is emptied after an installation`() async throws {
        let manager = try await home.open(using: store)
        try await eventually { try trash().names().isEmpty }
        // The trash was emptied at the start, which does not see this directory.
        _ = try trash().createDirectory("left")
        try await manager.installed("a")
        try await eventually { try trash().names().isEmpty }
        await manager.close()
    }

    @Test func `what is in the trash when the engine is closed is deleted at the next start`() async throws {
        let first = try await home.open(using: store)
        try await first.installed("a")
        await first.close()
        _ = try trash().createDirectory("left")
        let second = try await home.open()
        try await eventually { try trash().names().isEmpty }
        await second.close()
    }
}
