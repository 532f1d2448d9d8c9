import FoundationEssentials
import GRDB
import Testing

@testable import StoreDatabase

@Suite struct FirstTransactionTests {
    @Test func `a crash in the very first transaction is rolled back`() async throws {
        let (crashed, fixture) = (try DatabaseFixture(), try DatabaseFixture())
        let (path, copy) = (crashed.path, fixture.path)
        let queue = try DatabaseQueue(path: path)
        try await queue.writeWithoutTransaction { database in
            // More data than SQLite's cache holds, so that pages are written before the commit.
            try database.execute(
                sql: """
                    PRAGMA cache_size = 1; BEGIN; CREATE TABLE filler (content);
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
                    INSERT INTO filler SELECT randomblob(4000) FROM n;
                    """)
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
            }
            try database.execute(sql: "ROLLBACK")
        }
        let database = try await fixture.open()
        #expect(database.origin == .created)
        try await database.grant("a")
        try await database.close()
        let again = try await fixture.open()
        #expect(try await again.purchases().map(\.productIdentifier) == ["a"])
        #expect(try fixture.files.filter { $0.contains("damaged") || $0.contains("journal") }.isEmpty)
    }
}
