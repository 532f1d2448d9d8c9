import GRDB

/// A restoration from the packs' receipts that is not complete since the database was created, recorded in its header.
///
/// A new database is not complete before the purchases of installed packs were restored. The record survives an
/// interruption before that, so that the next start restores them.
enum PendingRestoration: Int {
    /// Nothing has to be restored.
    case nothing = 0
    /// The file did not exist.
    case afterCreation = 1
    /// The file was damaged and was rebuilt.
    case afterRebuild = 2

    /// Reads the record; a database without any table counts as just created.
    static func read(from database: GRDB.Database) throws -> PendingRestoration {
        if try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") == 0 { return .afterCreation }
        return try Int.fetchOne(database, sql: "PRAGMA user_version").flatMap(PendingRestoration.init(rawValue:))
            ?? .nothing
    }

    func write(to database: GRDB.Database) throws {
        try database.execute(sql: "PRAGMA user_version = \(rawValue)")
    }
}
