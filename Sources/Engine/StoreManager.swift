import FoundationEssentials
public import Logging
import StoreArchives
import StoreCatalogue
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

/// The one door to a home: its stores, its library, and what is under way. It wires the parts below together and
/// decides; each part does its own work.
///
/// Every error that it throws is a ``CodedError``.
public actor StoreManager {
    public nonisolated let places: HomePaths
    /// What happens, for observers.
    public nonisolated let events: EventBus
    public nonisolated let stickers: StickersManager
    public nonisolated let skins: SkinsManager
    nonisolated let observers = ObserverRegistry()
    let library: Library
    let downloads: DownloadsManager
    let database: LibraryDatabase
    let transfers: any Transferring
    let clock: TimeSource
    let kinds: ContentKinds
    let credentials: StoreCredentials
    let log: Logger
    private let environment: [String: String]
    private let overrides: [SettingKey: String]
    private let configFolder: Directory
    private let catalogues: Directory
    let updateNews: UpdateNews
    var settings: Settings
    var stores: [StoreCatalogue]
    /// Products that an operation other than a download works on now.
    var busy: Set<String> = []
    /// Products for which a download is being begun, and what those need, and for how many callers: it does not run yet,
    /// and nothing else may begin any more.
    var beginning: [String: Int] = [:]
    /// The damage that observers were told of, by product.
    var toldDamages: [String: [PackDamage]] = [:]
    private var trashWork: Task<Void, Never>?
    /// Tells observers of each change of the skin in use.
    private var skinNews: Task<Void, Never>?
    /// Whether `trashWork` has not begun to look yet.
    private var isTrashWorkDue = false
    private var hasClosed = false

    /// Opens a home: finishes or undoes what a crash left, and goes on with what was queued, which may come back while
    /// it is used already.
    ///
    /// Whoever calls it owns the home; two that work on one at a time would undo each other's work.
    ///
    /// - Parameters:
    ///   - environment: of the process, in which settings are looked for when they are read again.
    ///   - overrides: settings that arguments of the program give.
    ///   - kinds: the kinds of content; by default those that this program knows.
    ///   - clock: what tells the time.
    ///   - transfers: what brings bytes; by default the network does, within the limits of the settings.
    ///   - network: where it is heard of that the machine's network changed.
    /// - Throws: `home.unusable`, `settings.invalid`, `store.malformed-list`, `database.newer`, or what the disk says.
    public static func open(
        places: HomePaths, environment: [String: String] = [:], overrides: [SettingKey: String] = [:],
        kinds: (@Sendable (Settings, SkinsManager) -> ContentKinds)? = nil, clock: TimeSource = .system,
        transfers: (any Transferring)? = nil, network: NetworkSource = .system, log: Logger
    ) async throws -> StoreManager {
        let settings = try await Settings.load(places: places, environment: environment, overrides: overrides)
        let folders = try HomeDirectories(places)
        let transfers = try transfers ?? TransferEngine(configuration: TransferConfiguration(settings))
        transfers.setLimits(BandwidthLimits(settings))
        let credentials = StoreCredentials(folder: folders.config, environment: environment)
        let stores = try StoreConfigurationFile(folder: folders.config).read().map { definition in
            try StoreCatalogue(
                definition, caches: folders.catalogues, transfers: transfers, credentials: credentials,
                settings: settings, clock: clock)
        }
        // To read the catalogues takes as long as the library, and the first request for a list needs both.
        for store in stores { Task { await store.cached() } }
        let database = try await LibraryDatabase(path: places.database, now: clock.date())
        let skins = SkinsManager(SkinsManager.Settings(settings, places))
        let kinds = (kinds ?? { .builtIn($0, skins: $1) })(settings, skins)
        let library = try await Library.open(data: places.data, kinds: kinds, index: try await database.index())
        let events = try await EventBus(directory: folders.data, log: log, clock: clock) { count in
            try await database.reserveSequence(count)
        }
        let downloads = DownloadsManager(
            database: database, library: library, transfers: transfers, unpacking: Unpacker(),
            partial: folders.partial, archives: folders.archives, settings: DownloadSettings(settings),
            network: network, clock: clock, events: events, log: log
        ) { credentials.authorization(for: $0, at: $1) }
        let manager = StoreManager(
            places: places, environment: environment, overrides: overrides, settings: settings, folders: folders,
            database: database, library: library, events: events, transfers: transfers, downloads: downloads,
            kinds: kinds, skins: skins, stores: stores, credentials: credentials, clock: clock, log: log)
        try await manager.begin()
        return manager
    }

    private init(
        places: HomePaths, environment: [String: String], overrides: [SettingKey: String], settings: Settings,
        folders: HomeDirectories, database: LibraryDatabase, library: Library, events: EventBus,
        transfers: any Transferring, downloads: DownloadsManager, kinds: ContentKinds, skins: SkinsManager,
        stores: [StoreCatalogue], credentials: StoreCredentials, clock: TimeSource, log: Logger
    ) {
        self.places = places
        self.environment = environment
        self.overrides = overrides
        self.settings = settings
        configFolder = folders.config
        catalogues = folders.catalogues
        updateNews = UpdateNews(folder: folders.data)
        self.database = database
        self.library = library
        self.events = events
        self.transfers = transfers
        self.downloads = downloads
        self.kinds = kinds
        self.skins = skins
        self.stores = stores
        self.credentials = credentials
        self.clock = clock
        self.log = log
        stickers = StickersManager(library: library)
    }

    private func begin() async throws {
        for warning in settings.warnings { log.warning("\(warning)") }
        for store in stores {
            // The store is asked without, and answers that it may not be; what is installed works all the same.
            do { try credentials.use(store.definition) } catch { log.warning("\(error)") }
        }
        clearUp()
        if case .rebuilt(let reason) = database.origin {
            log.warning("The database was made anew. \(reason)")
        }
        if database.origin != .existing { try await regainPurchases() }
        await downloads.observeInstalls { [weak self] pack, _ in await self?.installed(pack) }
        let running = try await database.runningOperations().map(\.record)
        try await tellWhatWasNotTold(settled: settle(interrupted: running), running: Set(running.map(\.operation)))
        await library.expirePrevious(olderThan: settings.libraryKeepPrevious.seconds)
        emptyTrash()
        await beginSkins()
        try await downloads.resume()
    }

    /// Stops what runs without an end, so that the next start goes on with it, and ends the observers' sequences.
    public func close() async {
        guard !hasClosed else { return }
        hasClosed = true
        await downloads.close()
        await events.close()
        await transfers.shutdown()
        skinNews?.cancel()
        await skinNews?.value
        trashWork?.cancel()
        await trashWork?.value
        do {
            let index = await library.index
            try await database.keep(index)
            try await database.close()
        } catch {
            log.error("The database could not be closed: \(error)")
        }
    }

    // MARK: Shared by the topics

    func makeStore(_ definition: StoreConfiguration) throws -> StoreCatalogue {
        try StoreCatalogue(
            definition, caches: catalogues, transfers: transfers, credentials: credentials, settings: settings,
            clock: clock)
    }

    func saveStores() throws {
        try StoreConfigurationFile(folder: configFolder).write(stores.map(\.definition))
    }

    /// Removes what was being written when the daemon ended, but for the library's part. Whatever of it can't be removed
    /// now does no harm.
    private func clearUp() {
        // Beside these a user may have other files.
        for name in [
            StoreConfigurationFile.name, StoreCredentials.fileName,
            places.userSettings.split(separator: "/").last.map(String.init) ?? "",
        ] {
            try? configFolder.removeReplacement(of: name)
        }
        for entry in (try? catalogues.entries()) ?? [] {
            if stores.contains(where: { $0.definition.name == entry.name }) {
                try? catalogues.openDirectory(entry.name).removeReplacements()
            } else {
                // Of a store that was being added, or removed.
                try? catalogues.removeTree(entry.name)
            }
        }
    }

    func forgetCatalogue(of store: String) {
        try? catalogues.removeTree(store)
    }

    /// Gives back the space of what was removed, while others go on.
    func emptyTrash() {
        // One that has not begun will find this, too.
        guard !isTrashWorkDue else { return }
        isTrashWorkDue = true
        let before = trashWork
        trashWork = Task { [weak self, library] in
            await withTaskCancellationHandler {
                await before?.value
            } onCancel: {
                before?.cancel()
            }
            // Who asked for it gets the answer first: this work keeps every processor busy.
            try? await Task.sleep(for: .milliseconds(5))
            await self?.trashWorkBegins()
            if !Task.isCancelled { await library.emptyTrash() }
        }
    }

    /// Applies the skin that was chosen, or whatever can stand in for it, and tells of every change from then on.
    private func beginSkins() async {
        let status = await skins.start()
        if let problem = status.problem { log.warning("\(problem.message)") }
        for (path, reason) in skins.unreadable { log.warning("'\(path)' is no skin: \(reason.message)") }
        let (skins, events) = (skins, events)
        var (shown, changes) = (skins.skin, skins.changes.makeAsyncIterator())
        skinNews = Task {
            while let change = await changes.next() {
                let what = StoreManager.difference(from: shown, to: change.skin, of: skins)
                events.publish(.skin(SkinUse(change.skin, change.status), change: what))
                shown = change.skin
            }
        }
    }

    private func trashWorkBegins() { isTrashWorkDue = false }

    private func installed(_ pack: LibraryPack) async {
        toldDamages[pack.productIdentifier] = nil
        if settings.libraryKeepPrevious == .zero { await library.expirePrevious(olderThan: 0) }
        emptyTrash()
        await kinds[pack.kind]?.didInstall(pack.productIdentifier)
    }

    // MARK: Settings

    /// All settings with their values and where those come from.
    public func currentSettings() -> Settings { settings }

    /// Sets one in the user's file. What a running daemon can take at once counts at once.
    ///
    /// - Throws: `settings.unknown-key`, `settings.invalid`.
    public func set(_ key: SettingKey, to text: String) async throws -> Settings {
        _ = try await SettingsFile(path: places.userSettings).set(key, to: text)
        settings = try await Settings.load(places: places, environment: environment, overrides: overrides)
        await downloads.apply(DownloadSettings(settings))
        transfers.setLimits(BandwidthLimits(settings))
        stores = try stores.map { try makeStore($0.definition) }
        return settings
    }
}
