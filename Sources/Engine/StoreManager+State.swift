import StoreDownloads
import StoreModel
import StoreSystem

/// The part of the engine's facade that describes the state of the whole engine.
extension StoreManager {
    /// Returns counts and sizes of the engine for metrics; the only file access is for the size of the database.
    public func metrics() async -> StoreMetrics {
        await StoreMetrics(
            downloads: downloads.figures(), database: database.metrics,
            databaseSize: StoreMetrics.size(ofDatabase: places.database), bytesReceived: transfers.bytesReceived,
            packs: library.index.count, stores: stores.count)
    }

    /// Checks that another process could open the home with the files in its configuration directory.
    ///
    /// The user may have edited them since they were read. A daemon checks them before it is replaced by another.
    ///
    /// - Throws: `settings.invalid`, `store.malformed-list`, or a file error.
    public func checkConfiguration() async throws {
        try await settings.checkFiles()
        try await stores.checkFile()
    }

    /// The current problems that do not keep the engine from working, as texts for display.
    public var warnings: [String] {
        var warnings = settings.current.warnings
        if case .rebuilt(let reason) = database.origin { warnings.append("created a new database: \(reason)") }
        return warnings + syncWarnings + [events.warning, skins.status.problem?.message].compactMap { $0 }
    }

    /// The warnings about a file system or kernel that may lose synced files; see ``SyncLimitation``.
    var syncWarnings: [String] {
        SyncLimitation.all(at: places.data).map { $0.warning(about: places.data) }
    }

    /// Whether nothing in the engine changes any more until time passes on the clock or a request is made.
    ///
    /// - Parameter waits: whether a wait with this name is under way on the clock that was passed to `open`.
    public func isIdle(_ waits: @Sendable (_ who: String) -> Bool) async -> Bool {
        guard locks.areFree, await publisher.isIdle else { return false }
        return await downloads.isAtRest(waits)
    }
}
