import GRDB
import GRDBSQLite
import StoreModel
import StoreSystem

extension GRDB.Database {
    /// Runs `body`, and reports a lack of disk space as an error with the code `space.disk-full`.
    ///
    /// SQLite reports an exceeded quota, and a full disk that only `fsync` detects, as any other I/O error.
    func mappingLackOfSpace<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as GRDB.DatabaseError where error.resultCode == .SQLITE_IOERR {
            guard systemErrorNumbers.contains(where: [Errno.noSpace, .diskQuotaExceeded].contains) else { throw error }
            throw StoreError(.databaseDiskFull, ["path": .path(path)])
        }
    }

    /// The error number of a system call that failed while the database file or its journal was accessed; `nil` where
    /// none did.
    ///
    /// The checks of SQLite report pages that could not be read like damaged ones.
    var failedFileAccess: Errno? { fileErrorNumbers.first { $0.rawValue != 0 } }

    /// The `errno` of the last failed system call of the SQLite connection, the database file, and the journal file.
    private var systemErrorNumbers: [Errno] {
        [Errno(rawValue: sqlite3_system_errno(sqliteConnection))] + fileErrorNumbers
    }

    /// The `errno` of the last system call on the database file and the journal file, where it failed, else 0.
    private var fileErrorNumbers: [Errno] {
        var (ofFile, ofJournal): (Int32, Int32) = (0, 0)
        sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_LAST_ERRNO, &ofFile)
        var journal: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &journal)
        _ = journal?.pointee.pMethods?.pointee.xFileControl?(journal, SQLITE_FCNTL_LAST_ERRNO, &ofJournal)
        return [ofFile, ofJournal].map(Errno.init(rawValue:))
    }
}
