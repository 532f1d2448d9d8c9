import GRDB
import GRDBSQLite

extension GRDB.Database {
    /// Runs `body`, and keeps the journal file if `body` fails and the connection is closed because of that.
    ///
    /// When its last connection is closed, SQLite copies the journal into the database and deletes it. If the journal's
    /// shared memory could not be extended, as on a full disk, and can be opened for reading, it copies nothing and
    /// deletes the journal all the same: `sqlite3WalClose` in SQLite 3.40 takes the failed lock for a reader that is in
    /// the way.
    func keepingJournal(_ body: () throws -> Void) rethrows {
        keepJournalWhenClosed(true)
        try body()
        keepJournalWhenClosed(false)
    }

    private func keepJournalWhenClosed(_ isKept: Bool) {
        var isKept: Int32 = isKept ? 1 : 0
        sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    }
}
