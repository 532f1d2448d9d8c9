import FoundationEssentials
import StoreEngine
import StoreModel
import StoreSettings
import StoreTestSupport
import Synchronization
import Testing

/// Tests downloads from a server that is away, on a clock that skips the delays between their attempts.
@Suite(.hangGuard) struct OutageTests {
    private let home: EngineHome
    private let store: TableStore
    private let clock = SkippingClock()
    private static let size = 200_000
    private static let settings = EngineHome.always.merging([
        .catalogueRefreshAfter: "86400", .downloadsRetryDelay: "500",
    ]) { $1 }

    init() throws {
        home = try EngineHome()
        store = try TableStore(ZipForge().file("1.gif", ImageForge.bytes(Self.size)), hasTable: false)
    }

    private func open(_ more: [SettingKey: String] = [:]) async throws -> StoreManager {
        let manager = try await home.open(Self.settings.merging(more) { $1 }, clock: clock.source)
        try await manager.stores.add(name: "main", url: store.origin.url, unsigned: true, priority: 0)
        return manager
    }

    /// The first bytes that the requests for the archive asked for.
    private var offsets: [Int] {
        store.origin.requests(to: TableStore.archive).map { request in
            let range = request.headers["range"] ?? "bytes=0-"
            return Int(range.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? -1
        }
    }

    private var partialFiles: [String] {
        get throws { try home.folder.directory.openDirectory("cache/partial").names() }
    }

    @Test func `a server that goes away is tried for the outage time, and the next install resumes`() async throws {
        store.origin.script(TableStore.archive, [[.goDown, .closeAt(100_000)]])
        let manager = try await open()
        let failed = try await manager.installed("a")
        #expect(failed.state == .failed)
        #expect(failed.error?.code == .transferUnreachable)
        #expect(failed.error?.hint?.contains("% is downloaded") == true, "\(String(describing: failed.error))")
        #expect(clock.elapsed == .milliseconds(500 + 600_000), "after the delay that follows the broken connection")
        #expect(failed.attempt > 20)
        #expect(try partialFiles.count == 1)

        // Still away: this download has not reached the server.
        #expect(try await manager.installed("a").error?.code == .transferUnreachable)
        #expect(clock.elapsed == .milliseconds(500 + 610_000))
        #expect(try partialFiles.count == 1)

        try store.origin.open()
        #expect(try await manager.installed("a").state == .finished)
        #expect(offsets == [0, 100_000])
        #expect(try await manager.packs.verify("a").isEmpty)
        #expect(try partialFiles == [])
        await manager.close()
    }

    @Test func `a server that comes back in time delivers the rest`() async throws {
        store.origin.script(TableStore.archive, [[.goDown, .closeAt(100_000)]])
        clock.onSkip { [origin = store.origin] in if $0 > .seconds(60) { try? origin.open() } }
        let manager = try await open()
        #expect(try await manager.installed("a").state == .finished)
        #expect(clock.elapsed > .seconds(60) && clock.elapsed < .seconds(100))
        #expect(offsets == [0, 100_000])
        await manager.close()
    }

    @Test func `a server that never answers is tried for the contact time`() async throws {
        let manager = try await open()
        store.origin.script("/catalogue.json", [[.goDown, .resetInHeaders]])
        #expect(try await manager.stores.refresh().first?.error != nil)
        let failed = try await manager.installed("a")
        #expect(failed.error?.code == .transferUnreachable)
        #expect(failed.error?.code.exitCode == .network)
        #expect(clock.elapsed == .seconds(10))
        #expect(try partialFiles == [])
        await manager.close()
    }

    @Test(arguments: [SettingKey.downloadsKeepPartial, .downloadsKeptPartials])
    func `nothing is kept of a failed download where the settings say so`(key: SettingKey) async throws {
        store.origin.script(TableStore.archive, [[.closeAt(100_000)]])
        let manager = try await open([key: "0", .downloadsAttempts: "1"])
        let failed = try await manager.installed("a")
        #expect(failed.error?.code == .transferInterrupted)
        #expect(failed.error?.hint?.contains("downloaded") != true)
        #expect(try partialFiles == [])
        #expect(try await manager.installed("a").state == .finished)
        #expect(offsets == [0, 0])
        await manager.close()
    }

    @Test func `bytes that are wrong are not kept`() async throws {
        store.origin.always(TableStore.archive, .wrongAt(100_000))
        let manager = try await open()
        #expect(try await manager.installed("a").error?.code == .contentHashMismatch)
        #expect(try partialFiles == [])
        await manager.close()
    }

    @Test func `a kept partial file survives a restart`() async throws {
        store.origin.script(TableStore.archive, [[.closeAt(100_000)]])
        let manager = try await open([.downloadsAttempts: "1"])
        #expect(try await manager.installed("a").state == .failed)
        await manager.close()
        let next = try await home.open(Self.settings)
        #expect(try await next.installed("a").state == .finished)
        #expect(offsets == [0, 100_000])
        await next.close()
    }
}

/// A clock on which the delays between the attempts of downloads take no time.
private final class SkippingClock: Sendable {
    private struct State {
        var elapsed = Duration.zero
        var onSkip: @Sendable (Duration) -> Void = { _ in }
    }
    private let state = Mutex(State())
    private let start = ContinuousClock.now

    /// The sum of the delays that were skipped.
    var elapsed: Duration { state.withLock { $0.elapsed } }

    /// Sets the function that is called with the time after each skipped delay.
    func onSkip(_ body: @escaping @Sendable (Duration) -> Void) { state.withLock { $0.onSkip = body } }

    var source: TimeSource {
        TimeSource(
            date: { Date() }, now: { [self] in start + elapsed },
            sleep: { [self] duration, name in
                // Other delays are time limits, which are not to expire.
                guard name == "a" else { return try await Task.sleep(for: .seconds(86_400)) }
                try Task.checkCancellation()
                let (now, onSkip) = state.withLock { state in
                    state.elapsed += duration
                    return (state.elapsed, state.onSkip)
                }
                onSkip(now)
            }, jitter: { 0 })
    }
}
