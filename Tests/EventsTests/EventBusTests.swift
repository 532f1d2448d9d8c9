import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreEvents

@Suite struct EventBusTests {
    /// Returns a bus whose blocks of sequence numbers come from a counter.
    private func makeBus(
        capacity: Int = 1000, subscriptionCapacity: Int = 40_000, first: UInt64 = 1
    ) async throws -> EventBus {
        let counter = EventCounter(first: first)
        return try await EventBus(capacity: capacity, subscriptionCapacity: subscriptionCapacity) { count in
            counter.allocate(count)
        }
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

    private func take(_ count: Int, from subscription: EventSubscription) async throws -> [Event] {
        var events: [Event] = []
        for try await event in subscription {
            events.append(event.event)
            if events.count == count { break }
        }
        return events
    }

    @Test func `a subscription receives all events from its start on, in order`() async throws {
        let bus = try await makeBus()
        bus.publish(.catalogue(store: "before"))
        let subscription = try bus.subscribe()
        for place in 0..<50 { bus.publish(.catalogue(store: "\(place)")) }
        let events = try await take(50, from: subscription)
        #expect(events.map(\.happening) == (0..<50).map { .catalogue(store: "\($0)") })
        #expect(events.map(\.sequence) == Array(2...51))
        #expect(bus.lastSequence == 51)
    }

    @Test func `events that were published before are received at once, up to a limit`() async throws {
        let bus = try await makeBus()
        let events = try bus.subscribe().makeAsyncIterator()
        for place in 0..<7 { bus.publish(.catalogue(store: "\(place)")) }
        await bus.flush()
        for expected in [1...3, 4...6, 7...7] {
            #expect(try await events.nextBatch(upTo: 3)?.map(\.sequence) == expected.map(UInt64.init))
        }
        bus.publish(.catalogue(store: "later"))
        #expect(try await events.nextBatch(upTo: 3)?.map(\.sequence) == [8])
        bus.publish(.catalogue(store: "last"))
        await bus.close()
        #expect(try await events.nextBatch(upTo: 3)?.map(\.sequence) == [9])
        #expect(try await events.nextBatch(upTo: 3) == nil)
    }

    @Test func `a reader that fell behind gets an error and no batch`() async throws {
        let bus = try await makeBus(subscriptionCapacity: 10)
        let events = try bus.subscribe().makeAsyncIterator()
        for place in 0..<50 { bus.publish(.catalogue(store: "\(place)")) }
        await bus.flush()
        let error = await #expect(throws: StoreError.self) { try await events.nextBatch(upTo: 3) }
        #expect(error?.code == .eventsGone)
    }

    @Test func `the snapshot lists a bounded number of ended downloads, the latest ones`() async throws {
        let bus = try await makeBus(capacity: 10)
        bus.publish(download("runs"))
        let count = EventBus.endedDownloadsCapacity * 2 + 7
        for place in 0..<count { bus.publish(download("\(place)", .finished, nil)) }
        let snapshot = bus.downloadSnapshot
        #expect(snapshot.sequence == UInt64(count + 1))
        let expected = ["runs"] + (count - EventBus.endedDownloadsCapacity..<count).map { "\($0)" }
        #expect(snapshot.downloads.map(\.productIdentifier) == expected)
    }

    @Test func `a subscription with a cursor receives all events after it`() async throws {
        let bus = try await makeBus()
        for place in 1...20 { bus.publish(.catalogue(store: "\(place)")) }
        let subscription = try bus.subscribe(after: 5)
        bus.publish(.catalogue(store: "21"))
        #expect(try await take(16, from: subscription).map(\.sequence) == Array(6...21))
    }

    @Test func `a subscription with a cursor receives the current progress of each download`() async throws {
        let bus = try await makeBus()
        bus.publish(download("a", .initializing, .queued))
        let seen = bus.lastSequence
        for received in 1...5 { bus.publish(download("a", received: received)) }
        bus.publish(.catalogue(store: "shop"))
        bus.publish(download("b", received: 9))
        bus.publish(download("b", .finished, nil))
        await bus.flush()
        let events = try bus.subscribe(after: seen).makeAsyncIterator()
        // The first event of a state is a state change, and not only progress.
        for sequence: UInt64 in [2, 6, 7, 8, 9] { #expect(try await events.next()?.sequence == sequence) }
        // Published only after the others were read, because it would replace unread progress.
        bus.publish(download("a", received: 6))
        #expect(try await events.next()?.sequence == 10)
    }

    @Test func `a cursor below the retention floor or above the last event is gone`() async throws {
        let bus = try await makeBus(capacity: 8)
        let first = try bus.subscribe()
        for place in 1...100 { bus.publish(.catalogue(store: "\(place)")) }
        _ = try await take(100, from: first)
        #expect(throws: StoreError.self) { _ = try bus.subscribe(after: 3) }
        #expect(throws: StoreError.self) { _ = try bus.subscribe(after: 101) }
        #expect(throws: StoreError.self) { _ = try bus.subscribe(after: 0) }
        #expect(try await take(4, from: try bus.subscribe(after: 96)).map(\.sequence) == [97, 98, 99, 100])
        _ = try bus.subscribe(after: 100)
    }

    @Test func `without a journal, events of the previous process are gone`() async throws {
        let bus = try await makeBus(first: 5000)
        #expect(throws: StoreError.self) { _ = try bus.subscribe(after: 4000) }
        _ = try bus.subscribe(after: bus.lastSequence)
    }

    @Test func `a slow subscriber receives the newest progress and every state`() async throws {
        let bus = try await makeBus()
        let subscription = try bus.subscribe()
        bus.publish(download("a", .initializing, .connecting))
        for received in 1...500 { bus.publish(download("a", received: received)) }
        for received in 1...500 { bus.publish(download("b", received: received)) }
        bus.publish(download("a", .downloaded, .unpacking))
        bus.publish(download("a", .finished, nil))
        bus.publish(.catalogue(store: "end"))
        await bus.flush()
        let events = try await take(7, from: subscription)
        #expect(events.map(\.sequence) == events.map(\.sequence).sorted())
        let states = events.compactMap { event -> String? in
            if case .download(let status) = event.happening {
                "\(status.productIdentifier) \(status.state) \(status.bytesReceived)"
            } else {
                nil
            }
        }
        #expect(
            states == [
                "a initializing 0", "a downloading 1", "b downloading 1", "b downloading 500", "a downloaded 0",
                "a finished 0",
            ])
    }

    @Test func `a subscriber that never reads occupies a bounded buffer and then needs a snapshot`() async throws {
        let bus = try await makeBus(subscriptionCapacity: 100)
        let subscription = try bus.subscribe()
        for received in 1...1000 { bus.publish(download("a", received: received)) }
        for place in 1...120 { bus.publish(.catalogue(store: "\(place)")) }
        await bus.flush()
        await #expect(throws: StoreError.self) { _ = try await take(1, from: subscription) }
    }

    @Test func `the snapshot contains the downloads as of its sequence number`() async throws {
        let bus = try await makeBus()
        #expect(bus.downloadSnapshot.sequence == 0 && bus.downloadSnapshot.downloads.isEmpty)
        bus.publish(download("b", .initializing, .queued))
        bus.publish(download("a", received: 3))
        bus.publish(download("b", .failed, nil))
        bus.publish(download("a", received: 7))
        let snapshot = bus.downloadSnapshot
        #expect(snapshot.sequence == 4)
        #expect(
            snapshot.downloads.map { "\($0.operation) \($0.state) \($0.bytesReceived)" } == [
                "op-a downloading 7", "op-b failed 0",
            ])
        // A subscription from the snapshot's number receives only later events.
        let subscription = try bus.subscribe(after: snapshot.sequence)
        bus.publish(download("a", .finished, nil))
        #expect(try await take(1, from: subscription).map(\.sequence) == [5])
        #expect(bus.downloadSnapshot.downloads.map(\.productIdentifier) == ["b", "a"])
    }

