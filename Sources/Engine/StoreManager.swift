public import Logging
import StoreArchives
import StoreDatabase
public import StoreDownloads
public import StoreEvents
public import StoreLibrary
public import StoreModel
public import StoreSettings
public import StoreSkins
public import StoreStickers
import StoreSystem
public import StoreTransfers
import Synchronization

/// The engine of the store for one home: opens all parts, connects them, and closes them.
///
/// A home is the set of directories that one daemon works on (see ``HomePaths``). Each part is a property with methods
/// and private state of its own. All errors conform to ``CodedError``.
///
/// ```swift
/// let manager = try await StoreManager.open(places: places, log: Logger(label: "example"))
/// _ = try await manager.stores.add(name: "example", url: url, unsigned: true, priority: 0)
/// let installation = try await manager.installs.install("org.example.cups", store: nil)
/// if let download = installation.download { print("operation", download.operation) }
/// for try await packs in manager.observers.packs() {
///     print(packs.map(\.name))
///     if packs.contains(where: { $0.productIdentifier == "org.example.cups" }) { break }
/// }
/// await manager.close()
/// ```
public final class StoreManager: Sendable {
    /// The paths of the directories of the home that the engine works on.
    public let places: HomePaths
    /// The part of the engine that holds its settings; they are changed by ``set(_:to:)``.
    public let settings: SettingsManager
    /// The part of the engine that manages the stores which the user added.
    public let stores: StoreRegistry
    /// The part of the engine that searches and describes the products that the stores offer.
    public let products: ProductCatalogue
    /// The part of the engine that starts installations of products.
    public let installs: Installer
    /// The part of the engine that runs downloads, and lists those that ended last.
    public let downloads: DownloadsManager
    /// The part of the engine that finds and installs newer versions of packs.
    public let updates: Updater
    /// The part of the engine that lists, removes and verifies installed packs.
    public let packs: PacksManager
    /// The part of the engine with the list of products that the user purchased.
    public let purchases: Purchases
    /// The part of the engine with the records of operations, such as past installations.
    public let history: OperationHistory
    /// The part of the engine that lists the installed sticker packs with their stickers.
    public let stickers: StickersManager
    /// The part of the engine that lists the available skins and applies the skin in use.
    public let skins: SkinsManager
    /// The bus on which all parts of the engine publish their events.
    public let events: EventBus
    /// The part of the engine for observing its state: snapshots, observers and sequences of changes.
    public let observers: StateObservers

    private let database: LibraryDatabase
    private let library: Library
    private let transfers: any Transferring
    private let locks: ProductLocks
    private let trash: TrashCollector
    private let skinEvents: SkinEvents
    private let log: Logger
    private let isClosed = Atomic(false)

    /// Opens the engine for one home, completes operations that a crash interrupted, and resumes queued downloads.
    ///
    /// A home is the set of directories that one daemon works on. The caller has exclusive access to the directories:
    /// two managers on one home would destroy each other's work. Queued downloads may still be restored in the
    /// background when this returns.
    ///
    /// - Parameters:
    ///   - environment: the environment of the process, in which settings are looked up.
    ///   - overrides: the settings of the program's arguments.
    ///   - kinds: the kinds of content; by default ``ContentKinds/builtIn(_:skins:)``.
    ///   - clock: the clock of all parts.
    ///   - transfers: the source of bytes; by default the network, within the limits of the settings.
    ///   - network: the source of notifications of network changes.
    /// - Throws: `home.unusable`, `settings.invalid`, `store.malformed-list`, `database.newer`, or a file error.
    public static func open(
        places: HomePaths, environment: [String: String] = [:], overrides: [SettingKey: String] = [:],
        kinds: (@Sendable (Settings, SkinsManager) -> ContentKinds)? = nil, clock: TimeSource = .system,
        transfers: (any Transferring)? = nil, network: NetworkSource = .system, log: Logger
    ) async throws -> StoreManager {
        let settings = try await SettingsManager(places, environment: environment, overrides: overrides)
        let current = settings.current
        let directories = try HomeDirectories(places)
        settings.removeLeftovers(in: directories.config)
        let transfers = try transfers ?? TransferEngine(configuration: TransferConfiguration(current))
        transfers.setLimits(BandwidthLimits(current))
        let database = try await LibraryDatabase(path: places.database, now: clock.date())
        let events = try await EventBus(directory: directories.data, log: log, clock: clock) { count in
            try await database.reserveSequence(count)
        }
        let credentials = StoreCredentials(directory: directories.config, environment: environment)
        let addresses = StoreAddresses(settings: settings)
        let stores = try StoreRegistry(
            directories, credentials: credentials, addresses: addresses, transfers: transfers, settings: settings,
            events: events, clock: clock)
        let skins = SkinsManager(SkinsManager.Settings(current, places))
        let kinds = (kinds ?? { .builtIn($0, skins: $1) })(current, skins)
        let library = try await Library.open(data: places.data, kinds: kinds, index: try await database.index())
        let downloads = DownloadsManager(
            database: database, library: library, transfers: transfers, unpacking: Unpacker(),
            partial: directories.partial, archives: directories.archives, settings: DownloadSettings(current),
            network: network, clock: clock, events: events, log: log,
            authorization: { credentials.authorization(for: $0, at: $1) },
            addresses: { addresses.policy(for: $0, at: $1) })
        let purchases = Purchases(database: database, clock: clock)
        let lister = PackLister(
            library: library, kinds: kinds, downloads: downloads, purchases: purchases, stores: stores)
        let installer = Installer(
            downloads: downloads, library: library, stores: stores, purchases: purchases,
            history: OperationHistory(database: database, clock: clock, log: log), packs: lister, kinds: kinds,
            locks: ProductLocks(), settings: settings, clock: clock)
        let manager = StoreManager(
            places, installer, credentials: credentials, addresses: addresses, database: database, transfers: transfers,
            skins: skins,
            announced: AnnouncedUpdates(directory: directories.data), events: events, log: log)
        do {
            try await manager.start()
        } catch {
            // The caller may try again, and two engines must not work on one home.
            await manager.close()
            throw error
        }
        return manager
    }

