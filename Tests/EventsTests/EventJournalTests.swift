import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreEvents

@Suite struct EventJournalTests {
    private let folder: TemporaryFolder
    private let numbers = EventCounter()

    init() throws { folder = try TemporaryFolder() }

    private func open(boot: String? = bootOne, limit: Int = 4 << 20, capacity: Int = 1000) async throws -> EventBus {
        let journal = EventJournal(in: folder.directory, boot: boot, fileSizeLimit: limit)
        return try await EventBus(journal: journal, capacity: capacity) { [numbers] in numbers.allocate($0) }
    }

    private static let bootOne = "11111111-2222-3333-4444-555555555555"
    private static let bootTwo = "66666666-7777-8888-9999-000000000000"

    /// Publishes events, and returns the sequence number of the last once all are delivered.
    @discardableResult
    private func publish(_ names: String..., in bus: EventBus) async throws -> UInt64 {
        let subscription = try bus.subscribe()
        for name in names { bus.publish(.catalogue(store: name)) }
        let events = subscription.makeAsyncIterator()
        for _ in names { _ = try await events.next() }
        return bus.lastSequence
    }

    private func missed(after sequence: UInt64, in bus: EventBus) async throws -> [String] {
        let subscription = try bus.subscribe(after: sequence)
        let mark = "mark-\(UUID())"
        bus.publish(.catalogue(store: mark))
        var stores: [String] = []
        for try await event in subscription {
            guard case .catalogue(let store) = event.event.happening else { continue }
            if store == mark { break }
            if !store.hasPrefix("mark") { stores.append(store) }
        }
        return stores
    }

    private func isGone(after sequence: UInt64, in bus: EventBus) -> Bool {
        do {
            _ = try bus.subscribe(after: sequence)
            return false
        } catch {
            return error.code == .eventsGone
        }
    }

    @Test(arguments: [true, false])
    func `events can be replayed after a restart, whether the journal was closed or not`(isClosed: Bool) async throws {
        let first = try await open()
        let start = first.lastSequence
        let one = try await publish("one", in: first)
        let three = try await publish("two", "three", in: first)
        let bytes = try #require(try await first.subscribe(after: start).makeAsyncIterator().next()).encoded
        if isClosed { await first.close() }
        let second = try await open()
        #expect(second.lastSequence > three)
        #expect(try await missed(after: start, in: second) == ["one", "two", "three"])
        #expect(try await missed(after: one, in: second) == ["two", "three"])
        // The encoded bytes are the same as before.
        let again = try #require(try await second.subscribe(after: start).makeAsyncIterator().next())
        #expect(again.encoded == bytes && again.event.sequence == one && again.sequence == one)
        #expect(isGone(after: start - 1, in: second) && isGone(after: second.lastSequence + 1, in: second))
        try await publish("four", in: second)
        if isClosed { await second.close() }
        let third = try await open()
        #expect(try await missed(after: three, in: third) == ["four"])
        #expect(try folder.directory.names() == ["events.0"])
        #expect(try folder.directory.status(of: "events.0")?.permissions == 0o600)
    }

    @Test func `filters apply to replayed events`() async throws {
        let first = try await open()
        let start = first.lastSequence
        for (id, kind) in [("a", ProductKind.skin), ("b", .sticker), ("c", .skin)] {
            first.publish(.pack(PackChange(productIdentifier: id, kind: kind, change: .installed, version: nil)))
        }
        await first.close()
        let second = try await open()
        let events = try second.subscribe(after: start, filter: .kind(.skin)).makeAsyncIterator()
        #expect(try await events.next()?.event.productIdentifier == "a")
        #expect(try await events.next()?.event.productIdentifier == "c")
        let one = try second.subscribe(after: start, filter: .product("b")).makeAsyncIterator()
        #expect(try await one.next()?.event.kind == .sticker)
    }

