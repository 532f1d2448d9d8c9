import FoundationEssentials
import GRDB
import StoreModel

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

    private var usablePath: String { longPathDirectory?.shortPath(of: path) ?? path }

    func open() throws -> (DatabaseQueue, LibraryDatabase.Origin) {
        let existed = try hasContent()
        do {
            if existed { try inspect() }
            return (try connect(), existed ? .existing : .created)
        } catch let error where existed && StoreError.meansDamage(error) {
            return try rebuild(because: error)
        }
    }

    /// Returns whether the database file exists and has content.
    ///
    /// A database that was never written to counts as having none.
    private func hasContent() throws -> Bool {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return false }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw StoreError(.databaseNotAFile, ["path": .path(path)])
        }
        return (attributes[.size] as? UInt64 ?? 0) > 0
    }

    /// Checks the database file without writing to it, so that a file of a newer program version is left unchanged.
    private func inspect() throws {
        do {
            try inspect(readonly: true)
        } catch let error as GRDB.DatabaseError where error.resultCode == .SQLITE_READONLY {
            // A crash interrupted the very first transaction, before there was a write-ahead log. The file can't be
            // read before that transaction is rolled back, for which it has to be opened for writing.
            try inspect(readonly: false)
        }
    }

    private func inspect(readonly: Bool) throws {
        let queue = try queue(readonly: readonly) { database in
            // The first access to the file. GRDB would access it too, but the system's reason for a failure can't be
            // read from a connection that GRDB has already discarded.
            try database.execute(sql: "SELECT 1 FROM sqlite_schema LIMIT 0")
        }
        let unknown = try queue.read { [path] database in
            try database.mappingLackOfSpace(path) {
                let finding = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "it has no content"
                if finding != "ok" { throw Self.damage(finding) }
                return try Schema.migrator.appliedIdentifiers(database).subtracting(Schema.migrator.migrations)
            }
        }
        try queue.close()
        // Migrations are named `v` and a number. No version of the program writes any other name.
        if let odd = unknown.first(where: { $0.first != "v" || Int($0.dropFirst()) == nil }) {
            throw Self.damage("it lists a migration '\(odd)'")
        }
        if !unknown.isEmpty {
            throw StoreError(.databaseIsNewer, ["path": .path(path)])
        }
    }

    private static func damage(_ finding: String) -> GRDB.DatabaseError {
        GRDB.DatabaseError(resultCode: .SQLITE_CORRUPT, message: finding)
    }

    private func connect() throws -> DatabaseQueue {
        let queue = try queue(readonly: false) { database in
            // GRDB's own setting for WAL creates and drops a table at each start, and selects synchronous=NORMAL, with
            // which a power cut may undo what was committed.
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA journal_size_limit = \(4 << 20)")
        }
        do {
            try Schema.migrator.migrate(queue)
            // The list of migrations determines which tables there should be; this checks the tables themselves.
            try queue.read { try $0.execute(sql: "SELECT 1 FROM operations, purchases, packs, sequence LIMIT 0") }
        } catch {
            try queue.writeWithoutTransaction { [path] in try $0.mappingLackOfSpace(path) { throw error } }
        }
        return queue
    }

    /// Opens a database connection and runs `prepare` before anything else uses it.
    private func queue(
        readonly: Bool, _ prepare: @escaping @Sendable (GRDB.Database) throws -> Void
    ) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        configuration.label = "storectl.database"
        configuration.prepareDatabase { [path] database in
            try database.mappingLackOfSpace(path) { try prepare(database) }
        }
        return try DatabaseQueue(path: usablePath, configuration: configuration)
    }

    // MARK: A damaged file

    private func rebuild(because error: any Error) throws -> (DatabaseQueue, LibraryDatabase.Origin) {
        let aside = try moveAside()
        let recovered = DamagedDatabaseReader(path: longPathDirectory?.shortPath(of: aside) ?? aside)
        let queue = try connect()
        try queue.write(recovered.apply)
        let reason = (error as? GRDB.DatabaseError)?.message ?? "\(error)"
        return (
            queue,
            .rebuilt(
                reason: """
                    The database '\(path)' was damaged (\(reason)) and was rebuilt; \(recovered.summary). \
                    The old one is kept as '\(aside)'.
                    """)
        )
    }

    /// Renames the damaged database file to `….damaged-N`, and removes all but the newest two such files.
    ///
    /// `N` is the next free number. Returns the new path.
    private func moveAside() throws -> String {
        let existing = try damagedNumbers()
        let aside = path + ".damaged-\((existing.max() ?? 0) + 1)"
        // The journal is renamed first: if the power failed after only the database had been renamed, the next start
        // would replay the old journal into the new database.
        if FileManager.default.fileExists(atPath: path + "-wal") {
            try FileManager.default.moveItem(atPath: path + "-wal", toPath: aside + "-wal")
        }
        // Holds no data of its own: SQLite rebuilds it from the journal.
        try? FileManager.default.removeItem(atPath: path + "-shm")
        try FileManager.default.moveItem(atPath: path, toPath: aside)
        for number in existing.sorted().dropLast() {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + ".damaged-\(number)" + suffix)
            }
        }
        return aside
    }

    private func damagedNumbers() throws -> [Int] {
        let slash = path.lastIndex(of: "/")
        let directory = slash.map { String(path[...$0]) } ?? "."
        let prefix = (slash.map { String(path[path.index(after: $0)...]) } ?? path) + ".damaged-"
        return try FileManager.default.contentsOfDirectory(atPath: directory).compactMap { name in
            name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)) : nil
        }
    }
}
