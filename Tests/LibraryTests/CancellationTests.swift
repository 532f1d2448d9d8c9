import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreLibrary

@Suite struct CancellationTests {
    private let home: LibraryHome
    private let pack: Directory
    private let files = Dictionary(uniqueKeysWithValues: (0..<20).map { ("\($0)", "text \($0)") })

    init() throws {
        home = try LibraryHome()
        pack = try home.packs.createDirectory("a.thing")
        try home.writePack(files, in: pack)
    }

    @Test(arguments: [0, 3])
    func `a comparison hashes no file after the flag is set`(hashed: Int) throws {
        let comparison = try PackComparison(pack, cancellation: CancellationFlag())
        var begun = 0
        // Each file has one check before it and one for its only chunk.
        let flag = CancellationFlag(cancelledAfter: 2 * hashed)
        #expect(throws: CancellationError.self) {
            _ = try comparison.hash(
                {
                    defer { begun += 1 }
                    return begun
                }, cancellation: flag)
        }
        #expect(begun == hashed + 1)
    }

    @Test func `a listing reads no file after the flag is set`() throws {
        #expect(throws: CancellationError.self) {
            try PackComparison(pack, cancellation: CancellationFlag(cancelledAfter: 5))
        }
    }

    @Test func `a copy creates no file after the flag is set`() throws {
        let other = try home.data.createDirectory("other")
        let receipt = Receipt.of(files, identifier: "a")
        #expect(throws: CancellationError.self) {
            try PackFiles.copy(
                receipt.files.map { ($0.path, $0) }, from: pack, to: other,
                cancellation: CancellationFlag(cancelledAfter: 12))
        }
        #expect(try (1..<4).contains(other.entries().count))
    }

    @Test func `a cancelled verification throws the cancellation, and reports no damage`() async throws {
        let library = try await home.open()
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask {
                await #expect(throws: CancellationError.self) { _ = try await library.verify("a") }
            }
        }
        #expect(try await library.verify("a").isEmpty)
    }

    @Test func `the staged files of a suspended operation are discarded, and their space is released later`()
        async throws
    {
        let library = try await home.open()
        let operation = OperationID()
        let staged = try await library.stage(operation, productIdentifier: "b", kind: .thing)
        try staged.directory.put("1", "one")
        await library.discard(operation, emptiesTrash: false)
        #expect(try home.staging.entries().isEmpty)
        #expect(try home.trash.entries().count == 1)
        await library.emptyTrash()
        #expect(try home.trash.entries().isEmpty)
    }
}