    @Test func `a filter by product selects the events of that product`() async throws {
        let bus = try await makeBus()
        let subscription = try bus.subscribe(filter: .product("b"))
        bus.publish(download("a"))
        bus.publish(.catalogue(store: "shop"))
        bus.publish(download("b", .finished, nil))
        #expect(try await take(1, from: subscription).map(\.productIdentifier) == ["b"])
    }

    @Test func `a filter by ends selects the ends and pauses of downloads`() async throws {
        let bus = try await makeBus()
        let subscription = try bus.subscribe(filter: EventFilter(endsOnly: true))
        bus.publish(download("a", .initializing, .queued))
        bus.publish(download("a", .downloading, .paused))
        bus.publish(.catalogue(store: "shop"))
        bus.publish(download("a", received: 7))
        bus.publish(download("a", .finished, nil))
        bus.publish(.pack(PackChange(productIdentifier: "a", kind: .sticker, change: .installed, version: nil)))
        bus.publish(download("b", .failed, nil))
        #expect(try await take(3, from: subscription).map(\.sequence) == [2, 5, 7])
    }

    @Test func `a filter by kind selects the events of that kind`() async throws {
        let bus = try await makeBus()
        let subscription = try bus.subscribe(filter: .kind(.skin))
        let both = try bus.subscribe(filter: EventFilter(productIdentifier: "b", kind: .skin))
        for (id, kind) in [("a", ProductKind.sticker), ("a", .skin), ("b", .skin)] {
            bus.publish(.pack(PackChange(productIdentifier: id, kind: kind, change: .installed, version: nil)))
        }
        bus.publish(.catalogue(store: "shop"))
        bus.publish(download("c"))
        bus.publish(.pack(PackChange(productIdentifier: "d", kind: .skin, change: .removed, version: nil)))
        #expect(try await take(3, from: subscription).map(\.productIdentifier) == ["a", "b", "d"])
        #expect(try await take(1, from: both).map(\.productIdentifier) == ["b"])
    }

