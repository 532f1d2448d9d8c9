import Dispatch
import FoundationEssentials
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreDatabase

/// Changes of several callers in one transaction.
@Suite(.hangGuard)
struct GroupCommitTests {
    private let fixture: DatabaseFixture
    init() throws { fixture = try DatabaseFixture() }

    private static func record(_ number: Int) -> OperationRecord {
        OperationRecord(
            operation: OperationID(rawValue: "\(number)"), action: .install, productIdentifier: "p", store: "main",
            version: nil, startedAt: Date(timeIntervalSince1970: 1000))
    }

    /// Makes changes at once, and returns the number of transactions that they took.
    private func transactions(for numbers: Range<Int>, _ database: LibraryDatabase) async throws -> Int {
        let (held, free) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let holding: Void = database.perform { _ in
            free.signal()
            held.wait()
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                free.wait()
                continuation.resume()
            }
        }
        let before = database.metrics.transactions
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in numbers {
                group.addTask { try await database.write { $0.begin(Self.record(number), plan: Data()) } }
            }
            try await eventually { database.waitingCount == numbers.count }
            held.signal()
            try await group.waitForAll()
        }
        try await holding
        // Without the one that held the others.
        return database.metrics.transactions - before - 1
    }

    @Test func `changes that are requested while the disk is busy share a transaction`() async throws {
        let database = try await fixture.open()
        #expect(try await transactions(for: 0..<20, database) == 1)
        #expect(try await database.runningOperations().count == 20)
        // An end waits a moment for others, and another change takes it along.
        async let end: Void = database.end(Self.record(0), as: .finished, at: Date(timeIntervalSince1970: 1001))
        try await database.write { $0.begin(Self.record(20), plan: Data()) }
        try await end
        #expect(try await database.runningOperations().count == 20)
        try await database.end(Self.record(1), as: .finished, at: Date(timeIntervalSince1970: 1001))
        #expect(try await database.runningOperations().count == 19)
        try await database.close()
    }

    @Test func `an end that is not waited for is seen by the next call, and reports that it failed`() async throws {
        let database = try await fixture.open()
        let date = Date(timeIntervalSince1970: 1001)
        // Also after a large group, when other ends wait a moment.
        _ = try await transactions(for: 0..<20, database)
        database.endWithoutWaiting(Self.record(0), as: .finished, at: date) { Issue.record("it failed: \($0)") }
        #expect(try await database.runningOperations().count == 19)
        try await database.close()
        let failure = await withCheckedContinuation { continuation in
            database.endWithoutWaiting(Self.record(1), as: .finished, at: date) { continuation.resume(returning: $0) }
        }
        #expect((failure as? StoreError)?.code == .databaseFailed)
    }

    @Test func `after a large group an end waits for others`() {
        #expect(LibraryDatabase.delay(afterGroupOf: 1) == nil && LibraryDatabase.delay(afterGroupOf: 7) == nil)
        #expect(LibraryDatabase.delay(afterGroupOf: 8) != nil)
    }

    @Test func `changes that wait for others are made before the database is closed`() async throws {
        let database = try await fixture.open()
        _ = try await transactions(for: 0..<20, database)
        let before = database.metrics.transactions
        async let last: Void = database.end(Self.record(0), as: .finished, at: Date(timeIntervalSince1970: 1001))
        try await eventually { database.waitingCount > 0 || database.metrics.transactions > before }
        try await database.close()
        try await last
        let again = try await fixture.open()
        #expect(try await again.runningOperations().count == 19)
    }
}