    private init(
        _ places: HomePaths, _ installer: Installer, credentials: StoreCredentials, addresses: StoreAddresses,
        database: LibraryDatabase, transfers: any Transferring, skins: SkinsManager, announced: AnnouncedUpdates,
        events: EventBus, log: Logger
    ) {
        self.places = places
        self.database = database
        self.transfers = transfers
        self.skins = skins
        self.events = events
        self.log = log
        (settings, stores, downloads) = (installer.settings, installer.stores, installer.downloads)
        (installs, purchases, history) = (installer, installer.purchases, installer.history)
        (library, locks) = (installer.library, installer.locks)
        trash = TrashCollector(library: library, database: database)
        packs = PacksManager(installer: installer, skins: skins, trash: trash, events: events, log: log)
        updates = Updater(
            installer: installer, addresses: addresses, transfers: transfers, announced: announced, events: events,
            log: log)
        products = ProductCatalogue(
            stores: stores, packs: installer.packs, credentials: credentials, addresses: addresses,
            transfers: transfers, settings: settings)
        stickers = StickersManager(library: library)
        skinEvents = SkinEvents(skins: skins, events: events)
        observers = StateObservers(
            events: events, downloads: downloads, packs: installer.packs, skins: skins, stickers: stickers)
    }

    private func start() async throws {
        for warning in settings.current.warnings { log.warning("\(warning)") }
        for failure in await stores.start() { log.warning("\(failure)") }
        if case .rebuilt(let reason) = database.origin { log.warning("created a new database: \(reason)") }
        if database.origin != .existing {
            try await purchases.restore(from: library.all())
            try await database.completeRestoration()
        }
        await downloads.observeInstalls { [packs] pack, _ in await packs.didInstall(pack) }
        let running = try await database.runningOperations().map(\.record)
        try await EventRecovery(events: events, history: history, library: library, stores: stores)
            .run(running: running)
        await library.expirePrevious(olderThan: settings.current.libraryKeepPrevious.seconds)
        trash.empty()
        if let problem = await skins.start().problem { log.warning("\(problem.message)") }
        for (path, reason) in skins.unreadable { log.warning("'\(path)' is no skin: \(reason.message)") }
        skinEvents.start()
        try await downloads.resume()
    }

    /// Closes all parts of the engine: suspends the downloads, and ends the observers' sequences.
    ///
    /// The next start resumes the downloads.
    public func close() async {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return }
        await downloads.close()
        await events.close()
        await transfers.shutdown()
        await skinEvents.stop()
        await trash.stop()
        do {
            try await database.keep(await library.index)
            try await database.close()
        } catch {
            log.error("could not close the database: \(error)")
        }
    }

    /// Changes a setting in the user's file, and applies it to the parts that support changes while they run.
    ///
    /// - Throws: `settings.unknown-key`, `settings.invalid`, or a file error.
    public func set(_ key: SettingKey, to text: String) async throws -> Settings {
        let new = try await settings.write(key, text)
        await downloads.apply(DownloadSettings(new))
        transfers.setLimits(BandwidthLimits(new))
        try await stores.applySettings()
        return new
    }

    // MARK: State of the whole

    /// Returns counts and sizes of the engine for metrics; the only file access is for the size of the database.
    public func metrics() async -> StoreMetrics {
        await StoreMetrics(
            downloads: downloads.figures(), database: database.metrics,
            databaseSize: StoreMetrics.size(ofDatabase: places.database), bytesReceived: transfers.bytesReceived,
            packs: library.index.count, stores: stores.count)
    }

    /// The current problems that do not keep the engine from working, as texts for display.
    public var warnings: [String] {
        var warnings = settings.current.warnings
        if case .rebuilt(let reason) = database.origin { warnings.append("created a new database: \(reason)") }
        return warnings + [events.warning].compactMap { $0 }
    }

    /// Whether nothing in the engine changes any more until time passes on the clock or a request is made.
    ///
    /// - Parameter waits: whether a wait with this name is under way on the clock that was passed to `open`.
    public func isIdle(_ waits: @Sendable (_ who: String) -> Bool) async -> Bool {
        guard locks.areFree else { return false }
        return await downloads.isAtRest(waits)
    }
}