    @Test func `changes of the skin in use pass the filters of their kind and of the skins that they are about`()
        async throws
    {
        let bus = try await makeBus()
        func reference(_ identifier: String) -> SkinReference {
            SkinReference(identifier: identifier, name: identifier, version: nil)
        }
        let use = SkinUse(skin: reference("night"), inherits: [reference("base")], chosen: "night")
        let change = SkinDifference(
            from: reference("light"), to: reference("night"), identifiers: [:], properties: [:], rules: false)
        let about = try ["night", "base", "light"].map { try bus.subscribe(filter: .product($0)) }
        let kind = try bus.subscribe(filter: .kind(.skin))
        let others = [try bus.subscribe(filter: .product("cups")), try bus.subscribe(filter: .kind(.sticker))]
        bus.publish(.skin(use, change: change))
        for identifier in ["cups", "night"] {
            bus.publish(
                .pack(PackChange(productIdentifier: identifier, kind: .sticker, change: .removed, version: nil)))
        }
        for subscription in about + [kind] {
            #expect(try await take(1, from: subscription).first?.happening == .skin(use, change: change))
        }
        for subscription in others {
            #expect(try await take(1, from: subscription).first?.productIdentifier == "cups")
        }
    }

    @Test func `a released subscription is removed, and closing the bus ends all subscriptions`() async throws {
        let bus = try await makeBus()
        var one: EventSubscription? = try bus.subscribe()
        var iterator = one?.makeAsyncIterator()
        #expect(bus.subscriptionCount == 1)
        iterator = nil
        one = nil
        _ = iterator
        #expect(bus.subscriptionCount == 0)
        let other = try bus.subscribe()
        bus.publish(.catalogue(store: "last"))
        await bus.close()
        var received = 0
        for try await _ in other { received += 1 }
        #expect(received == 1)
    }

    @Test func `a cancelled subscriber stops waiting`() async throws {
        let bus = try await makeBus()
        let subscription = try bus.subscribe()
        let reader = Task { for try await _ in subscription {} }
        reader.cancel()
        try await reader.value
        #expect(bus.subscriptionCount == 0)
    }

    @Test(.hangGuard) func `a subscriber may be cancelled at any moment of an event`() async throws {
        let bus = try await makeBus()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for place in 0..<20_000 {
                    bus.publish(.catalogue(store: "\(place)"))
                    if place % 50 == 0 { await Task.yield() }
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<1000 {
                        let reader = Task {
                            let subscription = try bus.subscribe()
                            for try await _ in subscription {}
                        }
                        await Task.yield()
                        reader.cancel()
                        try await reader.value
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(bus.subscriptionCount == 0)
    }

    @Test func `sequence numbers keep growing at the end of a block, even if the next block is late`() async throws {
        let gate = AsyncStream<Void>.makeStream()
        let blocks = Mutex([UInt64(10)..<UInt64(14), UInt64(100)..<UInt64(1 << 22)])
        let bus = try await EventBus { _ in
            let block = blocks.withLock { $0.removeFirst() }
            if block.lowerBound == 100 { for await _ in gate.stream { break } }
            return block
        }
        let subscription = try bus.subscribe()
        for place in 0..<6 { bus.publish(.catalogue(store: "\(place)")) }
        #expect(try await take(3, from: subscription).map(\.sequence) == [10, 11, 12])
        let rest = try bus.subscribe()
        gate.continuation.yield()
        let events = try await take(3, from: rest)
        #expect(events.map(\.sequence) == [100, 101, 102])
        #expect(events.map(\.happening) == (3..<6).map { .catalogue(store: "\($0)") })
    }

    @Test func `the JSON of an event is encoded once and has the members of the contract`() async throws {
        let bus = try await makeBus()
        let (one, two) = (try bus.subscribe(), try bus.subscribe())
        bus.publish(download("a", .downloading, .transferring, received: 25))
        let first = one.makeAsyncIterator()
        let second = two.makeAsyncIterator()
        let (a, b) = (try await first.next(), try await second.next())
        #expect(a === b)
        let text = String(decoding: try #require(a).encoded, as: UTF8.self)
        for part in [
            #""type":"download""#, #""sequence":1"#, #""state":"Downloading""#, #""fraction":0.25"#, #""error":null"#,
            #""productIdentifier":"a""#,
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
    }
}
