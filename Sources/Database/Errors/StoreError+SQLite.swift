import GRDB
import StoreModel

extension StoreError {
    /// Returns the error for any failure of the database (GRDB, SQLite), with a code by what the user can do about it.
    static func database(_ error: any Error, path: String) -> StoreError {
        if let error = error as? StoreError { return error }
        guard let error = error as? GRDB.DatabaseError else {
            return StoreError(.databaseUnusable, ["path": .path(path), "reason": "\(error)"])
        }
        let reason = error.message ?? "result code \(error.extendedResultCode.rawValue)"
        switch error.resultCode {
        case .SQLITE_FULL: return StoreError(.databaseDiskFull, ["path": .path(path)])
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            return StoreError(.databaseNotWritable, ["path": .path(path), "reason": reason])
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            return StoreError(.databaseDamaged, ["path": .path(path), "reason": reason])
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return StoreError(.databaseBusy, ["path": .path(path), "reason": reason])
        default:
            return StoreError(.databaseUnusable, ["path": .path(path), "reason": reason])
        }
    }

    /// Returns whether an error means that the database file itself is damaged, so that only a new file helps.
    ///
    /// Errors of permissions, space or other programs do not mean that: then the file is intact and must not be
    /// replaced.
    static func meansDamage(_ error: any Error) -> Bool {
        // A value has another type than its column.
        if error is RowDecodingError { return true }
        guard let error = error as? GRDB.DatabaseError else { return false }
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return true
        // A value claims to be longer than any that SQLite writes.
        case .SQLITE_TOOBIG: return true
        // The tables do not match the applied migrations.
        case .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: return true
        default: return false
        }
    }
}
