import GRDB
import GRDBSQLite
public import StoreModel
import StoreSystem

/// The database can't be opened, read or written.
public struct DatabaseError: CodedError {
    public let code: ErrorCode
    public let message: String

    public init(_ code: ErrorCode, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Any error of the layer below, with a code chosen by what the caller can do about it.
    init(_ error: any Error, path: String) {
        guard let error = error as? GRDB.DatabaseError else {
            self = error as? DatabaseError ?? DatabaseError(.databaseFailed, "The database '\(path)' failed: \(error)")
            return
        }
        let reason = error.message ?? "result code \(error.extendedResultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_FULL: self = .noSpace(path)
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            self.init(
                .databaseDenied,
                "The database '\(path)' can't be opened for writing: \(reason). Check its owner and permissions.")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(
                .databaseFailed, "The database '\(path)' is damaged: \(reason). Restart stored, which builds it anew.")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .databaseFailed, "The database '\(path)' is used by another program: \(reason). Close it and try again."
            )
        default:
            self.init(.databaseFailed, "The database '\(path)' failed: \(reason).")
        }
    }

    static func noSpace(_ path: String) -> DatabaseError {
        DatabaseError(.noSpace, "No space left for the database '\(path)'. Free some and try again.")
    }

    /// Whether the file itself is what is wrong, so that only a new one helps. What has to do with permissions, space or
    /// other programs is not: that file is whole, and is left alone.
    static func meansDamage(_ error: any Error) -> Bool {
        // A value of another type than its column's.
        if error is RowDecodingError { return true }
        guard let error = error as? GRDB.DatabaseError else { return false }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return true
        // The tables are not those that the list of migrations promises.
        case .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: return true
        default: return false
        }
    }
}

extension GRDB.Database {
    /// Tells a lack of space as that: SQLite tells of a quota that is used up, and of a full disk that is noticed only
    /// when waiting for it, as of any failed input or output.
    func mappingLackOfSpace<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as GRDB.DatabaseError where error.resultCode == .SQLITE_IOERR {
            guard systemReasons.contains(where: [Errno.noSpace, .diskQuotaExceeded].contains) else { throw error }
            throw DatabaseError.noSpace(path)
        }
    }

    /// What the system said to the last call that failed: of the connection, of its file, and of its journal.
    private var systemReasons: [Errno] {
        var (ofFile, ofJournal): (Int32, Int32) = (0, 0)
        sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_LAST_ERRNO, &ofFile)
        var journal: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &journal)
        _ = journal?.pointee.pMethods?.pointee.xFileControl?(journal, SQLITE_FCNTL_LAST_ERRNO, &ofJournal)
        return [sqlite3_system_errno(sqliteConnection), ofFile, ofJournal].map(Errno.init(rawValue:))
    }
}

extension ErrorCode {
    public static let databaseFailed = ErrorCode("database.failed", .failed)
    /// Made by a newer version of the program.
    public static let databaseNewer = ErrorCode("database.newer", .daemon)
    /// The file or its folder can't be written by this user.
    public static let databaseDenied = ErrorCode("database.denied", .daemon)
}
