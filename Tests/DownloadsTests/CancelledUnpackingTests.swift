import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@Suite(.hangGuard)
struct CancelledUnpackingTests {
    private let home: DownloadsHome
    init() async throws { home = try await DownloadsHome() }

    /// Starts a download, and returns when its archive is being unpacked.
    private func start() async throws {
        _ = try await home.manager.start(try home.request("a"))
        for await _ in home.unpacker.started { break }
        #expect(try names("data/staging").count == 1)
    }

    private func names(_ path: String) throws -> [String] {
        try home.folder.directory.openDirectory(path).entries().map(\.name)
    }

    @Test func `a cancelled download interrupts unpacking and leaves nothing`() async throws {
        try await start()
        let status = try await home.manager.cancel("a")
        #expect(status.state == .cancelled)
        #expect(home.unpacker.cancellations.withLock { $0 } == 1)
        for path in ["data/staging", "data/packs", "data/trash", "partial"] {
            #expect(try names(path).isEmpty, "\(path)")
        }
        await home.manager.close()
        try await home.database.close()
    }

    @Test func `closing interrupts unpacking, empties staging and keeps the archive`() async throws {
        try await start()
        await home.manager.close()
        #expect(home.unpacker.cancellations.withLock { $0 } == 1)
        #expect(try names("data/staging").isEmpty && names("data/packs").isEmpty)
        #expect(try names("partial").count == 1)
        #expect(try await home.database.runningOperations().count == 1)
        try await home.database.close()
    }
}