    @Test func `after a power failure, only a closed journal is replayed`() async throws {
        let first = try await open()
        let start = first.lastSequence
        try await publish("one", in: first)
        await first.close()
        let second = try await open(boot: Self.bootTwo)
        #expect(try await missed(after: start, in: second) == ["one"])
        let seen = second.lastSequence
        // The previous process did not close the journal, so its end may be missing, and the mark of the first close
        // is gone.
        let third = try await open()
        #expect(isGone(after: start, in: third) && isGone(after: seen, in: third))
        #expect(!isGone(after: third.lastSequence, in: third))
        #expect(try folder.directory.names().isEmpty)
        // Without a boot identifier, a journal counts only if it was closed.
        try await publish("two", in: third)
        let fourth = try await open(boot: nil)
        #expect(isGone(after: third.lastSequence, in: fourth))
        let last = try await publish("three", in: fourth)
        await fourth.close()
        let fifth = try await open(boot: nil)
        #expect(try await missed(after: last - 1, in: fifth) == ["three"])
    }

    @Test func `a closed journal is not replayed if a power failure lost the file that followed it`() async throws {
        let first = try await open(limit: 0)
        let one = try await publish("one", in: first)
        await first.close()
        let second = try await open(limit: 0)
        let two = try await publish("two", in: second)
        #expect(try folder.directory.names() == ["events.0", "events.1"])
        // The directory with the name of the new file was not synced.
        try folder.directory.remove("events.1")
        let third = try await open(boot: Self.bootTwo, limit: 0)
        #expect(isGone(after: one, in: third) && isGone(after: two, in: third))
        #expect(!isGone(after: third.lastSequence, in: third))
    }

    @Test func `an incomplete last line is truncated`() async throws {
        let first = try await open()
        let start = first.lastSequence
        try await publish("one", "two", in: first)
        let whole = try folder.directory.read("events.0")
        for torn in ["9", "9999999999 other {\"half\":", String(repeating: "x", count: 10_000)] {
            try folder.directory.put("events.0", whole + Data(torn.utf8))
            let bus = try await open()
            #expect(try folder.directory.read("events.0") == whole)
            #expect(try await missed(after: start, in: bus).prefix(2) == ["one", "two"])
            try folder.directory.put("events.0", whole)
        }
    }

    @Test func `events after a damaged line can be replayed, and earlier ones are gone`() async throws {
        let first = try await open()
        let start = first.lastSequence
        let one = try await publish("one", in: first)
        let two = try await publish("two", in: first)
        try await publish("three", in: first)
        let text = try folder.directory.text("events.0")
        var lines = text.split(separator: "\n")
        lines[1].removeLast()
        try folder.directory.put("events.0", lines.joined(separator: "\n") + "\n")
        let bus = try await open()
        #expect(isGone(after: start, in: bus) && isGone(after: one, in: bus))
        #expect(try await missed(after: two, in: bus) == ["three"])
        for damage in ["", "events 1", String(repeating: "\0", count: text.utf8.count)] {
            try folder.directory.put("events.0", damage)
            let bus = try await open()
            #expect(isGone(after: start, in: bus) && isGone(after: two, in: bus))
        }
    }

    @Test func `the journal has a bounded size and keeps the newest events`() async throws {
        var bus = try await open(limit: 2000, capacity: 50)
        var last = bus.lastSequence
        for round in 0..<20 {
            for place in 0..<10 { last = try await publish("store-\(round)-\(place)", in: bus) }
            for name in try folder.directory.names() {
                #expect(try folder.directory.status(of: name)?.size ?? 0 < 3000, "\(name)")
            }
            if round % 3 == 0 { await bus.close() }
            if round % 2 == 0 { bus = try await open(limit: 2000, capacity: 50) }
        }
        #expect(try folder.directory.names() == ["events.0", "events.1"])
        bus = try await open(limit: 2000)
        #expect(isGone(after: 1, in: bus))
        #expect(try await missed(after: last - 5, in: bus) == (5..<10).map { "store-19-\($0)" })
        // Both files are read: the older one has more than one event.
        let content = try #require(EventJournal(in: folder.directory, boot: Self.bootOne).reader.read())
        #expect(content.events.count > 10)
        #expect(content.events.map(\.sequence) == content.events.map(\.sequence).sorted())
        // If the older file is damaged, the newer one is still read.
        let older = try folder.directory.names().sorted { a, b in
            try folder.directory.text(a) < folder.directory.text(b)
        }[0]
        try folder.directory.put(
            older, folder.directory.text(older).split(separator: "\n").dropLast().joined(separator: "\n") + "\n")
        let rest = try #require(EventJournal(in: folder.directory, boot: Self.bootOne).reader.read())
        #expect(!rest.events.isEmpty && rest.events.count < content.events.count)
        #expect(rest.retentionFloor >= content.retentionFloor)
    }

