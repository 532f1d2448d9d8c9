import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreEvents

@Suite struct EventJournalTests {
    private let folder: TemporaryFolder
    private let numbers = EventCounter()

    init() throws { folder = try TemporaryFolder() }

    private func open(boot: String? = bootOne, limit: Int = 4 << 20, capacity: Int = 1000) async throws -> EventBus {
        let journal = EventJournal(in: folder.directory, boot: boot, fileSizeLimit: limit)
        return try await EventBus(journal: journal, capacity: capacity) { [numbers] in numbers.take($0) }
    }

    private static let bootOne = "11111111-2222-3333-4444-555555555555"
    private static let bootTwo = "66666666-7777-8888-9999-000000000000"

    /// Publishes, and returns when it is told: the number of the last.
    @discardableResult
    private func tell(_ names: String..., in log: EventBus) async throws -> UInt64 {
        let subscription = try log.subscribe()
        for name in names { log.publish(.catalogue(store: name)) }
        let events = subscription.makeAsyncIterator()
        for _ in names { _ = try await events.next() }
        return log.lastSequence
    }

    private func missed(after sequence: UInt64, in log: EventBus) async throws -> [String] {
        let subscription = try log.subscribe(after: sequence)
        let mark = "mark-\(UUID())"
        log.publish(.catalogue(store: mark))
        var stores: [String] = []
        for try await event in subscription {
            guard case .catalogue(let store) = event.event.happening else { continue }
            if store == mark { break }
            if !store.hasPrefix("mark") { stores.append(store) }
        }
        return stores
    }

    private func isGone(after sequence: UInt64, in log: EventBus) -> Bool {
        do {
            _ = try log.subscribe(after: sequence)
            return false
        } catch {
            return error.code == .eventsGone
        }
    }

    @Test(arguments: [true, false]) func `goes on after a restart, in order or not`(isClosed: Bool) async throws {
        let first = try await open()
        let start = first.lastSequence
        let one = try await tell("one", in: first)
        let three = try await tell("two", "three", in: first)
        let bytes = try #require(try await first.subscribe(after: start).makeAsyncIterator().next()).encoded
        if isClosed { await first.close() }
        let second = try await open()
        #expect(second.lastSequence > three)
        #expect(try await missed(after: start, in: second) == ["one", "two", "three"])
        #expect(try await missed(after: one, in: second) == ["two", "three"])
        // The same bytes as before.
        let again = try #require(try await second.subscribe(after: start).makeAsyncIterator().next())
        #expect(again.encoded == bytes && again.event.sequence == one && again.sequence == one)
        #expect(isGone(after: start - 1, in: second) && isGone(after: second.lastSequence + 1, in: second))
        try await tell("four", in: second)
        if isClosed { await second.close() }
        let third = try await open()
        #expect(try await missed(after: three, in: third) == ["four"])
        #expect(try folder.directory.names() == ["events.0"])
        #expect(try folder.directory.status(of: "events.0")?.permissions == 0o600)
    }

