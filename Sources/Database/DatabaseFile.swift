import FoundationEssentials
import GRDB
import StoreModel

/// Opens the file, and where it is damaged puts a new one in its place. Blocks.
struct DatabaseFile {
    let path: String
    /// Where the path is too long for SQLite. To be kept as long as the database is open.
    let folder: LongPathDirectory?

    init(path: String) {
        self.path = path
        folder = LongPathDirectory(holding: path)
    }

    private var name: String { folder?.name(of: path) ?? path }

    func open() throws -> (DatabaseQueue, LibraryDatabase.Origin) {
        let existed = try hasContent()
        do {
            if existed { try inspect() }
            return (try connect(), existed ? .existing : .created)
        } catch let error where existed && DatabaseError.meansDamage(error) {
            return try rebuild(because: error)
        }
    }

    /// A database in which nothing was ever written is the same as none.
    private func hasContent() throws -> Bool {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return false }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw DatabaseError(
                .databaseDenied, "'\(path)' is not a file. Move it away, so that the database can lie there.")
        }
        return (attributes[.size] as? UInt64 ?? 0) > 0
    }

    /// Looks without writing, so that a newer version finds its file as it left it.
    private func inspect() throws {
        do {
            try inspect(readonly: true)
        } catch let error as GRDB.DatabaseError where error.resultCode == .SQLITE_READONLY {
            // A crash came in the midst of the very first transaction, before there was a write-ahead log. Nobody can
            // read the file before that is taken back, which takes writing.
            try inspect(readonly: false)
        }
    }

    private func inspect(readonly: Bool) throws {
        let queue = try queue(readonly: readonly) { database in
            // The first look at the file, which GRDB would make itself; but of a connection that it then gives up
            // nobody can ask the reason.
            try database.execute(sql: "SELECT 1 FROM sqlite_schema LIMIT 0")
        }
        let unknown = try queue.read { [path] database in
            try database.namingSpace(path) {
                let finding = try String.fetchOne(database, sql: "PRAGMA quick_check(1)") ?? "it has no content"
                if finding != "ok" { throw Self.damage(finding) }
                return try Schema.migrator.appliedIdentifiers(database).subtracting(Schema.migrator.migrations)
            }
        }
        try queue.close()
        // Steps are `v` and a number. What is anything else was not written by any version.
        if let odd = unknown.first(where: { $0.first != "v" || Int($0.dropFirst()) == nil }) {
            throw Self.damage("it lists a migration '\(odd)'")
        }
        if !unknown.isEmpty {
            throw DatabaseError(
                .databaseNewer,
                """
                The database '\(path)' was made by a newer version of this program. \
                Upgrade, or use another home (--home).
                """)
        }
    }

    private static func damage(_ finding: String) -> GRDB.DatabaseError {
        GRDB.DatabaseError(resultCode: .SQLITE_CORRUPT, message: finding)
    }

    private func connect() throws -> DatabaseQueue {
        let queue = try queue(readonly: false) { database in
            // Not by GRDB's own setting, which also writes a table and takes it away again at each start, and takes the
            // milder NORMAL, with which a power cut may take back what was committed.
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA journal_size_limit = \(4 << 20)")
        }
        do {
            try Schema.migrator.migrate(queue)
            // The list of migrations is a promise; this asks for the tables themselves.
            try queue.read { try $0.execute(sql: "SELECT 1 FROM operations, purchases, packs, sequence LIMIT 0") }
        } catch {
            try queue.writeWithoutTransaction { [path] in try $0.namingSpace(path) { throw error } }
        }
        return queue
    }

    /// - Parameter prepare: the first to see the connection.
    private func queue(
        readonly: Bool, _ prepare: @escaping @Sendable (GRDB.Database) throws -> Void
    ) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.busyMode = .timeout(5)
        configuration.foreignKeysEnabled = false
        configuration.label = "storectl.database"
        configuration.prepareDatabase { [path] database in try database.namingSpace(path) { try prepare(database) } }
        return try DatabaseQueue(path: name, configuration: configuration)
    }

    // MARK: A damaged file

    private func rebuild(because error: any Error) throws -> (DatabaseQueue, LibraryDatabase.Origin) {
        let aside = try moveAside()
        let salvage = Salvage(path: folder?.name(of: aside) ?? aside)
        let queue = try connect()
        try queue.write(salvage.apply)
        let reason = (error as? GRDB.DatabaseError)?.message ?? "\(error)"
        return (
            queue,
            .rebuilt(
                reason: """
                    The database '\(path)' was damaged (\(reason)) and was built anew; \(salvage.summary). \
                    The old one is kept as '\(aside)'.
                    """)
        )
    }

    /// Gives the file the name `….damaged-N`, N one more than any before, and keeps only the newest two.
    private func moveAside() throws -> String {
        let before = try damagedNumbers()
        let aside = path + ".damaged-\((before.max() ?? 0) + 1)"
        // The journal first: were only the database moved when the power goes, the next start would read the old
        // journal into the new database.
        if FileManager.default.fileExists(atPath: path + "-wal") {
            try FileManager.default.moveItem(atPath: path + "-wal", toPath: aside + "-wal")
        }
        // Holds nothing of its own: SQLite makes it from the journal.
        try? FileManager.default.removeItem(atPath: path + "-shm")
        try FileManager.default.moveItem(atPath: path, toPath: aside)
        for number in before.sorted().dropLast() {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + ".damaged-\(number)" + suffix)
            }
        }
        return aside
    }

    private func damagedNumbers() throws -> [Int] {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? "."
        let prefix = (slash.map { String(path[path.index(after: $0)...]) } ?? path) + ".damaged-"
        return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { name in
            name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count)) : nil
        }
    }
}
