public import FoundationEssentials
import GRDB
public import StoreModel

extension LibraryDatabase {
    /// Returns the operations that have not ended, in the order in which they began.
    ///
    /// Each has its plan: the data from which it is resumed after a crash.
    public func runningOperations() async throws -> [(record: OperationRecord, plan: Data)] {
        try await perform { database in
            try Row.fetchAll(database, sql: "SELECT * FROM operations WHERE outcome IS NULL ORDER BY number")
                .compactMap { row in OperationRecord(row).map { ($0, UntrustedRow(row: row).blob("plan") ?? Data()) } }
        }
    }

    /// Returns the record of one operation, running or ended; `nil` if the database has no such operation.
    public func operation(_ operation: OperationID) async throws -> OperationRecord? {
        try await perform { database in
            try Row.fetchOne(
                database, sql: "SELECT * FROM operations WHERE operation = ?", arguments: [operation.rawValue]
            ).flatMap(OperationRecord.init)
        }
    }

    /// Returns the records of operations that ended at `date` or later, in the order in which they began.
    public func operations(endedSince date: Date) async throws -> [OperationRecord] {
        try await perform { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM operations WHERE endedAt >= ? ORDER BY number",
                arguments: [date.millisecondsSince1970]
            ).compactMap(OperationRecord.init)
        }
    }

    /// Returns the operations that installed packs which are installed according to the history, for some products.
    ///
    /// It is the last finished operation of a product, unless that removed the pack. A product with a running operation
    /// is left out, because its pack may be removed at this moment.
    ///
    /// - Parameter isWanted: called with the identifier of each such product; returns whether to include its operation.
    ///   The other operations are not read completely.
    public func installingOperations(
        where isWanted: @escaping @Sendable (String) -> Bool
    ) async throws -> [OperationRecord] {
        try await perform { database in
            // The other columns are those of the row with the greatest number (sqlite.org/lang_select.html, "Bare columns").
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT productIdentifier, max(number), action FROM operations WHERE outcome = ?
                    GROUP BY productIdentifier
                    """,
                arguments: [OperationEnd.finished.rawValue])
            var numbers: [Int64] = []
            while let row = try rows.next().map(UntrustedRow.init) {
                guard let product = row.text(at: 0), let number = row.integer(at: 1), let action = row.text(at: 2)
                else { continue }
                if action != OperationAction.uninstall.rawValue, isWanted(product) { numbers.append(number) }
            }
            return try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM operations WHERE number IN (\(numbers.map(String.init).joined(separator: ", ")))
                    AND productIdentifier NOT IN (SELECT productIdentifier FROM operations WHERE outcome IS NULL)
                    ORDER BY number
                    """
            ).compactMap(OperationRecord.init)
        }
    }

    /// Returns a page of the history of operations, those that began last first; running ones are included.
    ///
    /// - Parameters:
    ///   - productIdentifier: the product whose operations to return; `nil` returns those of all products.
    ///   - limit: the maximum number of operations.
    ///   - before: the last operation of the previous page; if it is not known, the result is empty.
    ///   - after: the first operation of the next page: of the operations that began after it, those that began first are
    ///     returned. If it is not known, the result is empty.
    public func history(
        productIdentifier: String? = nil, limit: Int, before: OperationID? = nil, after: OperationID? = nil
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
            if let after {
                conditions.append("number > (SELECT number FROM operations WHERE operation = ?)")
                arguments += [after.rawValue]
            }
            let filter = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
            let order = after == nil ? "DESC" : "ASC"
            let found = try Row.fetchAll(
                database, sql: "SELECT * FROM operations \(filter) ORDER BY number \(order) LIMIT ?",
                arguments: arguments + [max(0, limit)]
            ).compactMap(OperationRecord.init)
            return after == nil ? found : found.reversed()
        }
    }
}
