import Dispatch
public import FoundationEssentials
import GRDB
public import StoreModel
import Synchronization

/// The index of the library, and what receipts can't hold: operations, purchases, event numbers.
///
/// One connection does everything on a queue of its own, so no call blocks Swift's concurrency pool. A call that returned
/// is on the disk, survives a power cut, and is seen by every call made after it. Calls are not cancelled with their
/// task: a change is made or it fails. Errors are ``DatabaseError``.
public final class LibraryDatabase: Sendable {
    /// How the database came to be when it was opened.
    public enum Origin: Sendable, Hashable {
        case existing
        /// There was none: its index of packs is empty and must be filled from the receipts.
        case created
        /// The one that was there was damaged; its index of packs is empty and must be filled from the receipts.
        /// `reason` says what was wrong, what could be saved and where the old file is, in words for people.
        case rebuilt(reason: String)
    }

    public let path: String
    public let origin: Origin
    private let queue: DatabaseQueue
    private let folder: LongPathDirectory?
    /// Ends that could not be noted, the oldest first.
    private let owed = Mutex<[Changes]>([])
    /// Numbers below this were never given by this connection; see ``reserveSequence(_:)``.
    private let firstSequence: Int64
    private let work = Mutex(DatabaseMetrics())
    /// Changes that nobody has begun to write.
    private let waiting = Mutex<[(changes: Changes, continuation: CheckedContinuation<Void, any Error>)]>([])

