import FoundationEssentials
import StoreLibrary
import StoreModel
import StoreTestSupport
import Testing

/// Tests which packs are offered to be rolled back, and rollbacks beside other changes.
@Suite struct RestorableTests {
    private let home: LibraryHome
    init() throws { home = try LibraryHome() }

    @Test func `only packs with a version that a rollback restores are restorable`() async throws {
        let library = try await home.open()
        try await library.bring("a", ["file": "1"], version: "1")
        try await library.bring("b", ["file": "1"], version: "1")
        #expect(try await library.restorable().isEmpty)
        try await library.bring("a", ["file": "2"], version: "2")
        #expect(try await library.restorable() == ["a"])
        _ = try await library.rollBack("a", operation: OperationID())
        for library in [library, try await home.open()] { #expect(try await library.restorable().isEmpty) }
        // A repair keeps the version from which the pack was rolled back.
        try await library.bring("a", ["file": "1"], version: "1", keepingReplaced: false)
        #expect(try await library.restorable().isEmpty)
        try await library.bring("a", ["file": "3"], version: "3")
        try await library.bring("b", ["file": "2"], version: "2")
        #expect(try await library.restorable() == ["a", "b"])
        await library.expirePrevious(olderThan: -3600)
        #expect(try await library.restorable().isEmpty)
    }

    @Test func `a request for a pack by name is not lost in a rollback that begins at the same time`() async throws {
        let library = try await home.open()
        for _ in 0..<20 {
            try await library.bring("a", ["file": "1"], version: "1", asDependency: true)
            try await library.bring("a", ["file": "2"], version: "2")
            async let named: Void = library.setRequested("a")
            async let back = library.rollBack("a", operation: OperationID())
            _ = try await (named, back)
            #expect(try await library.pack(of: "a")?.origin?.asDependency == false)
            _ = try await library.remove("a")
        }
    }
}
