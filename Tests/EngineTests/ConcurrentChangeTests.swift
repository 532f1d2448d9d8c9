import Logging
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreEngine

/// Requests about one product that come at once.
@Suite(.hangGuard) struct ConcurrentChangeTests {
    private let home: EngineHome
    private let store: FileStore

    init() throws {
        home = try EngineHome()
        store = try FileStore(.init("a"))
    }

    @Test func `a pack that is installed and removed at once is neither missing nor placed by hand`() async throws {
        let manager = try await home.open(using: store)
        var codes: [ErrorCode?] = []
        for _ in 0..<200 {
            try? await install(manager)
            codes += await withTaskGroup(of: ErrorCode?.self) { group in
                for _ in 0..<3 {
                    group.addTask { await code { _ = try await manager.packs.uninstall("a") } }
                    group.addTask { await code { try await install(manager) } }
                    group.addTask { await code { _ = try await manager.packs.listing() } }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            try #require(try await manager.packs.listing().missing == [])
        }
        #expect(Set(codes).subtracting([nil, .productBusy, .packMissing]) == [])
        await manager.close()
    }

    @Test func `a pack that was installed after the library was read is not missing`() async throws {
        let manager = try await home.open(using: store)
        let lister = await manager.packs.lister
        let (packs, changes) = try await lister.library.counted()
        try await manager.installed("a")
        #expect(try await lister.missing.find(besides: packs, changes: changes) == [])
        await manager.close()
    }

    private func install(_ manager: StoreManager) async throws {
        let installation = try await manager.installs.install("a", store: nil)
        if installation.download != nil { try await manager.end(of: installation) }
    }

    /// Returns the code of the error with which a request fails; `nil` if it does not.
    private func code(_ request: () async throws -> Void) async -> ErrorCode? {
        do {
            try await request()
            return nil
        } catch {
            return (error as? any CodedError)?.code ?? .unexpected
        }
    }
}