    /// Opens the database, or creates it; its folder must be there. Migrates an older one, checks it, and puts a new one
    /// in the place of one that is damaged, with the purchases and operations that can still be read.
    ///
    /// - Parameter now: the time, from which the numbers of events begin where the database does not know the last one.
    /// - Throws: `database.newer` where a newer version made it (it is left untouched), `database.denied`,
    ///   `space.disk-full`, `database.failed`.
    public init(path: String, now: Date = Date()) async throws {
        self.path = path
        firstSequence = now.millisecondsSince1970
        let file = DatabaseFile(path: path)
        folder = file.folder
        (queue, origin) = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "storectl.database.opening").async {
                continuation.resume(
                    with: Result { try file.open() }.mapError { DatabaseError($0, path: path) })
            }
        }
    }

    /// Waits for what is under way and closes the file; every later call throws `database.failed`.
    public func close() async throws {
        try await perform { _ in }
        do { try queue.close() } catch { throw DatabaseError(error, path: path) }
    }

    /// Makes several changes together: all of them, or none. Those that others ask for meanwhile go into the same
    /// transaction, so that many who come at once wait for the disk once.
    public func write(_ gather: (inout Changes) throws -> Void) async throws {
        var changes = Changes()
        try gather(&changes)
        try await write(changes)
    }

    private func write(_ changes: Changes) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                waiting.append((changes, continuation))
                return waiting.count == 1
            }
            if isFirst { queue.asyncBarrierWriteWithoutTransaction(writeWaiting) }
        }
    }

    private func writeWaiting(_ database: Result<GRDB.Database, any Error>) {
        let batch = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        let together = written(batch.map(\.changes), database)
        guard case .failure = together, batch.count > 1 else {
            for (_, continuation) in batch { continuation.resume(with: together) }
            return
        }
        // What can't be written must not take along what can.
        for (changes, continuation) in batch { continuation.resume(with: written([changes], database)) }
    }

    private func written(
        _ batch: [Changes], _ database: Result<GRDB.Database, any Error>
    ) -> Result<Void, any Error> {
        Result {
            try counted {
                let database = try database.get()
                settle(in: database)
                try database.namingSpace(path) {
                    try database.inTransaction(.immediate) {
                        for changes in batch { try changes.apply(to: database) }
                        return .commit
                    }
                }
            }
        }.mapError { DatabaseError($0, path: path) }
    }

    /// What the connection did since it was opened.
    public var figures: DatabaseMetrics { work.withLock { $0 } }

    /// Counts a piece of work of the connection.
    private func counted<Value>(_ body: () throws -> Value) rethrows -> Value {
        let start = ContinuousClock.now
        defer {
            work.withLock { work in
                work.transactions += 1
                work.busy += ContinuousClock.now - start
            }
        }
        return try body()
    }

    // MARK: Operations

    /// Notes the one end of an operation; see ``Changes/end(_:as:at:error:)``. Where that fails, the end is kept and is
    /// noted as soon as something else can be done with the database, at the latest when it is closed.
    ///
    /// - Throws: why it is not on the disk yet.
    public func end(
        _ record: OperationRecord, as end: OperationEnd, at date: Date, error: ErrorReport? = nil
    ) async throws {
        var changes = Changes()
        changes.end(record, as: end, at: date, error: error)
        do {
            try await write(changes)
        } catch {
            let owing = changes
            owed.withLock { $0.append(owing) }
            throw error
        }
    }

    /// The operations without an end, in the order begun, each with the plan that it was begun with.
    public func runningOperations() async throws -> [(record: OperationRecord, plan: Data)] {
        try await perform { database in
            try Row.fetchAll(database, sql: "SELECT * FROM operations WHERE outcome IS NULL ORDER BY number")
                .compactMap { row in OperationRecord(row).map { ($0, Columns(row: row).blob("plan") ?? Data()) } }
        }
    }

    /// One operation, running or ended; `nil` where there is none of that name.
    public func operation(_ operation: OperationID) async throws -> OperationRecord? {
        try await perform { database in
            try Row.fetchOne(
                database, sql: "SELECT * FROM operations WHERE operation = ?", arguments: [operation.rawValue]
            ).flatMap(OperationRecord.init)
        }
    }

    /// The operations that ended at a time or later, in the order begun.
    public func operations(endedSince date: Date) async throws -> [OperationRecord] {
        try await perform { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM operations WHERE endedAt >= ? ORDER BY number",
                arguments: [date.millisecondsSince1970]
            ).compactMap(OperationRecord.init)
        }
    }

    /// Operations, the last begun first, running ones included.
    ///
    /// - Parameters:
    ///   - productIdentifier: only those on this product.
    ///   - limit: how many at most.
    ///   - before: only those begun before this one: the last of the page before. None where it is not known.
    public func history(
        productIdentifier: String? = nil, limit: Int, before: OperationID? = nil
    ) async throws -> [OperationRecord] {
        try await perform { database in
            var conditions: [String] = []
            var arguments: StatementArguments = []
            if let productIdentifier {
                conditions.append("productIdentifier = ?")
                arguments += [productIdentifier]
            }
            if let before {
                conditions.append("number < (SELECT number FROM operations WHERE operation = ?)")
                arguments += [before.rawValue]
            }
            let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
            return try Row.fetchAll(
                database, sql: "SELECT * FROM operations \(filter) ORDER BY number DESC LIMIT ?",
                arguments: arguments + [max(0, limit)]
            ).compactMap(OperationRecord.init)
        }
    }

    // MARK: Purchases

    /// The user's list of purchases, by productIdentifier.
    public func purchases() async throws -> [Purchase] {
        try await perform { database in
            try Row.fetchAll(database, sql: "SELECT * FROM purchases ORDER BY productIdentifier")
                .compactMap(Purchase.init)
        }
    }

    public func isPurchased(_ productIdentifier: String) async throws -> Bool {
        try await perform { database in
            try Row.fetchOne(
                database, sql: "SELECT 1 FROM purchases WHERE productIdentifier = ?", arguments: [productIdentifier]
            ) != nil
        }
    }

    /// Puts a product on the list. One that is on it stays as it is; the answer is the entry that is on the list now.
    @discardableResult
    public func grant(_ productIdentifier: String, at date: Date = Date()) async throws -> Purchase {
        var changes = Changes()
        changes.grant(Purchase(productIdentifier: productIdentifier, grantedAt: date))
        let grant = changes
        return try await perform { database in
            try grant.apply(to: database)
            let row = try Row.fetchOne(
                database, sql: "SELECT * FROM purchases WHERE productIdentifier = ?", arguments: [productIdentifier])
            return row.flatMap(Purchase.init) ?? Purchase(productIdentifier: productIdentifier, grantedAt: date)
        }
    }

    /// Takes a product off the list; `false` where it was not on it.
    @discardableResult
    public func revoke(_ productIdentifier: String) async throws -> Bool {
        try await perform { database in
            try database.execute(
                sql: "DELETE FROM purchases WHERE productIdentifier = ?", arguments: [productIdentifier])
            return database.changesCount > 0
        }
    }

    // MARK: Packs

    /// The index of packs, by folder name.
    public func packs() async throws -> [IndexedPack] {
        try await perform { database in
            try Row.fetchAll(database, sql: "SELECT * FROM packs ORDER BY folder").compactMap(IndexedPack.init)
        }
    }

    // MARK: Event numbers

    /// Reserves `count` numbers that are greater than all reserved before, also by a process that was killed, and that
    /// nobody gets again. Those left unused are skipped for ever.
    ///
    /// The first after each opening is at least the milliseconds since 1970 at that time. So numbers keep growing even
    /// where the database was lost or an old copy of it put back, as long as there were fewer than a thousand events a
    /// second.
    public func reserveSequence(_ count: Int) async throws -> Range<UInt64> {
        precondition(count > 0, "a block of numbers has at least one")
        let first = firstSequence
        return try await perform { database in
            let start = max(try EventNumbers.next(in: database) ?? 0, first)
            let (end, overflow) = start.addingReportingOverflow(Int64(count))
            if overflow { throw DatabaseError(.databaseFailed, "There are no event numbers left.") }
            try EventNumbers.store(next: end, in: database)
            return UInt64(start)..<UInt64(end)
        }
    }

    /// Notes what could not be noted before. Where that fails again, it is no concern of whoever comes now.
    private func settle(in database: GRDB.Database) {
        let changes = owed.withLock { $0 }
        guard !changes.isEmpty else { return }
        let isDone: Void? = try? database.inTransaction(.immediate) {
            for change in changes { try change.apply(to: database) }
            return .commit
        }
        if isDone != nil { owed.withLock { $0.removeFirst(changes.count) } }
    }

    /// Runs `body` as one transaction on the connection's queue.
    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (GRDB.Database) throws -> Value
    ) async throws -> Value {
        // Not GRDB's own async functions: those stop with the task that calls them, and an end must not get lost because
        // whoever noted it was cancelled.
        try await withCheckedThrowingContinuation { continuation in
            queue.asyncBarrierWriteWithoutTransaction { [path] result in
                continuation.resume(
                    with: Result {
                        try self.counted {
                            let database = try result.get()
                            self.settle(in: database)
                            var value: Value?
                            try database.namingSpace(path) {
                                try database.inTransaction(.immediate) {
                                    value = try body(database)
                                    return .commit
                                }
                            }
                            // inTransaction returns only after its body did.
                            return value!
                        }
                    }.mapError { DatabaseError($0, path: path) })
            }
        }
    }
}
