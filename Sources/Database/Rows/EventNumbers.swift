import GRDB

/// A namespace for reading and writing the table row with the first event number that is not reserved yet.
enum EventNumbers {
    static func next(in database: GRDB.Database) throws -> Int64? {
        try Int64.fetchOne(database, sql: "SELECT next FROM sequence")
    }

    static func store(next: Int64, in database: GRDB.Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO sequence (single, next) VALUES (1, ?)", arguments: [next])
    }
}
