import FoundationEssentials
import StoreModel
import Testing

@testable import StoreDatabase

@Suite struct OperationsTests {
    @Test func `an operation runs until its end is recorded`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        try await database.write {
            $0.begin(record("a"), plan: Data("plan a".utf8))
            $0.begin(record("b", .update, at: 999), plan: Data("plan b".utf8))
        }
        let running = try await database.runningOperations()
        // Ordered by start, whatever the clock said.
        #expect(running.map(\.record) == [record("a"), record("b", .update, at: 999)])
        #expect(running.map(\.plan) == [Data("plan a".utf8), Data("plan b".utf8)])

        let report = ErrorReport(code: ErrorCode("archive.traversal", .refused), message: "It climbs.")
        try await database.write { $0.end(record("a"), as: .failed, at: date(1005), error: report) }
        #expect(try await database.runningOperations().map(\.record.operation.rawValue) == ["b"])
        let ended = try #require(try await database.operation(OperationID(rawValue: "a")))
        #expect(ended.end == .failed && ended.endedAt == date(1005) && ended.error == report)
        #expect(ended.error?.code.exitCode == .refused)
    }

    @Test func `the first end of an operation is final`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        try await database.write { $0.begin(record("a"), plan: Data()) }
        try await database.write { $0.end(record("a"), as: .cancelled, at: date(1001)) }
        try await database.write {
            $0.end(record("a"), as: .finished, at: date(1002))
            $0.begin(record("a"), plan: Data("again".utf8))
        }
        #expect(try await database.operation(OperationID(rawValue: "a"))?.end == .cancelled)
        #expect(try await database.runningOperations().isEmpty)
    }

    @Test func `the end of an unknown operation is recorded`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        try await database.write { $0.end(record("lost"), as: .finished, at: date(1001)) }
        #expect(try await database.operation(OperationID(rawValue: "lost"))?.end == .finished)
    }

    @Test func `an ended operation takes no space for its plan`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        let records = (0..<400).map { record("operation \($0)", on: "product \($0)") }
        try await database.write { for record in records { $0.begin(record, plan: Data(count: 1800)) } }
        // Not in the order in which they began, which the history keeps.
        for record in records.reversed() { try await database.write { $0.end(record, as: .finished, at: date(1001)) } }
        #expect(try await database.history(limit: 400) == records.reversed().map { $0.ended(at: date(1001)) })
        try await database.close()
        // Two rows with their plans fill a page of 4 KiB, so that 200 pages had them. The rows and their indexes take 120 bytes each.
        #expect(try fixture.usedPages() < 60)
    }

    @Test func `recording an operation again replaces its plan`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        try await database.write { $0.begin(record("a"), plan: Data("old".utf8)) }
        try await database.write { $0.begin(record("a"), plan: Data("new".utf8)) }
        #expect(try await database.runningOperations().map(\.plan) == [Data("new".utf8)])
    }

    @Test func `a plan can be replaced while its operation runs`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        let (known, lost) = (OperationID(rawValue: "a"), OperationID(rawValue: "lost"))
        try await database.write { $0.begin(record("a"), plan: Data("old".utf8)) }
        try await database.write {
            $0.replan(known, with: Data("new".utf8))
            $0.replan(lost, with: Data("of nothing".utf8))
        }
        let running = try await database.runningOperations()
        #expect(running.map(\.plan) == [Data("new".utf8)] && running.map(\.record) == [record("a")])
        try await database.write { $0.end(record("a"), as: .finished, at: date(1001)) }
        try await database.write { $0.replan(known, with: Data("late".utf8)) }
        #expect(try await database.runningOperations().isEmpty)
        #expect(try await database.operation(known)?.end == .finished)
    }

    @Test func `operations that ended since a time are found among many that started later`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        try await database.write { changes in
            for number in 0..<1500 { changes.begin(record("op\(number)"), plan: Data()) }
            for number in 0..<3 {
                changes.end(record("op\(number)"), as: .finished, at: date(2000 + number))
            }
        }
        let ended = try await database.operations(endedSince: date(2001))
        #expect(ended.map(\.operation.rawValue) == ["op1", "op2"])
    }

    @Test func `the operation that installed a pack is the last finished one, if that removed nothing`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        try await database.write { changes in
            for (name, action, product) in [
                ("a1", OperationAction.install, "a"), ("a2", .update, "a"), ("b1", .install, "b"),
                ("b2", .uninstall, "b"), ("c1", .install, "c"), ("c2", .update, "c"), ("d1", .install, "d"),
                ("e1", .install, "e"), ("f1", .install, "f"),
            ] {
                changes.begin(record(name, action, on: product), plan: Data())
                let end: OperationEnd = ["c2", "d1"].contains(name) ? .failed : .finished
                changes.end(record(name, action, on: product), as: end, at: date(1001))
            }
            // Its pack may be removed at this moment.
            changes.begin(record("e2", .uninstall, on: "e"), plan: Data())
        }
        let operations = try await database.installingOperations { $0 != "f" }
        #expect(operations.map(\.operation.rawValue) == ["a2", "c1"])
        #expect(operations.first == (try await database.operation(OperationID(rawValue: "a2"))))
        #expect(try await database.installingOperations { _ in false }.isEmpty)
    }

    @Test func `the history is in pages, newest first, and can be filtered by product`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        try await database.write { changes in
            for number in 0..<10 {
                changes.end(
                    record("op\(number)", on: number % 2 == 0 ? "even" : "odd"), as: .finished, at: date(2000))
            }
        }
        func names(_ records: [OperationRecord]) -> [String] { records.map(\.operation.rawValue) }
        #expect(names(try await database.history(limit: 3)) == ["op9", "op8", "op7"])
        #expect(
            names(try await database.history(limit: 3, before: OperationID(rawValue: "op7"))) == ["op6", "op5", "op4"])
        #expect(names(try await database.history(productIdentifier: "even", limit: 2)) == ["op8", "op6"])
        #expect(
            names(try await database.history(productIdentifier: "odd", limit: 9, before: OperationID(rawValue: "op5")))
                == ["op3", "op1"])
        #expect(try await database.history(limit: 3, before: OperationID(rawValue: "nobody")).isEmpty)
        #expect(
            names(try await database.history(limit: 3, after: OperationID(rawValue: "op4"))) == ["op7", "op6", "op5"])
        #expect(
            names(try await database.history(productIdentifier: "even", limit: 9, after: OperationID(rawValue: "op4")))
                == ["op8", "op6"])
        #expect(try await database.history(limit: 3, after: OperationID(rawValue: "nobody")).isEmpty)
        #expect(try await database.operation(OperationID(rawValue: "nobody")) == nil)
    }

    @Test func `written changes survive a kill`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        try await database.write {
            $0.begin(record("a"), plan: Data("plan".utf8))
            $0.upsert(pack(1))
        }
        let killed = try fixture.copyAsIfKilled()
        let reopened = try await killed.open()
        #expect(reopened.origin == .existing)
        #expect(try await reopened.runningOperations().map(\.plan) == [Data("plan".utf8)])
        #expect(try await reopened.packs() == [pack(1)])
        withExtendedLifetime(database) {}
    }

    @Test func `a cancelled task still records its operation's end`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await database.write { $0.end(record("a"), as: .cancelled, at: date(1)) }
        }
        task.cancel()
        try await task.value
        #expect(try await database.operation(OperationID(rawValue: "a"))?.end == .cancelled)
    }

    @Test func `a closed database refuses calls`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        try await database.close()
        await #expect { try await database.packs() } throws: { ($0 as? StoreError)?.code == .databaseFailed }
        #expect(try fixture.files == ["library.sqlite"])
    }

    @Test(arguments: [-0x1p40, 0, 0x1p55])
    func `operations and purchases are readable whatever the clock said`(seconds: Double) async throws {
        let fixture = try DatabaseFixture()
        let wrong = Date(timeIntervalSince1970: seconds)
        let database = try await fixture.open(now: wrong)
        var operation = record("a")
        operation.startedAt = wrong
        let begun = operation
        try await database.write { $0.begin(begun, plan: Data()) }
        try await database.write { $0.end(begun, as: .finished, at: wrong) }
        try await database.grant("cups", at: wrong)
        let first = try await database.reserveSequence(10).lowerBound
        #expect(first > 0)
        try await database.close()

        let reopened = try await fixture.open(now: date(1_700_000_000))
        let history = try await reopened.history(limit: 10)
        #expect(history.map(\.end) == [.finished])
        #expect(try JSON.decode([OperationRecord].self, from: JSON.encode(history)) == history)
        let purchases = try await reopened.purchases()
        #expect(try JSON.decode([Purchase].self, from: JSON.encode(purchases)) == purchases)
        #expect(try await reopened.reserveSequence(10).lowerBound >= first + 10)
    }

    @Test func `rows with times that no document can represent are readable`() async throws {
        let fixture = try DatabaseFixture()
        let database = try await fixture.open()
        for name in ["a", "b"] { try await database.write { $0.end(record(name), as: .finished, at: date(1001)) } }
        try await database.close()
        try fixture.execute(
            """
            UPDATE operations SET startedAt = -1099511627776000, endedAt = 9223372036854775807 WHERE operation = 'a'
            """)
        let history = try await fixture.open().history(limit: 10)
        #expect(history.map(\.operation.rawValue) == ["b", "a"])
        #expect(try JSON.decode([OperationRecord].self, from: JSON.encode(history)) == history)
    }
}

extension OperationRecord {
    fileprivate func ended(at time: Date) -> OperationRecord {
        var ended = self
        (ended.end, ended.endedAt) = (.finished, time)
        return ended
    }
}
