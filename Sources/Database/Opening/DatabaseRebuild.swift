import FoundationEssentials
import GRDB
import StoreModel
import StoreSystem

/// Replaces a damaged database file by a new one that contains the rows which can still be read.
///
/// An interruption at any point loses none of these rows:
///
/// 1. The new database is built and synced under the suffix `.rebuilding`; the damaged file and its journals are only
///    read. A start that finds such a file removes it, and begins again.
/// 2. The new file is renamed to the suffix `.rebuilt`, which marks it as complete. A start that finds such a file
///    continues here.
/// 3. The journals of the damaged file and then the file itself are renamed to the suffix `.damaged-N`. SQLite would
///    replay a journal that is left into the new database.
/// 4. The new file gets the database's name.
///
/// The methods block.
struct DatabaseRebuild {
    private static let incomplete = ".rebuilding"
    private static let complete = ".rebuilt"
    private static let damaged = ".damaged-"
    /// The suffixes of the files in which SQLite keeps changes that are not in the database file yet.
    private static let journals = ["-wal", "-journal"]
    private static let keptCount = 2

    private let database: DatabaseFile
    /// The directory of the database.
    let directory: Directory
    /// The name of the database file in ``directory``.
    let name: String

    init(of database: DatabaseFile, in directory: Directory) {
        self.database = database
        self.directory = directory
        name = FilePaths.split(database.path).name
    }

    /// Completes a rebuild that was interrupted after its new database was complete, and removes an incomplete one.
    func completeInterrupted() throws {
        if try directory.status(of: name + Self.incomplete) != nil { try directory.remove(name + Self.incomplete) }
        if try directory.status(of: name + Self.complete) != nil { _ = try replace() }
    }

    /// Replaces the damaged file.
    ///
    /// - Parameter error: what is wrong with the file.
    /// - Returns: a text for display: what was wrong, what was recovered, and where the old file is.
    /// - Throws: where the damaged file can't be read for another reason than its damage, or the new one can't be
    ///   written. Nothing was replaced then, unless the new database is complete; the next start tries again.
    func run(because error: any Error) throws -> String {
        let recovered = try DamagedDatabaseReader(database)
        do {
            try build(from: recovered)
        } catch {
            try? directory.remove(name + Self.incomplete)
            throw error
        }
        try directory.rename(name + Self.incomplete, to: directory, as: name + Self.complete, replacing: true)
        try directory.sync()
        let aside = try replace()
        let reason = (error as? GRDB.DatabaseError)?.message ?? "\(error)"
        return """
            The database '\(database.path)' was damaged (\(reason)) and was rebuilt; \(recovered.summary). \
            The old one is kept as '\(directory.path(of: aside))'.
            """
    }

    /// The text for display about a rebuild of an earlier start that was interrupted.
    func interruptedReason() throws -> String {
        let newest = try damagedNumbers().max().map { Self.damaged + "\($0)" }
        return "The database '\(database.path)' was damaged and was rebuilt."
            + (newest.map { " The old one is kept as '\(directory.path(of: name + $0))'." } ?? "")
    }

    private func build(from recovered: DamagedDatabaseReader) throws {
        let file = try directory.createFile(name + Self.incomplete, mode: 0o600)
        let queue = try database.queue(suffix: Self.incomplete, readonly: false) { database in
            // An interrupted build is discarded, so that it needs neither a journal on the disk nor a sync of each
            // transaction.
            try database.execute(sql: "PRAGMA journal_mode = MEMORY")
            try database.execute(sql: "PRAGMA synchronous = OFF")
            try PendingRestoration.afterRebuild.write(to: database)
        }
        try database.createTables(in: queue)
        try queue.writeWithoutTransaction { [path = database.path] database in
            try database.mappingFailedAccess(path) {
                try database.inTransaction(.immediate) {
                    try recovered.apply(to: database)
                    return .commit
                }
            }
        }
        try queue.close()
        try file.sync()
    }

    /// Moves the damaged file and its journals aside, and gives the complete new file the name of the database.
    ///
    /// - Returns: the new name of the damaged file.
    private func replace() throws -> String {
        let newest = try damagedNumbers().max() ?? 0
        // Where the file itself is gone, an interrupted start has moved it, so what is left belongs to its number.
        let isMoved = try directory.status(of: name) == nil
        let aside = name + Self.damaged + "\(isMoved ? max(newest, 1) : newest + 1)"
        // The file is renamed last, because the number is chosen by it.
        for suffix in Self.journals + [""] {
            guard try directory.status(of: name + suffix) != nil else { continue }
            try directory.rename(name + suffix, to: directory, as: aside + suffix, replacing: true)
        }
        // Holds no data of its own: SQLite rebuilds it from the journal.
        if try directory.status(of: name + "-shm") != nil { try directory.remove(name + "-shm") }
        // No journal may be left when the new database has its name.
        try directory.sync()
        try directory.rename(name + Self.complete, to: directory, as: name, replacing: true)
        try directory.sync()
        removeOld()
        return aside
    }

    /// Removes all but the newest damaged files; one that can't be removed is tried again by the next rebuild.
    private func removeOld() {
        guard let numbers = try? damagedNumbers() else { return }
        for number in numbers.sorted().dropLast(Self.keptCount) {
            for suffix in Self.journals + [""] {
                try? directory.remove(name + Self.damaged + "\(number)" + suffix)
            }
        }
    }

    private func damagedNumbers() throws(StoreError) -> [Int] {
        let prefix = name + Self.damaged
        var numbers: [Int] = []
        for entry in try directory.entries() where entry.name.hasPrefix(prefix) {
            if let number = Int(entry.name.dropFirst(prefix.count)) { numbers.append(number) }
        }
        return numbers
    }
}
