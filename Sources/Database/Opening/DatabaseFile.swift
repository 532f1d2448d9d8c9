import FoundationEssentials
import GRDB
import StoreModel
import StoreSystem

/// A database file to open, which is replaced if it is damaged.
///
/// The methods block.
struct DatabaseFile {
    let path: String
    /// The open directory of the database if the path is too long for SQLite, else `nil`.
    ///
    /// It must live as long as the database is open.
    let longPathDirectory: LongPathDirectory?

    init(path: String) {
        self.path = path
        longPathDirectory = LongPathDirectory(ofFile: path)
    }

    /// Returns the path to pass to SQLite for the file whose path is that of the database and a suffix.
    func usablePath(suffix: String = "") -> String {
        longPathDirectory?.shortPath(of: path + suffix) ?? path + suffix
    }

    func open() throws -> (DatabaseQueue, LibraryDatabase.Origin) {
        let rebuild = DatabaseRebuild(of: self, in: try openDirectory())
        try rebuild.completeInterrupted()
        let existed = try hasContent(rebuild.directory, rebuild.name)
        do {
            var restoration = PendingRestoration.afterCreation
            if existed {
                restoration = try inspect()
            } else {
                // SQLite would let others read it; its journals get the permissions of the file.
                _ = try rebuild.directory.openOrCreateFile(rebuild.name, mode: 0o600)
            }
            let queue = try connect(recording: restoration)
            switch restoration {
            case .nothing: return (queue, .existing)
            case .afterCreation: return (queue, .created)
            case .afterRebuild: return (queue, .rebuilt(reason: try rebuild.interruptedReason()))
            }
        } catch let error where existed && StoreError.meansDamage(error) {
            let reason = try rebuild.run(because: error)
            return (try connect(recording: .nothing), .rebuilt(reason: reason))
        }
    }

    private func openDirectory() throws(StoreError) -> Directory {
        do {
            return try Directory.open(FilePaths.split(path).directory)
        } catch {
            switch error.errno {
            case .noSuchFileOrDirectory?, .notDirectory?, .permissionDenied?:
                throw StoreError(
                    .databaseNotWritable, ["path": .path(path), "reason": error.errno?.description ?? ""], cause: error)
            default: throw error
            }
        }
    }

    /// Returns whether the database file exists and has content.
    ///
    /// A database that was never written to counts as having none.
    private func hasContent(_ directory: Directory, _ name: String) throws(StoreError) -> Bool {
        guard let status = try directory.status(of: name) else { return false }
        guard status.kind == .file else { throw StoreError(.databaseNotAFile, ["path": .path(path)]) }
        return status.size > 0
    }

    /// Checks the file without writing to it, so that a file of a newer version of the program is left unchanged.
    private func inspect() throws -> PendingRestoration {
        do {
            return try inspect(readonly: true)
        } catch let error as GRDB.DatabaseError where error.resultCode == .SQLITE_READONLY {
            // A crash interrupted a transaction outside the write-ahead log, such as the very first one. The file can't
            // be read before that transaction is rolled back, for which it has to be opened for writing.
            return try inspect(readonly: false)
        }
    }

    private func inspect(readonly: Bool) throws -> PendingRestoration {
        let queue = try queue(readonly: readonly) { database in
            // The first access to the file. GRDB would access it too, but the system's reason for a failure can't be
            // read from a connection that GRDB has already discarded.
            try database.execute(sql: "SELECT 1 FROM sqlite_schema LIMIT 0")
        }
        let (applied, restoration) = try queue.read { [path] database in
            try database.mappingFailedAccess(path) {
                let finding = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "it has no content"
                if finding != "ok" {
                    // The check reports a page that could not be read like a damaged one.
                    if let reason = database.failedRead {
                        throw StoreError(.databaseUnreadable, ["path": .path(path), "reason": reason.description])
                    }
                    throw Self.damage(finding)
                }
                return (
                    try Schema.migrator.appliedIdentifiers(database), try PendingRestoration.read(from: database)
                )
            }
        }
        try queue.close()
        let unknown = applied.subtracting(Schema.migrator.migrations)
        // Migrations are named `v` and a number. No version of the program writes any other name.
        if let odd = unknown.first(where: { $0.first != "v" || Int($0.dropFirst()) == nil }) {
            throw Self.damage("it lists a migration '\(odd)'")
        }
        if !unknown.isEmpty {
            throw StoreError(.databaseIsNewer, ["path": .path(path)])
        }
        return restoration
    }

    private static func damage(_ finding: String) -> GRDB.DatabaseError {
        GRDB.DatabaseError(resultCode: .SQLITE_CORRUPT, message: finding)
    }

    /// Opens the connection that the database uses, and creates tables that are missing.
    ///
    /// - Parameter restoration: what to record as pending; ``PendingRestoration/nothing`` leaves the record unchanged.
    private func connect(recording restoration: PendingRestoration) throws -> DatabaseQueue {
        let queue = try queue(readonly: false) { database in
            // GRDB's own setting for WAL creates and drops a table at each start, and selects synchronous=NORMAL, with
            // which a power cut may undo what was committed.
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA journal_size_limit = \(4 << 20)")
            // In KiB. The default of 2 MiB fills with pages of the history that are not read again.
            try database.execute(sql: "PRAGMA cache_size = -512")
            // Before the tables, so that a start that is interrupted between the two does not count as complete.
            if restoration != .nothing { try restoration.write(to: database) }
        }
        try createTables(in: queue)
        return queue
    }

    /// Runs the migrations that were not applied yet, and checks that their tables exist.
    func createTables(in queue: DatabaseQueue) throws {
        do {
            try Schema.migrator.migrate(queue)
            // The list of migrations determines which tables there should be; this checks the tables themselves.
            try queue.read { try $0.execute(sql: "SELECT 1 FROM \(Schema.tables.joined(separator: ", ")) LIMIT 0") }
        } catch {
            try queue.writeWithoutTransaction { [path] in try $0.mappingFailedAccess(path) { throw error } }
        }
    }

    /// Opens a connection and runs `prepare` before anything else uses it.
    ///
    /// - Parameter suffix: what follows the path of the database in the path of the file.
    func queue(
        suffix: String = "", readonly: Bool, _ prepare: @escaping @Sendable (GRDB.Database) throws -> Void
    ) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        configuration.label = "storectl.database"
        configuration.prepareDatabase { [path] database in
            try database.mappingFailedAccess(path) { try database.keepingJournal { try prepare(database) } }
        }
        return try DatabaseQueue(path: usablePath(suffix: suffix), configuration: configuration)
    }
}
