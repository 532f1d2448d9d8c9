import Logging
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite struct SpaceReserveTests {
    private let folder: TemporaryFolder
    private let reserve: SpaceReserve

    init() throws {
        folder = try TemporaryFolder(inMemory: true)
        reserve = SpaceReserve(
            dataDirectory: folder.path, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Fails for lack of space until there is no reserve.
    private func start(_ attempts: inout Int) throws {
        attempts += 1
        if try folder.directory.status(of: SpaceReserve.fileName) != nil {
            throw StoreError(.databaseDiskFull, ["path": .path(folder.path)])
        }
    }

    @Test func `the reserve is freed for a start that finds no space`() async throws {
        reserve.allocate()
        let status = try #require(try folder.directory.status(of: SpaceReserve.fileName))
        #expect(status.space >= SpaceReserve.size && status.permissions == 0o600)
        var attempts = 0
        try await reserve.freeingIfNeeded { try start(&attempts) }
        #expect(attempts == 2)
        reserve.allocate()
        #expect(try folder.directory.status(of: SpaceReserve.fileName)?.space ?? 0 >= SpaceReserve.size)
    }

    @Test func `a start that fails for another reason leaves the reserve`() async throws {
        reserve.allocate()
        var attempts = 0
        let code = await failure {
            try await reserve.freeingIfNeeded {
                attempts += 1
                throw StoreError(.databaseIsNewer, ["path": .path(folder.path)])
            }
        }
        #expect(code == .databaseNewer && attempts == 1)
        #expect(try folder.directory.status(of: SpaceReserve.fileName) != nil)
    }

    @Test func `without a reserve a start that finds no space fails`() async throws {
        var attempts = 0
        let code = await failure {
            try await reserve.freeingIfNeeded {
                attempts += 1
                throw StoreError(.databaseDiskFull, ["path": .path(folder.path)])
            }
        }
        #expect(code == .noSpace && attempts == 1)
    }
}
