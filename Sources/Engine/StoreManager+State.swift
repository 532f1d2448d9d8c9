import StoreDownloads
import StoreModel
import StoreSystem

/// The part of the engine's facade that describes the state of the whole engine.
extension StoreManager {
    /// Returns counts and sizes of the engine for metrics; the only file access is for the size of the database.
    public func metrics() async -> StoreMetrics {
        await StoreMetrics(
            downloads: downloads.metrics(), database: database.metrics,
            databaseSize: StoreMetrics.size(ofDatabase: places.database), bytesReceived: transfers.bytesReceived,
            packs: library.index.count, stores: stores.count)
    }

    /// The queue for reading the sizes of files.
    private static let diskUseWork = BlockingWork(label: "engine.disk-use", concurrent: true)

    /// Returns how much space the files of the home take, by reading the sizes of all files in its cache.
    ///
    /// - Throws: a file error.
    public func diskUse() async throws -> DiskUse {
        let packs = try await library.all().map(\.size).checkedSum ?? .max
        let (places, library) = (places, library)
        return try await Self.diskUseWork.run {
            func size(_ paths: String...) -> Int { paths.map(DirectorySize.bytes(in:)).checkedSum ?? .max }
            return DiskUse(
                packs: packs, previousVersions: size(places.previous), trash: size(places.trash),
                archives: size(places.archives, places.partial),
                pictures: size(places.images, places.thumbnails, places.skins, places.stickers),
                catalogues: size(places.catalogues),
                database: StoreMetrics.size(ofDatabase: places.database),
                other: size(places.staging, places.trust, places.imports),
                freeSpace: try? library.freeSpace())
        }
    }

    /// Checks that another process could open the home with its directories and configuration files.
    ///
    /// The user may have changed them since they were opened. A daemon checks them before it is replaced by another.
    ///
    /// - Throws: `settings.invalid`, `store.malformed-list`, `home.foreign`, `home.open`, `home.unwritable`, or a file
    ///   error.
    public func checkConfiguration() async throws {
        try PrivateDirectory.check(places)
        try await settings.checkFiles()
        try await stores.checkFile()
    }

    /// The current problems that do not keep the engine from working, as texts for display.
    public func warnings() async -> [String] {
        var warnings = settings.current.warnings
        warnings += notices.texts
        warnings += ((try? await installs.packs.missingPacks()) ?? []).map(\.warning)
        let skin = skins.status.problem.map { problem in problem.message + (problem.hint.map { "; \($0)" } ?? "") }
        return warnings + syncWarnings + [events.warning, skin].compactMap { $0 }
    }

    /// The message that the database was lost, and what can't be restored from the packs; `nil` if it was not.
    var lossOfDatabase: String? {
        get async throws {
            switch database.origin {
            case .existing: return nil
            case .rebuilt(let reason): return EnglishText.filled("created a new database: {reason}", ["reason": reason])
            case .created:
                // A new home has neither a database nor packs.
                guard try await library.all().contains(where: { $0.origin != nil }) else { return nil }
                return EnglishText.filled(
                    "the database '{path}' was missing and was created again; the history, queued downloads and the "
                        + "purchases of products that were free when they were installed, or are not installed, can "
                        + "only be restored from a backup", ["path": places.database])
            }
        }
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
        return await downloads.isQuiescent(waits)
    }
}
