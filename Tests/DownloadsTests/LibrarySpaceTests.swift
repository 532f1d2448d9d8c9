import StoreLibrary
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreDownloads

/// The limit for the size of all installed packs, which downloads share.
@Suite struct LibrarySpaceTests {
    private let home: DownloadsHome
    private let space: LibrarySpace

    init() async throws {
        home = try await DownloadsHome()
        space = await home.manager.environment.steps.librarySpace
    }

    @Test func `packs that are installed at the same time share the limit`() async throws {
        let (first, second) = (try home.request("a"), try home.request("b"))
        try await space.claim(40, for: first, limit: 100)
        try await space.claim(60, for: second, limit: 100)
        // A pack that is to be fetched counts beside those that are ready.
        let third = try home.request("c")
        let error = await #expect(throws: StoreError.self) { try await space.require(1, for: third, limit: 100) }
        #expect(error?.code == .libraryLimit)
        await #expect(throws: StoreError.self) { try await space.claim(1, for: third, limit: 100) }
        try await space.require(1, for: third, limit: nil)
        // What was refused does not count, and neither does what has ended.
        space.release(first.operation)
        try await space.claim(40, for: third, limit: 100)
        await home.manager.close()
    }
}
