import Foundation
import GRDBSQLite

/// The SQLite database of a home whose daemon does not run.
extension CrashWorker {
    /// The bytes with which a page is damaged.
    fileprivate static let damage = Data(repeating: 0xA5, count: 4096)

    private var database: String { home + "/data/library.sqlite" }

    /// Checks every page and index.
    func checkDatabase() throws {
        let answer = value(of: "PRAGMA integrity_check")
        guard answer == "ok" else { throw Wrong(description: "the database: \(answer)") }
    }

    /// Overwrites the first page of the index of packs, which is restored from the receipts.
    ///
    /// - Returns: the number of the page.
    func damageDatabase() throws -> Int {
        let answer = value(of: "SELECT rootpage FROM sqlite_schema WHERE name = 'packs'")
        guard let page = Int(answer) else { throw Wrong(description: "no page of the packs: \(answer)") }
        let file = try FileHandle(forUpdating: URL(filePath: database))
        try file.seek(toOffset: UInt64((page - 1) * Self.damage.count))
        try file.write(contentsOf: Self.damage)
        try file.close()
        return page
    }

    /// Returns the first column of the first row of a query, or the reason why there is none.
    private func value(of query: String) -> String {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard sqlite3_open_v2(database, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else {
            return "can't be opened"
        }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, query, -1, &statement, nil) == SQLITE_OK,
            sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
        else { return String(cString: sqlite3_errmsg(connection)) }
        return String(cString: text)
    }
}

extension FolderTree {
    /// Whether a copy of the database that the rig damaged is kept, as after a rebuild.
    var keepsDamagedDatabase: Bool {
        files["data/library.sqlite.damaged-1"]?.range(of: CrashWorker.damage) != nil
    }
}

/// The write-ahead log of an SQLite database (sqlite.org/fileformat2.html, section 4.1).
enum SQLiteJournal {
    private static let (headerSize, frameHeaderSize, pageSize) = (32, 24, 4096)

    /// Returns the numbers of the pages of which the journal has a newer version.
    static func pages(in journal: Data) -> Set<Int> {
        var pages: Set<Int> = []
        for frame in stride(from: headerSize, to: journal.count, by: frameHeaderSize + pageSize)
        where frame + 4 <= journal.count {
            let bytes = journal[journal.startIndex + frame..<journal.startIndex + frame + 4]
            pages.insert(bytes.reduce(0) { $0 << 8 | Int($1) })
        }
        return pages
    }
}
