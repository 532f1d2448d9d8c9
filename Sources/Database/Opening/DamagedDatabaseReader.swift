import FoundationEssentials
import GRDB
import StoreModel

/// A reader of the rows of a damaged database that can't be restored from other files.
///
/// These are purchases, operations, the lists of stickers, and the next event number. Installed packs are restored from their receipts
/// instead.
struct DamagedDatabaseReader {
    private(set) var operations: [(record: OperationRecord, plan: Data?)] = []
    private(set) var purchases: [Purchase] = []
    private(set) var stickers = StickerRecords()
    private(set) var nextSequence: Int64 = 0

    /// Reads every row that is readable in spite of the damage; where none is, the result is empty.
    ///
    /// - Throws: where the file can't be read for another reason, such as a lack of file descriptors or an error of the
    ///   disk: the rows may then be there.
    init(_ file: DatabaseFile) throws {
        do {
            let queue = try file.queue(readonly: true) { _ in }
            try queue.unsafeRead { [path = file.path] database in
                try database.mappingFailedAccess(path) { try read(database) }
            }
            try queue.close()
        } catch let error where StoreError.meansDamage(error) {
            // Not even the list of tables is readable.
        }
    }

    private mutating func read(_ database: GRDB.Database) throws {
        operations = try Self.rows(of: "operations", in: database) { row in
            OperationRecord(row).map { ($0, UntrustedRow(row: row).blob("plan")) }
        }
        purchases = try Self.rows(of: "purchases", in: database, Purchase.init)
        stickers.uses = try Self.rows(of: "stickerUses", in: database, StickerUse.init)
        stickers.favourites = try Self.rows(of: "stickerFavourites", in: database) { StickerName($0) }
        stickers.order = try Self.rows(of: "stickerPackOrder", in: database) {
            UntrustedRow(row: $0).text("productIdentifier")
        }
        nextSequence = try Self.rows(of: "sequence", in: database) { UntrustedRow(row: $0).integer("next") }.max() ?? 0
    }

    /// Returns a damaged table's rows before the damage and, read from the end backwards, the rows after it.
    ///
    /// Damage ends the reading of that table only.
    private static func rows<Value>(
        of table: String, in database: GRDB.Database, _ decode: (Row) -> Value?
    ) throws -> [Value] {
        var found: [Int64: Value] = [:]
        var isComplete = false
        for order in ["ASC", "DESC"] where !isComplete {
            do {
                let rows = try Row.fetchCursor(
                    database, sql: "SELECT rowid AS rowNumber, * FROM \(table) ORDER BY rowid \(order)")
                while let row = try rows.next() {
                    guard let number = UntrustedRow(row: row).integer("rowNumber") else { continue }
                    // The backward pass has met the forward pass.
                    if found[number] != nil { break }
                    if let value = decode(row) { found[number] = value }
                }
                isComplete = true
            } catch let error where StoreError.meansDamage(error) && database.failedRead == nil {
                continue
            }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Writes the rows that were read from a damaged database into a new one.
    func apply(to database: GRDB.Database) throws {
        var changes = DatabaseChanges()
        for (record, plan) in operations {
            if let end = record.end, let endedAt = record.endedAt {
                changes.end(record, as: end, at: endedAt, error: record.error)
            } else if let plan {
                changes.begin(record, plan: plan)
            }
        }
        for purchase in purchases { changes.grant(purchase) }
        try changes.apply(to: database)
        // The rows are in the order of their numbers, which are assigned again.
        for (number, use) in stickers.uses.enumerated() {
            try DatabaseChanges.put(use, order: Int64(number) + 1, in: database)
        }
        for favourite in stickers.favourites { try DatabaseChanges.put(favourite: favourite, in: database) }
        for product in stickers.order { try DatabaseChanges.put(inPackOrder: product, in: database) }
        if nextSequence > 0 { try EventNumbers.store(next: nextSequence, in: database) }
    }

    /// The number of rows recovered from a damaged database, as text for display.
    var summary: String {
        let lists = stickers.uses.count + stickers.favourites.count + stickers.order.count
        return "\(purchases.count) purchases and \(operations.count) operations were recovered from it"
            + (lists == 0 ? "" : ", and \(lists) entries of the lists of stickers")
    }
}
