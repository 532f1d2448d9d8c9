import Logging
import StoreDatabase
import StoreLibrary
import StoreModel
import Synchronization

/// The packs that are installed according to the history, and whose directory is missing.
///
/// Something else than the program removed it, such as a cleaning script or an incomplete restoration of a backup.
final class MissingPacks: Sendable {
    private let database: LibraryDatabase
    private let library: Library
    private let log: Logger

    private struct State {
        /// The packs that were found missing when the library had this number of changes; `nil` before the first search.
        var found: (changes: Int, packs: [MissingPack])?
        /// The identifiers of the products whose missing packs were logged.
        var logged: Set<String> = []
    }
    private let state = Mutex(State())

    init(database: LibraryDatabase, library: Library, log: Logger) {
        self.database = database
        self.library = library
        self.log = log
    }

    /// Returns the missing packs, and logs each of them once.
    ///
    /// The history is read again only if the library has changed.
    ///
    /// - Parameters:
    ///   - packs: the packs of the library.
    ///   - changes: the number of changes of the library when it had these packs.
    /// - Returns: `nil` if the library has changed since: a pack that was installed meanwhile would seem to be missing.
    /// - Throws: a database error; a file error if the library can't be read.
    func find(besides packs: [LibraryPack], changes: Int) async throws -> [MissingPack]? {
        if let found = state.withLock({ $0.found }), found.changes == changes { return found.packs }
        let present = Set(packs.map(\.productIdentifier))
        let missing = try await database.installingOperations { !present.contains($0) }.map {
            MissingPack(
                productIdentifier: $0.productIdentifier, store: $0.store, version: $0.version, operation: $0.operation)
        }
        if !missing.isEmpty, try await library.counted().changes != changes { return nil }
        let new = state.withLock { state in
            state.found = (changes, missing)
            defer { state.logged = Set(missing.map(\.productIdentifier)) }
            return missing.filter { !state.logged.contains($0.productIdentifier) }
        }
        for pack in new { log.warning("\(pack.warning)", metadata: ["product": "\(pack.productIdentifier)"]) }
        return missing
    }

    /// Records that the history has changed while the library has not.
    func historyDidChange() { state.withLock { $0.found = nil } }
}
