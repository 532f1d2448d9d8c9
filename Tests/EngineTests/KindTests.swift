import Dispatch
import StoreEngine
import StoreLibrary
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

/// A content kind that the project does not define.
final class SoundKind: ContentKind {
    let kind = ProductKind(rawValue: "sound")
    let folderExtension = "sounds"
    private let calls = Mutex<[String]>([])
    private let inUse = Mutex<Set<String>>([])

    var log: [String] { calls.withLock { $0 } }
    func use(_ identifier: String?) { inUse.withLock { $0 = identifier.map { [$0] } ?? [] } }

    func check(_ pack: Directory, cancellation: CancellationFlag) throws {
        guard try pack.names().contains(where: { $0.hasSuffix(".ogg") }) else {
            throw StoreError(.informationMalformed, ["location": "pack.json", "reason": "there is no sound in it"])
        }
    }

    func isInUse(_ productIdentifier: String) async -> Bool { inUse.withLock { $0.contains(productIdentifier) } }
    func didInstall(_ productIdentifier: String) async {
        calls.withLock { $0.append("installed \(productIdentifier)") }
    }

    func willRemove(_ productIdentifier: String) async throws {
        calls.withLock { $0.append("removing \(productIdentifier)") }
    }
}

@Suite struct KindTests {
    @Test func `a pack of another kind is installed, listed, used, updated and removed`() async throws {
        let (home, kind) = (try EngineHome(), SoundKind())
        let store = try FileStore(
            .init("birds", ["1.ogg": "tweet"], type: "sound"), .init("mute", ["1.txt": ""], type: "sound"),
            .init("cups"))
        let manager = try await home.open(using: store, kinds: [kind])
        #expect(try await manager.installed("birds").state == .finished)
        #expect(try home.packs.names() == ["birds.sounds"])
        let pack = try await manager.packs.pack("birds")
        #expect(pack.kind.rawValue == "sound" && pack.path.hasSuffix("/data/packs/birds.sounds"))
        #expect(try await manager.packs.list(kind: kind.kind) == [pack])
        #expect(try await manager.packs.list(kind: .sticker).isEmpty)
        let refused = try await manager.installed("mute")
        #expect(refused.state == .failed && refused.error?.code == .badInformation)
        #expect(await failure { try await manager.installed("cups") } == .kindUnknown)

        kind.use("birds")
        #expect(try await manager.packs.pack("birds").state == [.inUse, .downloaded, .free])
        let code = await failure { _ = try await manager.packs.uninstall("birds") }
        #expect(code == .packInUse && code?.exitCode == .conflict)
        kind.use(nil)

        store["birds"].files = ["1.ogg": "tweet tweet"]
        try store.publish()
        #expect(try await manager.updated() == ["birds": nil])
        _ = try await manager.packs.uninstall("birds")
        try home.packs.put("mine.sounds/1.ogg", "")
        #expect(try await manager.packs.list().map(\.productIdentifier) == ["mine"])
        await manager.close()
        #expect(kind.log.filter { $0 == "installed birds" }.count == 2)
        #expect(kind.log.contains("removing birds"))

        // A manager without the kind leaves its packs alone.
        let other = try await home.open()
        #expect(try await other.packs.list().isEmpty)
        #expect(try home.packs.names() == ["mine.sounds"])
        await other.close()
    }
}

/// A sticker kind whose check of a pack blocks until the test releases it.
final class BlockingKind: ContentKind {
    let kind = ProductKind.sticker
    let folderExtension = "stickers"
    private let gate = DispatchSemaphore(value: 0)
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let arrived = Mutex<[[String]]>([])

    /// The file names of each pack that was checked, in the order of the checks.
    var checked: [[String]] { arrived.withLock { $0 } }

    init() { (arrivals, arrival) = AsyncStream.makeStream() }

    func check(_ pack: Directory, cancellation: CancellationFlag) throws {
        let names = try pack.names()
        arrived.withLock { $0.append(names) }
        arrival.yield()
        gate.wait()
        // A released check releases the next one.
        gate.signal()
    }

    /// Returns when the check of a pack is blocked.
    func untilBlocked() async { for await _ in arrivals { return } }
    func release() { gate.signal() }
}
