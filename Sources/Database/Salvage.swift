import FoundationEssentials
import GRDB
import StoreModel

/// What can still be read from a damaged database of that which the receipts can't tell: purchases, operations, and how
/// far event numbers had come.
struct Salvage {
    private(set) var operations: [(record: OperationRecord, plan: Data?)] = []
    private(set) var purchases: [Purchase] = []
    private(set) var nextSequence: Int64 = 0

    /// Reads what is readable. Never fails: at worst there is nothing.
    init(path: String) {
        var configuration = Configuration()
        configuration.readonly = true
        guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return }
        queue.unsafeRead { database in
            operations = Self.rows(of: "operations", in: database) { row in
                OperationRecord(row).map { ($0, Columns(row: row).blob("plan")) }
            }
            purchases = Self.rows(of: "purchases", in: database, Purchase.init)
            nextSequence = Self.rows(of: "sequence", in: database) { Columns(row: $0).integer("next") }.max() ?? 0
        }
        try? queue.close()
        try? FileManager.default.removeItem(atPath: path + "-shm")
    }

    /// The rows up to the damage, and then those from the end back to it. An error ends that table only.
    private static func rows<Value>(
        of table: String, in database: GRDB.Database, _ decode: (Row) -> Value?
    ) -> [Value] {
        var found: [Int64: Value] = [:]
        var whole = false
        for order in ["ASC", "DESC"] where !whole {
            do {
                let rows = try Row.fetchCursor(
                    database, sql: "SELECT rowid AS place, * FROM \(table) ORDER BY rowid \(order)")
                while let row = try rows.next() {
                    guard let place = Columns(row: row).integer("place") else { continue }
                    // The way back has met the way there; what is between was read already.
                    if found[place] != nil { break }
                    if let value = decode(row) { found[place] = value }
                }
                whole = true
            } catch {
                continue
            }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    func apply(to database: GRDB.Database) throws {
        var changes = Changes()
        for (record, plan) in operations {
            if let end = record.end, let endedAt = record.endedAt {
                changes.end(record, as: end, at: endedAt, error: record.error)
            } else if let plan {
                changes.begin(record, plan: plan)
            }
        }
        for purchase in purchases { changes.grant(purchase) }
        try changes.apply(to: database)
        if nextSequence > 0 { try EventNumbers.store(next: nextSequence, in: database) }
    }

    var summary: String {
        "\(purchases.count) purchases and \(operations.count) operations could still be read from it"
    }
}
