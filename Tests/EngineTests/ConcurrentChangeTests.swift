import Logging
import StoreLibrary
import StoreModel
import StoreTestSupport
import Synchronization
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

    /// A content kind that calls a function when it is asked whether a pack is in use.
    private final class InterruptingKind: ContentKind {
        /// Whether the function is called: in the task of the test, and not in those of the engine.
        @TaskLocal static var mayInterrupt = false
        let kind = ProductKind(rawValue: "sound")
        let folderExtension = "sounds"
        private let interruption = Mutex<(@Sendable () async -> Void)?>(nil)

        func interruptOnce(with body: @escaping @Sendable () async -> Void) { interruption.withLock { $0 = body } }

        func isInUse(_ productIdentifier: String) async -> Bool {
            if Self.mayInterrupt, let body = interruption.withLock({ $0.take() }) {
                await Self.$mayInterrupt.withValue(false) { await body() }
            }
            return false
        }
    }

    @Test func `a pack is not removed if one that needs it was installed after the removal began`() async throws {
        let kind = InterruptingKind()
        let store = try FileStore(
            .init("a", type: "sound"), .init("b", dependencies: ["a"], type: "sound"))
        let manager = try await home.open(using: store, kinds: [kind])
        try await manager.installed("a")
        // Whether the pack is in use is asked after the first look at the packs that need it.
        kind.interruptOnce {
            let end = try? await manager.installed("b")
            #expect(end?.state == .finished)
        }
        let removal = await InterruptingKind.$mayInterrupt.withValue(true) {
            await code { _ = try await manager.packs.uninstall("a") }
        }
        #expect(removal == .packNeeded)
        #expect(try await manager.packs.list().map(\.productIdentifier).sorted() == ["a", "b"])
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
