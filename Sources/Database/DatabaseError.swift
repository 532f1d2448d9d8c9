import GRDB
public import StoreModel

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
        case .SQLITE_FULL:
            self.init(.noSpace, "No space left for the database '\(path)'. Free some and try again.")
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

extension ErrorCode {
    public static let databaseFailed = ErrorCode("database.failed", .failed)
    /// Made by a newer version of the program.
    public static let databaseNewer = ErrorCode("database.newer", .daemon)
    /// The file or its folder can't be written by this user.
    public static let databaseDenied = ErrorCode("database.denied", .daemon)
    /// The same word as that of `Files`, which is not imported here.
    fileprivate static let noSpace = ErrorCode("space.disk-full", .space)
}