    @Test func `of products and kinds, too`() async throws {
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

    @Test func `a power cut leaves what was closed in order, and nothing of what was not`() async throws {
        let first = try await open()
        let start = first.lastSequence
        try await tell("one", in: first)
        await first.close()
        let second = try await open(boot: Self.bootTwo)
        #expect(try await missed(after: start, in: second) == ["one"])
        let seen = second.lastSequence
        // Not closed: the end of it may be missing, and the mark of the first close is no more.
        let third = try await open()
        #expect(isGone(after: start, in: third) && isGone(after: seen, in: third))
        #expect(!isGone(after: third.lastSequence, in: third))
        #expect(try folder.directory.names().isEmpty)
        // What is known of no boot counts only where it was closed.
        try await tell("two", in: third)
        let fourth = try await open(boot: nil)
        #expect(isGone(after: third.lastSequence, in: fourth))
        let last = try await tell("three", in: fourth)
        await fourth.close()
        let fifth = try await open(boot: nil)
        #expect(try await missed(after: last - 1, in: fifth) == ["three"])
    }

    @Test func `a line that was being written is cut off`() async throws {
        let first = try await open()
        let start = first.lastSequence
        try await tell("one", "two", in: first)
        let whole = try folder.directory.read("events.0")
        for torn in ["9", "9999999999 other {\"half\":", String(repeating: "x", count: 10_000)] {
            try folder.directory.put("events.0", whole + Data(torn.utf8))
            let log = try await open()
            #expect(try folder.directory.read("events.0") == whole)
            #expect(try await missed(after: start, in: log).prefix(2) == ["one", "two"])
            try folder.directory.put("events.0", whole)
        }
    }

    @Test func `behind damage, and only there, it is gone on with`() async throws {
        let first = try await open()
        let start = first.lastSequence
        let one = try await tell("one", in: first)
        let two = try await tell("two", in: first)
        try await tell("three", in: first)
        let text = try folder.directory.text("events.0")
        var lines = text.split(separator: "\n")
        lines[1].removeLast()
        try folder.directory.put("events.0", lines.joined(separator: "\n") + "\n")
        let log = try await open()
        #expect(isGone(after: start, in: log) && isGone(after: one, in: log))
        #expect(try await missed(after: two, in: log) == ["three"])
        for damage in ["", "events 1", String(repeating: "\0", count: text.utf8.count)] {
            try folder.directory.put("events.0", damage)
            let log = try await open()
            #expect(isGone(after: start, in: log) && isGone(after: two, in: log))
        }
    }

    @Test func `it has a bounded size, and keeps the newest`() async throws {
        var log = try await open(limit: 2000, capacity: 50)
        var last = log.lastSequence
        for round in 0..<20 {
            for place in 0..<10 { last = try await tell("store-\(round)-\(place)", in: log) }
            for name in try folder.directory.names() {
                #expect(try folder.directory.status(of: name)?.size ?? 0 < 3000, "\(name)")
            }
            if round % 3 == 0 { await log.close() }
            if round % 2 == 0 { log = try await open(limit: 2000, capacity: 50) }
        }
        #expect(try folder.directory.names() == ["events.0", "events.1"])
        log = try await open(limit: 2000)
        #expect(isGone(after: 1, in: log))
        #expect(try await missed(after: last - 5, in: log) == (5..<10).map { "store-19-\($0)" })
        // Both files count: the older ones hold more than one.
        let content = try #require(EventJournal(in: folder.directory, boot: Self.bootOne).reader.read())
        #expect(content.events.count > 10)
        #expect(content.events.map(\.sequence) == content.events.map(\.sequence).sorted())
        // Without the older one, the newer one still does.
        let older = try folder.directory.names().sorted { a, b in
            try folder.directory.text(a) < folder.directory.text(b)
        }[0]
        try folder.directory.put(
            older, folder.directory.text(older).split(separator: "\n").dropLast().joined(separator: "\n") + "\n")
        let rest = try #require(EventJournal(in: folder.directory, boot: Self.bootOne).reader.read())
        #expect(!rest.events.isEmpty && rest.events.count < content.events.count)
        #expect(rest.retentionFloor >= content.retentionFloor)
    }

    @Test func `a disk that does not take it keeps nobody from hearing, and the gap is told`() async throws {
        let log = try await open(limit: 0)
        let start = log.lastSequence
        let one = try await tell("one", in: log)
        // A folder that is not empty lies where the next file is to be.
        try folder.directory.put("events.1/x", "in the way")
        try await tell("two", in: log)
        let three = try await tell("three", in: log)
        #expect(!(try folder.directory.names().contains("events.0")))
        try folder.directory.removeTree("events.1")
        let four = try await tell("four", in: log)
        // In this life nothing is missing.
        #expect(try await missed(after: start, in: log) == ["one", "two", "three", "four"])
        let next = try await open(limit: 0)
        for sequence in [start, one] { #expect(isGone(after: sequence, in: next)) }
        #expect(try await missed(after: three, in: next).first == "four")
        #expect(try await missed(after: four, in: next).contains("four") == false)
    }

    @Test func `a folder that can't be used is no reason not to begin`() async throws {
        try folder.directory.put("events.0/x", "in the way")
        let log = try await open()
        let start = log.lastSequence
        try await tell("one", in: log)
        #expect(try await missed(after: start, in: log) == ["one"])
        await log.close()
        let next = try await open()
        #expect(isGone(after: start, in: next))
    }

    @Test func `what was told before a crash is known, and after an end in order nothing has to be`() async throws {
        func status(_ operation: String, _ state: DownloadState) -> Event.Happening {
            .download(
                DownloadStatus(
                    operation: OperationID(rawValue: operation), action: .install, productIdentifier: "p-" + operation,
                    store: "s", state: state, activity: nil))
        }
        func pack(_ change: PackChange.Change, _ version: String) -> Event.Happening {
            .pack(PackChange(productIdentifier: "p", kind: .skin, change: change, version: Version(version)))
        }
        let log = try await open()
        #expect(await log.stateBeforeCrash() == nil)
        for happening in [
            status("a", .initializing), status("b", .initializing), pack(.installed, "1"), status("a", .downloaded),
            pack(.updated, "2"), status("b", .finished), pack(.damaged, "2"), status("c", .failed),
        ] {
            log.publish(happening)
        }
        try await tell("end", in: log)
        let next = try await open()
        let told = try #require(await next.stateBeforeCrash())
        #expect(told.runningDownloads.map(\.operation.rawValue) == ["a"])
        #expect(told.runningDownloads.first?.state == .downloaded)
        #expect(told.hasEnded(OperationID(rawValue: "c")) && !told.hasEnded(OperationID(rawValue: "a")))
        #expect(told.status(of: OperationID(rawValue: "b"))?.state == .finished)
        #expect(told.status(of: OperationID(rawValue: "z")) == nil)
        #expect(told.packChanges["p"]?.version == Version("2") && told.packChanges["p"]?.change == .updated)
        #expect(abs(told.lastEventTime.timeIntervalSinceNow) < 600)
        await next.close()
        #expect(try await open().stateBeforeCrash() == nil)
    }
}

/// Gives event numbers as the database does, over the lives of several logs.
final class EventCounter: Sendable {
    private let next = Mutex<UInt64>(1000)

    func take(_ count: Int) -> Range<UInt64> {
        next.withLock { next in
            defer { next += UInt64(count) }
            return next..<next + UInt64(count)
        }
    }
}
