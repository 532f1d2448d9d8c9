extension ErrorCode {
    /// Reading or writing the database failed.
    public static let databaseFailed = ErrorCode("database.failed", .failed)
    /// A newer version of the program wrote the database.
    public static let databaseNewer = ErrorCode("database.newer", .daemon)
    /// The user has no permission to write the database or its directory.
    public static let databaseDenied = ErrorCode("database.denied", .daemon)
}

extension ErrorTemplate {
    public static let databaseUnusable = ErrorTemplate(
        .databaseFailed, "could not read or write the database '{path}': {reason}")
    public static let databaseDamaged = ErrorTemplate(
        .databaseFailed, variant: "damaged", "the database '{path}' is damaged: {reason}",
        hint: "run 'storectl daemon restart', which rebuilds the database")
    public static let databaseUnreadable = ErrorTemplate(
        .databaseFailed, variant: "unreadable", "could not read the database '{path}': {reason}",
        hint: "try again; if it fails again, check the disk")
    public static let databaseBusy = ErrorTemplate(
        .databaseFailed, variant: "busy", "another program uses the database '{path}': {reason}",
        hint: "close the other program and try again")
    public static let eventNumbersUsedUp = ErrorTemplate(
        .databaseFailed, variant: "event-numbers", "the database '{path}' has no event numbers left")
    public static let databaseIsNewer = ErrorTemplate(
        .databaseNewer, "a newer version of this program wrote the database '{path}'",
        hint: "upgrade the program, or use another home (--home)")
    public static let databaseNotWritable = ErrorTemplate(
        .databaseDenied, "could not open the database '{path}' for writing: {reason}",
        hint: "check its owner and permissions")
    public static let databaseNotAFile = ErrorTemplate(
        .databaseDenied, variant: "not-a-file", "the database '{path}' is not a file",
        hint: "move it away, so that the database can be created")
    public static let databaseDiskFull = ErrorTemplate(
        .noSpace, variant: "database", "no space is left for the database '{path}'",
        hint: "free some space and try again")
}