    @Test func `a failed write does not delay subscribers, and raises the retention floor`() async throws {
        let bus = try await open(limit: 0)
        let start = bus.lastSequence
        let one = try await publish("one", in: bus)
        // A directory that is not empty is in the place of the next file.
        try folder.directory.put("events.1/x", "in the way")
        try await publish("two", in: bus)
        let three = try await publish("three", in: bus)
        #expect(!(try folder.directory.names().contains("events.0")))
        try folder.directory.removeTree("events.1")
        let four = try await publish("four", in: bus)
        // In this process no event is missing.
        #expect(try await missed(after: start, in: bus) == ["one", "two", "three", "four"])
        let next = try await open(limit: 0)
        for sequence in [start, one] { #expect(isGone(after: sequence, in: next)) }
        #expect(try await missed(after: three, in: next).first == "four")
        #expect(try await missed(after: four, in: next).contains("four") == false)
    }

    @Test func `a journal that lacks events is removed at the end if that was impossible before`() async throws {
        let bus = try await open(limit: 0)
        try await publish("one", in: bus)
        let two = try await publish("two", in: bus)
        try folder.directory.remove("events.0")
        try folder.directory.put("events.0/x", "in the way")
        try await publish("three", in: bus)
        try folder.directory.removeTree("events.0")
        await bus.close()
        #expect(isGone(after: two, in: try await open(limit: 0)))
    }

    @Test func `a bus starts with a directory that can't be written`() async throws {
        try folder.directory.put("events.0/x", "in the way")
        let bus = try await open()
        let start = bus.lastSequence
        try await publish("one", in: bus)
        #expect(try await missed(after: start, in: bus) == ["one"])
        await bus.close()
        let next = try await open()
        #expect(isGone(after: start, in: next))
    }

    @Test func `the journal states what was published before a crash, and nothing after a regular end`() async throws {
        func status(_ operation: String, _ state: DownloadState) -> Event.Happening {
            .download(
                DownloadStatus(
                    operation: OperationID(rawValue: operation), action: .install, productIdentifier: "p-" + operation,
                    store: "s", state: state, activity: nil))
        }
        func pack(_ change: PackChange.Change, _ version: String) -> Event.Happening {
            .pack(PackChange(productIdentifier: "p", kind: .skin, change: change, version: Version(version)))
        }
        let bus = try await open()
        #expect(await bus.stateBeforeCrash() == nil)
        for happening in [
            status("a", .initializing), status("b", .initializing), pack(.installed, "1"), status("a", .downloaded),
            pack(.updated, "2"), status("b", .finished), pack(.damaged, "2"), status("c", .failed),
        ] {
            bus.publish(happening)
        }
        try await publish("end", in: bus)
        let next = try await open()
        let state = try #require(await next.stateBeforeCrash())
        #expect(state.runningDownloads.map(\.operation.rawValue) == ["a"])
        #expect(state.runningDownloads.first?.state == .downloaded)
        #expect(state.hasEnded(OperationID(rawValue: "c")) && !state.hasEnded(OperationID(rawValue: "a")))
        #expect(state.status(of: OperationID(rawValue: "b"))?.state == .finished)
        #expect(state.status(of: OperationID(rawValue: "z")) == nil)
        #expect(state.packChanges["p"]?.version == Version("2") && state.packChanges["p"]?.change == .updated)
        #expect(abs(state.lastEventTime.timeIntervalSinceNow) < 600)
        await next.close()
        #expect(try await open().stateBeforeCrash() == nil)
    }
}
