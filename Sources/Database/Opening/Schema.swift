import GRDB

/// A namespace for the tables of the database, defined by the migrations that create them.
///
/// A released migration never changes. A change of the schema is a new migration at the end, and `MigrationTests`
/// contains the schema before the change as frozen text.
///
/// Times are milliseconds since 1970, except where a column says otherwise. Tables are STRICT
/// (sqlite.org/stricttables.html): SQLite refuses to write a value of the wrong type.
enum Schema {
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("v1") { try $0.execute(sql: version1) }
        migrator.registerMigration("v2") { try $0.execute(sql: version2) }
        migrator.registerMigration("v3") { try $0.execute(sql: version3) }
        migrator.registerMigration("v4") { try $0.execute(sql: version4) }
        migrator.registerMigration("v5") { try $0.execute(sql: version5) }
        return migrator
    }()

    /// The names of all tables that there are after the migrations.
    static let tables = [
        "operations", "purchases", "packs", "sequence", "stickerUses", "stickerFavourites", "stickerPackOrder",
        "stickerImages",
    ]

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

    /// The SQL statements of migration 3, which store the index of installed packs in columns.
    ///
    /// Earlier versions had one encoded value a row. The rows of version 2 are not converted: the index is a cache of
    /// the receipts (files that describe the packs), and the library fills it again.
    ///
    /// Either `name` or `namesByLanguage` (a JSON object) has a value. `dependencies` and `permissions` are JSON
    /// arrays, NULL if empty. `receiptModifiedAt` is in seconds.
    private static let version3 = """
        DROP TABLE packs;
        CREATE TABLE packs (
            directory TEXT PRIMARY KEY NOT NULL,
            productIdentifier TEXT NOT NULL,
            kind TEXT NOT NULL,
            name TEXT,
            namesByLanguage TEXT,
            version TEXT,
            size INTEGER NOT NULL,
            installedAt INTEGER NOT NULL,
            store TEXT NOT NULL,
            operation TEXT NOT NULL,
            isHeld INTEGER NOT NULL,
            price TEXT NOT NULL,
            dependencies TEXT,
            permissions TEXT,
            archiveURL TEXT,
            archiveSize INTEGER NOT NULL,
            archiveSHA256 TEXT NOT NULL,
            archiveEtag TEXT,
            receiptIsDamaged INTEGER NOT NULL,
            receiptInode INTEGER NOT NULL,
            receiptSize INTEGER NOT NULL,
            receiptModifiedAt REAL NOT NULL
        ) STRICT;
        """

    /// The SQL statement of migration 4, which adds whether a pack was installed only because another product needs it.
    ///
    /// Receipts that were written before do not say so and count as `0`, as the rows do.
    private static let version4 = "ALTER TABLE packs ADD COLUMN asDependency INTEGER NOT NULL DEFAULT 0"

    /// The SQL statements of migration 5, which adds the user's lists of stickers.
    ///
    /// `number` orders the rows of a table: a sticker that is sent again gets the highest number. `rank` is described with
    /// ``StickerUse``. `stickerImages` is a cache; `images` is an encoded value.
    private static let version5 = """
        CREATE TABLE stickerUses (
            number INTEGER PRIMARY KEY,
            productIdentifier TEXT NOT NULL,
            sticker TEXT NOT NULL,
            sentAt INTEGER NOT NULL,
            count INTEGER NOT NULL,
            rank REAL NOT NULL,
            UNIQUE (productIdentifier, sticker)
        ) STRICT;
        CREATE TABLE stickerFavourites (
            number INTEGER PRIMARY KEY,
            productIdentifier TEXT NOT NULL,
            sticker TEXT NOT NULL,
            UNIQUE (productIdentifier, sticker)
        ) STRICT;
        CREATE TABLE stickerPackOrder (
            number INTEGER PRIMARY KEY,
            productIdentifier TEXT NOT NULL UNIQUE
        ) STRICT;
        CREATE TABLE stickerImages (
            directory TEXT PRIMARY KEY NOT NULL,
            operation TEXT NOT NULL,
            images BLOB NOT NULL
        ) STRICT;
        """
}
