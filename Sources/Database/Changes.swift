public import FoundationEssentials
import GRDB
public import StoreModel

/// Changes to be made together, or not at all: they are gathered here and applied in one transaction, in the order
/// given. One transaction costs one wait for the disk, however many changes it has.
public struct Changes: Sendable {
    private enum Change {
        case begin(OperationRecord, plan: Data)
        case replan(OperationID, plan: Data)
        case end(OperationRecord)
        case upsert(IndexedPack)
        case remove(folder: String)
        case removeAllPacks
        case grant(Purchase)
    }

    private var changes: [Change] = []
    init() {}

    /// Notes an operation that begins, with what is needed to go on with it after a crash. Where it is noted already
    /// and still runs, its plan is replaced.
    public mutating func begin(_ record: OperationRecord, plan: Data) {
        changes.append(.begin(record, plan: plan))
    }

    /// Puts another plan in the place of an operation's. One that has ended, or is not known, has none, and gets none.
    public mutating func replan(_ operation: OperationID, with plan: Data) {
        changes.append(.replan(operation, plan: plan))
    }

    /// Notes the one end of an operation, and forgets its plan. An operation that the index does not know (it was lost
    /// with the database) is added; one that has ended already keeps its first end.
    public mutating func end(
        _ record: OperationRecord, as end: OperationEnd, at date: Date, error: ErrorReport? = nil
    ) {
        var record = record
        record.end = end
        record.endedAt = date
        record.error = error
        changes.append(.end(record))
    }

    /// Adds a pack to the index, or replaces what it holds of that folder.
    public mutating func upsert(_ pack: IndexedPack) { changes.append(.upsert(pack)) }

    /// Takes a pack out of the index, if it is there.
    public mutating func removePack(folder: String) { changes.append(.remove(folder: folder)) }

    /// Puts `packs` in the place of all that the index holds.
    public mutating func replacePacks(with packs: [IndexedPack]) {
        changes.append(.removeAllPacks)
        changes += packs.map(Change.upsert)
    }

    /// For what was read from a damaged database.
    mutating func grant(_ purchase: Purchase) { changes.append(.grant(purchase)) }

    func apply(to database: GRDB.Database) throws {
        for change in changes { try apply(change, to: database) }
    }

    private func apply(_ change: Change, to database: GRDB.Database) throws {
        switch change {
        case .begin(let record, let plan):
            try put(
                record, plan: plan, in: database,
                whereThere: "plan = excluded.plan, store = excluded.store, version = excluded.version")
        case .replan(let operation, let plan):
            try database.cachedStatement(
                sql: "UPDATE operations SET plan = ? WHERE operation = ? AND outcome IS NULL"
            ).execute(arguments: [plan, operation.rawValue])
        case .end(let record):
            try put(
                record, plan: nil, in: database,
                whereThere: """
                    store = excluded.store, version = excluded.version, endedAt = excluded.endedAt,
                    outcome = excluded.outcome, error = excluded.error, plan = NULL
                    """)
        case .upsert(let pack):
            try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO packs
                    (folder, kind, productIdentifier, receipt, size, receiptInode, receiptModifiedAt)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                pack.folder, pack.kind.rawValue, pack.productIdentifier, pack.receipt, pack.size,
                Int64(bitPattern: pack.receiptFile.inode), pack.receiptFile.modifiedAt.timeIntervalSinceReferenceDate,
            ])
        case .remove(let folder):
            try database.cachedStatement(sql: "DELETE FROM packs WHERE folder = ?").execute(arguments: [folder])
        case .removeAllPacks:
            try database.execute(sql: "DELETE FROM packs")
        case .grant(let purchase):
            try database.cachedStatement(
                sql: "INSERT INTO purchases (productIdentifier, grantedAt) VALUES (?, ?) ON CONFLICT DO NOTHING"
            ).execute(arguments: [purchase.productIdentifier, purchase.grantedAt.millisecondsSince1970])
        }
    }

    private func put(_ record: OperationRecord, plan: Data?, in database: GRDB.Database, whereThere: String) throws {
        let error = try record.error.map { String(decoding: try JSON.encode($0), as: UTF8.self) }
        try database.cachedStatement(
            sql: """
                INSERT INTO operations
                (operation, action, productIdentifier, store, version, startedAt, endedAt, outcome, error, plan)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (operation) DO UPDATE SET \(whereThere) WHERE outcome IS NULL
                """
        ).execute(arguments: [
            record.operation.rawValue, record.action.rawValue, record.productIdentifier, record.store,
            record.version?.text, record.startedAt.millisecondsSince1970, record.endedAt?.millisecondsSince1970,
            record.end?.rawValue, error, plan,
        ])
    }
}
