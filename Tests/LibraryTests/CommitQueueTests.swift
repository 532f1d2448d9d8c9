import FoundationEssentials
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreLibrary

/// Packs that wait to be committed together.
@Suite struct CommitQueueTests {
    private let home: LibraryHome
    init() throws { home = try LibraryHome() }

    /// The clock of a test, which ends delays when the test says so.
    private final class HeldClock: Sendable {
        private let end = AsyncStream<Void>.makeStream()
        private let started = AsyncStream<Void>.makeStream()

        var source: TimeSource {
            TimeSource(
                date: { Date() }, now: { .now },
                sleep: { [self] _, _ in
                    started.continuation.yield()
                    for await _ in end.stream { return }
                    throw CancellationError()
                }, jitter: { 0 })
        }

        /// Waits until a delay has begun.
        func delayBegan() async { for await _ in started.stream { return } }
        func endDelay() { end.continuation.yield() }
    }

    @Test(.hangGuard) func `packs wait for each other until the time is over`() async throws {
        let clock = HeldClock()
        let library = try await home.open(clock: clock.source)
        async let first = library.bring("a", ["file": "1"], waitingForOthers: true)
        await clock.delayBegan()
        async let second = library.bring("b", ["file": "2"], waitingForOthers: true)
        #expect(try home.packs.names().isEmpty)
        clock.endDelay()
        _ = try await first
        // The second one is in the same group, or begins another.
        clock.endDelay()
        _ = try await second
        #expect(try home.packs.names() == ["a.thing", "b.thing"])
        #expect(try home.staging.names().isEmpty)
    }

    @Test(.hangGuard) func `a pack that does not wait takes along those that do`() async throws {
        let clock = HeldClock()
        let library = try await home.open(clock: clock.source)
        async let first = library.bring("a", ["file": "1"], waitingForOthers: true)
        await clock.delayBegan()
        try await library.bring("b", ["file": "2"])
        _ = try await first
        #expect(try home.packs.names() == ["a.thing", "b.thing"])
    }

    @Test(.hangGuard) func `enough packs are committed at once`() async throws {
        let library = try await home.open(clock: HeldClock().source)
        let identifiers = (0..<CommitQueue.enough).map { "pack-\($0)" }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for identifier in identifiers {
                group.addTask { try await library.bring(identifier, ["file": identifier], waitingForOthers: true) }
            }
            try await group.waitForAll()
        }
        #expect(Set(try await library.all().map(\.productIdentifier)) == Set(identifiers))
    }

    @Test(.hangGuard) func `no pack waits for others when the program is about to end`() async throws {
        let clock = HeldClock()
        let library = try await home.open(clock: clock.source)
        async let first = library.bring("a", ["file": "1"], waitingForOthers: true)
        await clock.delayBegan()
        await library.stopWaitingForCommits()
        _ = try await first
        _ = try await library.bring("b", ["file": "2"], waitingForOthers: true)
        #expect(try home.packs.names() == ["a.thing", "b.thing"])
    }
}
