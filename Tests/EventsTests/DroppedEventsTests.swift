import FoundationEssentials
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreEvents

/// Events that are published while no event number can be reserved, as on a full disk.
@Suite struct DroppedEventsTests {
    /// Reserves numbers from a counter, or fails; each attempt after a failure waits for ``allow()``.
    private final class Reservations: Sendable {
        private let counter = EventCounter(first: 1)
        private let isFailing = Mutex(false)
        private let gate = AsyncStream<Void>.makeStream()

        func reserve(_ count: Int) throws -> Range<UInt64> {
            if isFailing.withLock({ $0 }) { throw StoreError(.databaseDiskFull, ["path": "library.sqlite"]) }
            return counter.allocate(count)
        }

        func fail() { isFailing.withLock { $0 = true } }

        func allow() {
            isFailing.withLock { $0 = false }
            gate.continuation.finish()
        }

        var clock: TimeSource {
            TimeSource(
                date: { Date() }, now: { .now }, sleep: { [stream = gate.stream] _, _ in for await _ in stream {} },
                jitter: { 0 })
        }
    }

    private static let capacity = 100
    private let reservations = Reservations()

    private func makeBus(in folder: TemporaryFolder? = nil) async throws -> EventBus {
        let journal = folder.map { EventJournal(in: $0.directory, boot: "11111111-2222-3333-4444-555555555555") }
        return try await EventBus(
            journal: journal, capacity: Self.capacity, clock: reservations.clock, blockSize: 10
        ) { [reservations] in try reservations.reserve($0) }
    }

    private func download(
        _ id: String, _ state: DownloadState = .downloading, _ activity: DownloadActivity? = .transferring,
        received: Int = 0
    ) -> Event.Happening {
        .download(
            DownloadStatus(
                operation: OperationID(rawValue: "op-" + id), action: .install, productIdentifier: id, store: "shop",
                state: state, activity: activity, bytesReceived: received, bytesExpected: 100))
    }

    @Test func `a bounded number of events waits for event numbers`() async throws {
        let bus = try await makeBus()
        reservations.fail()
        var most = 0
        for number in 0..<5000 {
            for id in ["a", "b", "c"] { bus.publish(download(id, received: number)) }
            bus.publish(.catalogue(store: "\(number)"))
            most = max(most, bus.state.withLock { $0.unnumbered.elements.count })
        }
        #expect(most > 10 && most <= Self.capacity)
        reservations.allow()
        await bus.close()
    }

    @Test func `progress of a download waits for event numbers only once`() async throws {
        let bus = try await makeBus()
        let events = try bus.subscribe().makeAsyncIterator()
        reservations.fail()
        for number in 1...9 { bus.publish(.catalogue(store: "\(number)")) }
        for received in 1...1000 { bus.publish(download("a", received: received)) }
        bus.publish(.catalogue(store: "last"))
        reservations.allow()
        for sequence in 1...9 as ClosedRange<UInt64> { #expect(try await events.next()?.sequence == sequence) }
        #expect(try await events.next()?.event.happening == download("a", received: 1000))
        #expect(try await events.next()?.event.happening == .catalogue(store: "last"))
        await bus.close()
    }

    @Test func `events that waited are delivered in order once numbers can be reserved`() async throws {
        let bus = try await makeBus()
        let subscription = try bus.subscribe()
        reservations.fail()
        for number in 0..<55 { bus.publish(.catalogue(store: "\(number)")) }
        reservations.allow()
        var received: [Event.Happening] = []
        for try await event in subscription {
            received.append(event.event.happening)
            if received.count == 55 { break }
        }
        #expect(received == (0..<55).map { .catalogue(store: "\($0)") })
        await bus.close()
    }

    @Test func `a subscriber that missed dropped events needs a snapshot, which is up to date`() async throws {
        let folder = try TemporaryFolder()
        let bus = try await makeBus(in: folder)
        let events = try bus.subscribe().makeAsyncIterator()
        bus.publish(download("a", .initializing, .queued))
        let cursor = bus.lastSequence
        reservations.fail()
        bus.publish(download("b", .initializing, .queued))
        for number in 0..<10 * Self.capacity { bus.publish(.catalogue(store: "\(number)")) }
        bus.publish(download("a", received: 7))
        bus.publish(download("b", .finished, nil))
        for number in 0..<10 * Self.capacity { bus.publish(.catalogue(store: "\(number)")) }
        reservations.allow()
        await #expect {
            while try await events.next() != nil {}
        } throws: { ($0 as? StoreError)?.code == .eventsGone }
        while bus.state.withLock({ !$0.unnumbered.isEmpty }) { await Task.yield() }
        await bus.flush()

        let snapshot = bus.downloadSnapshot
        let states = snapshot.downloads.map { "\($0.productIdentifier) \($0.state) \($0.bytesReceived)" }
        #expect(states == ["a downloading 7", "b finished 0"])
        #expect(throws: StoreError.self) { try bus.subscribe(after: cursor) }
        bus.publish(.catalogue(store: "after the snapshot"))
        let next = try bus.subscribe(after: snapshot.sequence).makeAsyncIterator()
        #expect(try await next.next()?.event.happening == .catalogue(store: "after the snapshot"))
        await bus.close()

        // The journal does not hide the gap, either.
        let restarted = try await makeBus(in: folder)
        #expect(throws: StoreError.self) { try restarted.subscribe(after: cursor) }
        _ = try restarted.subscribe(after: snapshot.sequence)
        await restarted.close()
    }

    @Test(arguments: [1, 10 * capacity])
    func `after a restart a subscriber learns that events were lost which never got a number`(count: Int) async throws {
        let folder = try TemporaryFolder()
        let bus = try await makeBus(in: folder)
        bus.publish(.catalogue(store: "delivered"))
        let cursor = bus.lastSequence
        reservations.fail()
        while bus.state.withLock({ $0.unnumbered.isEmpty }) { bus.publish(.catalogue(store: "numbered")) }
        for number in 1..<count { bus.publish(.catalogue(store: "\(number)")) }
        let last = bus.lastSequence
        #expect(last > cursor)
        await bus.close()
        reservations.allow()
        let restarted = try await makeBus(in: folder)
        // Also one that received the last event which got a number.
        for cursor in [cursor, last] {
            #expect { try restarted.subscribe(after: cursor) } throws: { ($0 as? StoreError)?.code == .eventsGone }
        }
        _ = try restarted.subscribe(after: restarted.lastSequence)
        await restarted.close()
    }
}
