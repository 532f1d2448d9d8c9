import FoundationEssentials
import GRDB
import StoreModel
import StoreTestSupport

@testable import StoreDatabase

/// A database in a temporary directory.
final class DatabaseFixture: Sendable {
    private let temporary: TemporaryFolder
    var folder: String { temporary.path }
    var path: String { folder + "/library.sqlite" }

    init() throws { temporary = try TemporaryFolder() }

    /// Opens the database, and completes its restoration as the engine does.
    func open(now: Date = Date()) async throws -> LibraryDatabase {
        let database = try await LibraryDatabase(path: path, now: now)
        if database.origin != .existing { try await database.completeRestoration() }
        return database
    }

    /// Returns a copy of all files.
    func copy() throws -> DatabaseFixture {
        let copy = try DatabaseFixture()
        // SQLite rebuilds the index of its journal, and finds one of another file wrong.
        for name in try files where !name.hasSuffix("-shm") {
            try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: copy.folder + "/" + name)
        }
        return copy
    }

    /// Returns a copy of the open database as SIGKILL would leave it.
    func copyAsIfKilled() throws -> DatabaseFixture {
        let copy = try DatabaseFixture()
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy.path + suffix)
        }
        return copy
    }

    /// Runs an SQL script on the database file, which must not be open.
    func execute(_ script: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { try $0.execute(sql: script) }
        try queue.close()
    }

    /// The statements that create the tables and indexes, without white space.
    func schema() throws -> [String] {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { database in
            try String.fetchAll(
                database,
                sql: "SELECT sql FROM sqlite_schema WHERE sql NOT NULL AND name NOT LIKE 'grdb_%' ORDER BY name")
        }.map { $0.filter { !$0.isWhitespace } }
    }

    /// Returns the number of pages of the database file that have content.
    func usedPages() throws -> Int {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read { database in
            let all = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            return all - (try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0)
        }
    }

    var files: Set<String> {
        get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder)) }
    }
}

func date(_ seconds: Int) -> Date { Date(timeIntervalSince1970: Double(seconds)) }

func record(
    _ name: String, _ action: OperationAction = .install, on product: String = "org.example.cups",
    at seconds: Int = 1000
) -> OperationRecord {
    OperationRecord(
        operation: OperationID(rawValue: name), action: action, productIdentifier: product, store: "main",
        version: Version("1.0.0"), startedAt: date(seconds))
}

/// Returns a row of the pack index with a distinct value in every column.
func pack(_ number: Int) -> IndexedPack {
    IndexedPack(
        directory: "pack\(number).stickers", productIdentifier: "pack\(number)", kind: .sticker,
        name: LocalizedText("Pack \(number)"), version: Version("1.\(number)"), size: number * 1000,
        installedAt: Date(timeIntervalSince1970: 1_700_000_000.125), store: "main",
        operation: OperationID(rawValue: "op\(number)"), isHeld: number % 2 == 0,
        asDependency: number % 3 == 0, price: Price("0.99 EUR"),
        dependencies: ["other\(number)"], permissions: [.code],
        archive: Receipt.Archive(
            address: "https://store.example/\(number).zip", size: number * 900,
            sha256: SHA256Digest(of: Array("\(number)".utf8)), etag: "\"tag\(number)\""),
        receiptIsDamaged: false,
        receiptFile: .init(inode: UInt64.max - UInt64(number), size: 300, changedAt: 1_700_000_000.123456789))
}
