import FoundationEssentials
import StoreModel
import Testing

@testable import StoreDatabase

@Suite struct MigrationTests {
    /// The database that version 1 of the schema created.
    ///
    /// Frozen: never change it together with the code.
    static let version1 = """
        PRAGMA journal_mode = WAL;
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('v1');
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
        INSERT INTO operations VALUES
            (1, 'a', 'install', 'org.example.cups', 'main', '1.0.0', 1000000, 1005000, 'failed',
             '{"code":"archive.traversal","exitCode":5,"message":"It climbs."}', NULL),
            (2, 'b', 'update', 'org.example.cups', NULL, NULL, 2000250, NULL, NULL, NULL, x'706c616e');
        INSERT INTO purchases VALUES ('org.example.dear', 3000000);
        INSERT INTO packs VALUES
            ('org.example.cups.stickers', 'sticker', 'org.example.cups', x'7b7d', 12345, -1, 722000000.25);
        """

    @Test func `a database of version 1 is migrated with its rows`() async throws {
        let fixture = try DatabaseFixture()
        try fixture.execute(Self.version1)
        let database = try await fixture.open(now: date(1_700_000_000))
        #expect(database.origin == .existing)

        let history = try await database.history(limit: 10)
        #expect(history.map(\.operation.rawValue) == ["b", "a"])
        #expect(history[1].error?.code == ErrorCode("archive.traversal", .refused))
        #expect(history[1].endedAt == date(1005))
        #expect(history[0].startedAt == Date(timeIntervalSince1970: 2000.25))
        #expect(try await database.runningOperations().map(\.plan) == [Data("plan".utf8)])
        #expect(
            try await database.purchases() == [Purchase(productIdentifier: "org.example.dear", grantedAt: date(3000))])
        // The index is a cache of the receipts, so its rows are not migrated to the columns of version 3.
        #expect(try await database.packs().isEmpty)
        try await database.write { $0.upsert(pack(1)) }
        #expect(try await database.packs() == [pack(1)])
        #expect(try await database.reserveSequence(1).lowerBound == 1_700_000_000_000)
    }

    /// What versions 2 and 3 of the schema added, and rows that they wrote.
    ///
    /// Frozen: never change it together with the code.
    static let version3 =
        version1 + """
            INSERT INTO grdb_migrations VALUES ('v2'), ('v3');
            CREATE TABLE sequence (
                single INTEGER PRIMARY KEY CHECK (single = 1),
                next INTEGER NOT NULL
            ) STRICT;
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
            INSERT INTO packs VALUES
                ('cups.stickers', 'cups', 'sticker', 'Cups', NULL, '1.0', 7, 1000, 'main', 'a', 1, 'free', NULL, NULL,
                 NULL, 9, '\(SHA256Digest(of: []).hex)', NULL, 0, 5, 6, 7.5);
            """

    @Test func `packs that were installed before version 4 count as installed by name`() async throws {
        let fixture = try DatabaseFixture()
        try fixture.execute(Self.version3)
        let packs = try await fixture.open().packs()
        #expect(packs.map(\.productIdentifier) == ["cups"] && packs.map(\.isHeld) == [true])
        #expect(packs.map(\.asDependency) == [false])
        let fresh = try DatabaseFixture()
        try await fresh.open().close()
        #expect(try fixture.schema() == fresh.schema())
    }

    /// What version 4 of the schema added.
    ///
    /// Frozen: never change it together with the code.
    static let version4 =
        version3 + """
            INSERT INTO grdb_migrations VALUES ('v4');
            ALTER TABLE packs ADD COLUMN asDependency INTEGER NOT NULL DEFAULT 0;
            """

    @Test func `a database of version 4 gets empty lists of stickers, and keeps its rows`() async throws {
        let fixture = try DatabaseFixture()
        try fixture.execute(Self.version4)
        let database = try await fixture.open()
        #expect(database.origin == .existing)
        #expect(try await database.stickerRecords() == StickerRecords())
        #expect(try await database.packs().map(\.productIdentifier) == ["cups"])
        let sent = StickerName(productIdentifier: "cups", sticker: "1")
        try await database.recordUses(of: [sent], at: date(1))
        #expect(try await database.stickerRecords().uses.map(\.name) == [sent])
        try await database.close()
    }

    @Test func `a damaged database of version 4, which has no lists of stickers, is rebuilt`() async throws {
        let fixture = try DatabaseFixture()
        try fixture.execute(Self.version4 + "; DROP TABLE sequence")
        let database = try await fixture.open()
        guard case .rebuilt = database.origin else {
            Issue.record("\(database.origin)")
            return
        }
        #expect(try await database.purchases().map(\.productIdentifier) == ["org.example.dear"])
        #expect(try await database.stickerRecords() == StickerRecords())
        try await database.close()
    }

    @Test func `the migrations together create the frozen schema`() async throws {
        // If this fails, a released migration was changed: restore it and add a new one.
        let migrated = try DatabaseFixture()
        try migrated.execute(Self.version1)
        try await migrated.open().close()
        let fresh = try DatabaseFixture()
        try await fresh.open().close()
        #expect(try migrated.schema() == fresh.schema())
    }

    @Test func `a database of a newer version is left alone`() async throws {
        let fixture = try DatabaseFixture()
        try await fixture.open().close()
        try fixture.execute("INSERT INTO grdb_migrations VALUES ('v999'); CREATE TABLE future (x)")
        let before = try Data(contentsOf: URL(filePath: fixture.path))
        await #expect {
            try await fixture.open()
        } throws: { error in
            let error = error as? StoreError
            return error?.code == .databaseNewer && error?.code.exitCode == .daemon
                && error?.hint?.contains("upgrade") == true
        }
        #expect(try Data(contentsOf: URL(filePath: fixture.path)) == before)
        #expect(try fixture.files.contains { $0.contains("damaged") } == false)
    }

    @Test func `a migration with an invalid name means damage`() async throws {
        let fixture = try DatabaseFixture()
        try await fixture.open().close()
        try fixture.execute("INSERT INTO grdb_migrations VALUES ('v\u{7F}')")
        let database = try await fixture.open()
        guard case .rebuilt = database.origin else {
            Issue.record("origin is \(database.origin)")
            return
        }
    }
}
