import GRDB

/// The tables, as the steps by which they came to be. A step that was once released never changes: what is to be
/// different is a new step at the end, and `MigrationTests` gets the schema before it as frozen text.
///
/// Times are milliseconds since 1970. Tables are STRICT (sqlite.org/stricttables.html): a value of the wrong type is
/// refused when it is written.
enum Schema {
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { try $0.execute(sql: version1) }
        migrator.registerMigration("v2") { try $0.execute(sql: version2) }
        return migrator
    }()

    private static let version1 = """
        CREATE TABLE operations (
            number INTEGER PRIMARY KEY,
            operation TEXT NOT NULL UNIQUE,
            action TEXT NOT NULL,
            productIdentifier TEXT NOT NULL,
            store TEXT,
            version TEXT,
            startedAt INTEGER NOT NULL,
            endedAt INTEGER,
            outcome TEXT,
            error TEXT,
            plan BLOB
        ) STRICT;
        CREATE INDEX operationsByProduct ON operations (productIdentifier, number);
        CREATE INDEX operationsRunning ON operations (number) WHERE outcome IS NULL;

        CREATE TABLE purchases (
            productIdentifier TEXT PRIMARY KEY NOT NULL,
            grantedAt INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE packs (
            folder TEXT PRIMARY KEY NOT NULL,
            kind TEXT NOT NULL,
            productIdentifier TEXT NOT NULL,
            receipt BLOB NOT NULL,
            size INTEGER NOT NULL,
            receiptInode INTEGER NOT NULL,
            receiptModifiedAt REAL NOT NULL
        ) STRICT;
        """

    private static let version2 = """
        CREATE TABLE sequence (
            single INTEGER PRIMARY KEY CHECK (single = 1),
            next INTEGER NOT NULL
        ) STRICT;
        """
}
