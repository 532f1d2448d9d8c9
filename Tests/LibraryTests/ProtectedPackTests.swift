import Glibc
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

/// Tests packs whose directories the user has protected against changes, as with `chmod -R a-w`.
@Suite struct ProtectedPackTests {
    private let home: LibraryHome
    init() throws { home = try LibraryHome() }

    @Test(.enabled(if: geteuid() != 0, "root may change every directory"))
    func `a protected pack is removed with all its directories`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["x": "1", "sub/x": "1", "sub/deep/x": "1"])
        for path in ["a.thing/sub/deep", "a.thing/sub", "a.thing"] {
            try home.packs.openDirectory(path).setPermissions(0o555)
        }
        _ = try await library.remove("a")
        await library.emptyTrash()
        #expect(try home.packs.names().isEmpty && home.trash.names().isEmpty)
    }
}
