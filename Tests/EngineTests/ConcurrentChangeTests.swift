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

    /// A content kind that calls a function when it is asked whether a pack is in use, or when a pack is removed.
    private final class InterruptingKind: ContentKind {
        /// Whether the function is called: in the task of the test, and not in those of the engine.
        @TaskLocal static var mayInterrupt = false
        let kind: ProductKind
        let folderExtension: String
        private let interruption = Mutex<(@Sendable () async -> Void)?>(nil)
        private let removalInterruption = Mutex<(@Sendable () async -> Void)?>(nil)
        private let isUsed = Mutex(false)

        init(_ kind: ProductKind = ProductKind(rawValue: "sound"), folderExtension: String = "sounds") {
            self.kind = kind
            self.folderExtension = folderExtension
        }

        func interruptOnce(with body: @escaping @Sendable () async -> Void) { interruption.withLock { $0 = body } }
        func interruptRemoval(with body: @escaping @Sendable () async -> Void) {
            removalInterruption.withLock { $0 = body }
        }
        /// From now on, each pack is in use.
        func use() { isUsed.withLock { $0 = true } }

        func isInUse(_ productIdentifier: String) async -> Bool {
            let answer = isUsed.withLock { $0 }
            if Self.mayInterrupt, let body = interruption.withLock({ $0.take() }) {
                await Self.$mayInterrupt.withValue(false) { await body() }
            }
            return answer
        }

        func willRemove(_ productIdentifier: String) async throws {
            if let body = removalInterruption.withLock({ $0.take() }) { await body() }
        }
    }

    @Test func `a pack is not removed if it was put in use after the removal began`() async throws {
        let kind = InterruptingKind()
        let store = try FileStore(.init("a", type: "sound"))
        let manager = try await home.open(using: store, kinds: [kind])
        try await manager.installed("a")
        kind.interruptOnce { kind.use() }
        let removal = await InterruptingKind.$mayInterrupt.withValue(true) {
            await code { _ = try await manager.packs.uninstall("a") }
        }
        #expect(removal == .packInUse)
        #expect(try await manager.packs.list().map(\.productIdentifier) == ["a"])
        await manager.close()
    }

    @Test func `an emoji set is not put in use while it is removed`() async throws {
        let kind = InterruptingKind(.emoji, folderExtension: "emoji")
        let store = try FileStore(.init("faces", type: "emoji"))
        let manager = try await home.open(using: store, kinds: [kind])
        try await manager.installed("faces")
        try await confirmation { interrupted in
            kind.interruptRemoval {
                #expect(await failure { _ = try await manager.useEmojiSet("faces") } == .productBusy)
                interrupted()
            }
            _ = try await manager.packs.uninstall("faces")
        }
        #expect(await manager.emoji.use().chosen == nil)
        await manager.close()
    }

    @Test func `neither a skin that is removed nor one that inherits from it is put in use`() async throws {
        let kind = InterruptingKind(.skin, folderExtension: "purchasedTheme")
        let theme = "<theme><instances></instances></theme>"
        let night = #"<skin identifier="night" name="Night" version="1"/>"#
        let store = try FileStore(.init("night", ["skin.xml": night, "chat.xml": theme], type: "skin"))
        let manager = try await home.open(using: store, kinds: [kind])
        try await manager.installed("night")
        try home.packs.put(
            "mine.purchasedTheme/skin.xml", #"<skin identifier="mine" name="Mine" version="1" parent="night"/>"#)
        try home.packs.put("mine.purchasedTheme/chat.xml", theme)
        try await confirmation { interrupted in
            kind.interruptRemoval {
                for skin in ["night", "mine"] {
                    #expect(await failure { _ = try await manager.useSkin(skin) } == .productBusy, "\(skin)")
                }
                interrupted()
            }
            _ = try await manager.packs.uninstall("night")
        }
        #expect(manager.skins.skinUse.chosen == nil)
        await manager.close()
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

    @Test func `an installation is prepared again if a dependency was removed after it was prepared`() async throws {
        let store = try FileStore(.init("a"), .init("b", dependencies: ["a"]))
        let manager = try await home.open(using: store)
        try await manager.installed("a")
        var offers: OfferLookup?
        let preparation = try await manager.installs.prepare("b", store: nil, consent: [], offers: &offers)
        _ = try await manager.packs.uninstall("a")
        let hasBegun =
            try await manager.installs.carryOut(
                preparation, consent: [], agreed: nil, priority: nil, rateLimit: nil) != nil
        #expect(!hasBegun && manager.locks.areFree)
        try await manager.installed("b")
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
