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
        /// The number of calls of ``MissingPacks/historyDidChange()``.
        var historyChanges = 0
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
    /// - Throws: a database error; a file error if the library can't be read.
    func find(besides packs: [LibraryPack], changes: Int) async throws -> [MissingPack] {
        let (found, historyChanges) = state.withLock { ($0.found, $0.historyChanges) }
        if let found, found.changes == changes { return found.packs }
        let present = Set(packs.map(\.productIdentifier))
        var missing = try await missing { !present.contains($0) }
        if !missing.isEmpty, try await library.counted().changes != changes {
            // The library has changed since, so that the history may be ahead of the packs. A pack is missing if it is not in
            // the library now, and if after that the history still says that it was installed.
            var absent: Set<String> = []
            for pack in missing where try await library.pack(of: pack.productIdentifier) == nil {
                absent.insert(pack.productIdentifier)
            }
            missing = try await self.missing { [absent] in absent.contains($0) }
        }
        let new = state.withLock { state in
            if state.historyChanges == historyChanges { state.found = (changes, missing) }
            defer { state.logged = Set(missing.map(\.productIdentifier)) }
            return missing.filter { !state.logged.contains($0.productIdentifier) }
        }
        for pack in new { log.warning("\(pack.warning)", metadata: ["product": "\(pack.productIdentifier)"]) }
        return missing
    }

    /// Returns the packs that were installed according to the history, of those products that are not in the library.
    private func missing(
        where isAbsent: @escaping @Sendable (_ productIdentifier: String) -> Bool
    ) async throws -> [MissingPack] {
        try await database.installingOperations(where: isAbsent).map {
            MissingPack(
                productIdentifier: $0.productIdentifier, store: $0.store, version: $0.version, operation: $0.operation)
        }
    }

    /// Records that the history may have changed while the library has not.
    func historyDidChange() {
        state.withLock { state in
            state.found = nil
            state.historyChanges += 1
        }
    }
}
