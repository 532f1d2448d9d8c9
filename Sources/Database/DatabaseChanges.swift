public import FoundationEssentials
import GRDB
public import StoreModel

/// Several changes of the library's database that are applied in one transaction: in order, either all or none.
///
/// A transaction waits for the disk once, however many changes it has.
public struct DatabaseChanges: Sendable {
    private enum Change {
        case begin(OperationRecord, plan: Data)
        case replan(OperationID, plan: Data)
        case end(OperationRecord)
        case upsert(IndexedPack)
        case remove(directory: String)
        case removeAllPacks
        case grant(Purchase)
    }

    private var changes: [Change] = []
    init() {}

    /// Creates the change ``end(_:as:at:error:)`` alone.
    init(end: OperationEnd, of record: OperationRecord, at date: Date, error: ErrorReport?) {
        self.end(record, as: end, at: date, error: error)
    }

    /// Records in the database that an operation, such as an installation, begins.
    ///
    /// The plan is the data from which the operation is resumed after a crash. The plan of an operation that is
    /// recorded already and still runs is replaced.
    public mutating func begin(_ record: OperationRecord, plan: Data) {
        changes.append(.begin(record, plan: plan))
    }

    /// Replaces the plan of a running operation: the data from which it is resumed after a crash.
    ///
    /// The plan of an operation that has ended or is not known is not changed.
    public mutating func replan(_ operation: OperationID, with plan: Data) {
        changes.append(.replan(operation, plan: plan))
    }

    /// Records the end of an operation, such as an installation, and discards the plan for resuming it.
    ///
    /// The recorded action, product and start are replaced by those of `record`.
    ///
    /// An operation that is not recorded (its record was lost with the database) is added; an operation that has ended
    /// keeps its first end.
    public mutating func end(
        _ record: OperationRecord, as end: OperationEnd, at date: Date, error: ErrorReport? = nil
    ) {
        var record = record
        record.end = end
        record.endedAt = date
        record.error = error
        changes.append(.end(record))
    }

    /// Adds the row of an installed pack to the database's index, or replaces the row of the same directory.
    public mutating func upsert(_ pack: IndexedPack) { changes.append(.upsert(pack)) }

    /// Removes the database row of the installed pack in a directory, if there is one.
    public mutating func removePack(directory: String) { changes.append(.remove(directory: directory)) }

    /// Replaces all rows of the database's index of installed packs.
    public mutating func replacePacks(with packs: [IndexedPack]) {
        changes.append(.removeAllPacks)
        changes += packs.map(Change.upsert)
    }

    /// Adds a purchase to the database; an existing purchase of the same product is not changed.
    mutating func grant(_ purchase: Purchase) { changes.append(.grant(purchase)) }

    func apply(to database: GRDB.Database) throws {
        for change in changes { try apply(change, to: database) }
    }

    private func apply(_ change: Change, to database: GRDB.Database) throws {
        switch change {
        case .begin(let record, let plan):
            try put(
                record, plan: plan, in: database,
                onConflict: """
                    UPDATE SET plan = excluded.plan, store = excluded.store, version = excluded.version
                    WHERE outcome IS NULL
                    """)
        case .replan(let operation, let plan):
            try database.cachedStatement(
                sql: "UPDATE operations SET plan = ? WHERE operation = ? AND outcome IS NULL"
            ).execute(arguments: [plan, operation.rawValue])
        case .end(let record):
            // Deleted and inserted instead of updated: SQLite merges a page that is more than two thirds free with its neighbours
            // after a DELETE, but not after an UPDATE that shrinks a row, and without its plan a row has a tenth of its size.
            let number = try Int64.fetchOne(
                database.cachedStatement(
                    sql: "DELETE FROM operations WHERE operation = ? AND outcome IS NULL RETURNING number"),
                arguments: [record.operation.rawValue])
            try put(record, number: number, plan: nil, in: database, onConflict: "NOTHING")
        case .upsert(let pack):
            try database.cachedStatement(sql: IndexedPack.insertion).execute(arguments: try pack.arguments())
        case .remove(let directory):
            try database.cachedStatement(sql: "DELETE FROM packs WHERE directory = ?").execute(arguments: [directory])
        case .removeAllPacks:
            try database.execute(sql: "DELETE FROM packs")
        case .grant(let purchase):
            try database.cachedStatement(
                sql: "INSERT INTO purchases (productIdentifier, grantedAt) VALUES (?, ?) ON CONFLICT DO NOTHING"
            ).execute(arguments: [purchase.productIdentifier, purchase.grantedAt.millisecondsSince1970])
        }
    }

    /// Inserts the row of an operation.
    ///
    /// - Parameters:
    ///   - number: the row's number, which orders operations by their begin; `nil` assigns the next.
    ///   - onConflict: the SQL after `ON CONFLICT (operation) DO`.
    private func put(
        _ record: OperationRecord, number: Int64? = nil, plan: Data?, in database: GRDB.Database, onConflict: String
    ) throws {
        let error = try record.error.map { String(decoding: try JSON.encode($0), as: UTF8.self) }
        try database.cachedStatement(
            sql: """
                INSERT INTO operations
                (number, operation, action, productIdentifier, store, version, startedAt, endedAt, outcome, error, plan)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (operation) DO \(onConflict)
                """
        ).execute(arguments: [
            number, record.operation.rawValue, record.action.rawValue, record.productIdentifier, record.store,
            record.version?.text, record.startedAt.millisecondsSince1970, record.endedAt?.millisecondsSince1970,
            record.end?.rawValue, error, plan,
        ])
    }
}
