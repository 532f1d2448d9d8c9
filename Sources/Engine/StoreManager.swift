public import Logging
import StoreArchives
import StoreDatabase
public import StoreDownloads
public import StoreEmoji
public import StoreEvents
import StoreImages
public import StoreLibrary
public import StoreModel
public import StoreSettings
public import StoreSkins
public import StoreStickers
public import StoreSystem
public import StoreTransfers
public import StoreWorker
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
    /// The limit of changes of settings that are written and applied at once: one.
    private let settingChanges = ConcurrencyLimit(1)
    /// Called with the effective settings when a change of them is applied.
    private let settingsObserver = Mutex<(@Sendable (Settings) -> Void)?>(nil)
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
    /// The part of the engine with the installed sticker packs, their stickers, and the user's lists of stickers.
    public let stickers: StickersManager
    /// The part of the engine that makes references to stickers for messages, and finds or fetches what they stand for.
    public let stickerReferences: StickerReferences
    /// The part of the engine that makes thumbnails of the images in packs, and contact sheets.
    public let thumbnails: ThumbnailMaker
    /// The part of the engine that imports sticker packs of other programs.
    public let imports: PackImports
    /// The part of the engine that exports sticker packs to directories of other programs.
    public let exports: PackExports
    /// The part of the engine that lists the installed emoji sets with their emoji and images.
    public let emoji: EmojiManager
    /// The part of the engine that lists the available skins and applies the skin in use.
    public let skins: SkinsManager
    /// The bus on which all parts of the engine publish their events.
    public let events: EventBus
    /// The part of the engine for observing its state: snapshots, observers and sequences of changes.
    public let observers: StateObservers

    /// The confined processes that read packs for the engine, and whether there are any.
    public let worker: WorkerService

    let database: LibraryDatabase
    let library: Library
    let transfers: any Transferring
    let locks: ProductLocks
    private let trash: TrashCollector
    private let skinEvents: SkinEvents
    let publisher: StatePublisher
    private let log: Logger
    /// The lock of the home, if this manager acquired it; `nil` if it is the caller's.
    private let ownLock: HomeLock?
    private let data: Directory
    let notices: Notices
    private let isClosed = Atomic(false)

    /// Opens the engine for one home, completes operations that a crash interrupted, and resumes queued downloads.
    ///
    /// A home is the set of directories that one process works on: two engines on one home would destroy each other's
    /// work. So the home is locked before anything in it is read, until ``close()`` has returned. Queued downloads may
    /// still be restored in the background when this returns.
    ///
    /// - Parameters:
    ///   - lock: the lock of the home, if the caller has acquired it, as a daemon does that serves clients; it remains the
    ///     caller's. `nil` locks the home for an application.
    ///   - environment: the environment of the process, in which settings are looked up.
    ///   - overrides: the settings of the program's arguments.
    ///   - kinds: the kinds of content; by default ``ContentKinds/builtIn(_:skins:emojiSet:)``.
    ///   - clock: the clock of all parts.
    ///   - transfers: the source of bytes; by default the network, within the limits of the settings.
    ///   - network: the source of notifications of network changes.
    /// - Throws: `home.inUse` if another process, or another manager of this one, works on the home; `home.unusable`,
    ///   `settings.invalid`, `store.malformed-list`, `database.newer`, or a file error.
    public static func open(
        places: HomePaths, lock: HomeLock? = nil, environment: [String: String] = [:],
        overrides: [SettingKey: String] = [:],
        kinds: (@Sendable (Settings, SkinsManager) -> ContentKinds)? = nil, clock: TimeSource = .system,
        transfers: (any Transferring)? = nil, network: NetworkSource = .system, log: Logger
    ) async throws -> StoreManager {
        let ownLock =
            try lock == nil
            ? await BlockingWork(label: "engine.home").run { try HomeLock.acquire(places, as: .application) } : nil
        do {
            return try await open(
                places, ownLock, environment: environment, overrides: overrides, kinds: kinds, clock: clock,
                transfers: transfers, network: network, log: log)
        } catch {
            ownLock?.release()
            throw error
        }
    }

    /// Opens the engine for a home that is locked.
    private static func open(
        _ places: HomePaths, _ ownLock: HomeLock?, environment: [String: String], overrides: [SettingKey: String],
        kinds: (@Sendable (Settings, SkinsManager) -> ContentKinds)?, clock: TimeSource,
        transfers: (any Transferring)?, network: NetworkSource, log: Logger
    ) async throws -> StoreManager {
        let settings = try await SettingsManager(places, environment: environment, overrides: overrides)
        let current = settings.current
        let directories = try HomeDirectories(places)
        settings.removeLeftovers(in: directories.config)
        let transfers = transfers ?? TransferEngine(configuration: TransferConfiguration(current))
        transfers.setLimits(BandwidthLimits(current))
        let skins = SkinsManager(SkinsManager.Settings(current, places))
        let kinds = (kinds ?? { .builtIn($0, skins: $1, emojiSet: { settings.current.emojiSet }) })(current, skins)
        let database = try await LibraryDatabase(path: places.database, now: clock.date())
        // Concurrently with reading the journal of events and the list of stores.
        async let opened = openLibrary(data: places.data, kinds: kinds, database: database)
        let events = try await EventBus(directory: directories.data, log: log, clock: clock) { count in
            try await database.reserveSequence(count)
        }
        let credentials = StoreCredentials(directory: directories.config, environment: environment)
        let addresses = StoreAddresses(settings: settings)
        let publisher = StatePublisher(events: events, log: log)
        let images = ProductImageLoader(
            cache: directories.images, transfers: transfers, credentials: credentials, addresses: addresses,
            settings: settings, clock: clock)
        let stores = try StoreRegistry(
            directories, credentials: credentials, addresses: addresses, images: images, transfers: transfers,
            settings: settings, events: events, publisher: publisher, clock: clock)
        let (library, index) = try await opened
        let worker = WorkerService(
            WorkerService.Settings(current), environment: environment, scratch: try Directory.open(places.staging))
        let thumbnails = ThumbnailMaker(
            cache: directories.thumbnails,
            service: WorkerService(
                WorkerService.Settings(thumbnails: current), name: WorkerService.pictureProgramName,
                environment: environment),
            settings: settings, clock: clock, log: log)
        let downloads = DownloadsManager(
            database: database, library: library, transfers: transfers, unpacking: ConfinedUnpacker(worker),
            checking: ConfinedContentChecker(worker, current),
            partial: directories.partial, archives: directories.archives, settings: DownloadSettings(current),
            network: network, clock: clock, events: events, log: log,
            authorization: { credentials.authorization(for: $0, at: $1) },
            addresses: { addresses.policy(for: $0) })
        let purchases = Purchases(database: database, clock: clock, publisher: publisher)
        let lister = PackLister(
            library: library, kinds: kinds, downloads: downloads, purchases: purchases, stores: stores,
            missing: MissingPacks(database: database, library: library, log: log))
        let installer = Installer(
            downloads: downloads, library: library, stores: stores, purchases: purchases,
            history: OperationHistory(database: database, clock: clock, log: log), packs: lister, kinds: kinds,
            worker: worker,
            locks: ProductLocks(), settings: settings, clock: clock)
        let manager = StoreManager(
            places, ownLock, directories.data, installer, credentials: credentials, addresses: addresses,
            database: database,
            transfers: transfers, images: images, thumbnails: thumbnails, skins: skins,
            announced: AnnouncedUpdates(directory: directories.data), directories: directories, events: events,
            publisher: publisher, log: log)
        do {
            // A new database knows nothing of what the previous process published.
            let before = database.origin == .existing ? StateRecord.read(in: directories.data) : nil
            try await manager.start(since: before.map { EventRecovery.Before(state: $0, index: index) })
        } catch {
            // Before the lock is released, so that two engines never work on one home.
            await manager.close()
            throw error
        }
        return manager
    }

    /// Opens the library, and reads the database's index of packs at the same time; returns both.
    private static func openLibrary(
        data: String, kinds: ContentKinds, database: LibraryDatabase
    ) async throws -> (Library, index: [String: LibraryEntry]) {
        let index = Task { try await database.index() }
        do {
            // Commits wait by the system's clock: a simulated one is moved only when nothing is about to happen.
            let library = try await Library.open(data: data, kinds: kinds) { try await index.value }
            return (library, try await index.value)
        } catch {
            // The caller releases the home's lock next: the database must not be read any more then.
            _ = await index.result
            throw error
        }
    }

    private init(
        _ places: HomePaths, _ ownLock: HomeLock?, _ data: Directory, _ installer: Installer,
        credentials: StoreCredentials, addresses: StoreAddresses,
        database: LibraryDatabase, transfers: any Transferring, images: ProductImageLoader, thumbnails: ThumbnailMaker,
        skins: SkinsManager, announced: AnnouncedUpdates, directories: HomeDirectories, events: EventBus,
        publisher: StatePublisher,
        log: Logger
    ) {
        self.places = places
        self.ownLock = ownLock
        self.data = data
        notices = Notices(directory: data, clock: installer.clock, log: log)
        self.database = database
        worker = installer.worker
        self.transfers = transfers
        self.skins = skins
        self.thumbnails = thumbnails
        self.events = events
        self.publisher = publisher
        self.log = log
        (settings, stores, downloads) = (installer.settings, installer.stores, installer.downloads)
        (installs, purchases, history) = (installer, installer.purchases, installer.history)
        (library, locks) = (installer.library, installer.locks)
        let (settings, clock) = (settings, installer.clock)
        stickers = StickersManager(
            library: library, database: database, images: ImageLimits(settings.current),
            thumbnails: thumbnails,
            settings: { StickersManager.Settings(maximumRecents: settings.current.stickersMaximumRecents) },
            date: clock.date)
        stickerReferences = StickerReferences(
            stickers: stickers, stores: stores, settings: settings,
            fetcher: StickerFetcher(
                cache: directories.stickers, transfers: transfers, unpacking: ConfinedUnpacker(installer.worker),
                credentials: credentials,
                addresses: addresses, settings: settings, clock: clock))
        trash = TrashCollector(library: library, database: database)
        packs = PacksManager(
            installer: installer, skins: skins, stickers: stickers, trash: trash, publisher: publisher, log: log)
        let products = ProductCatalogue(
            stores: stores, packs: installer.packs, credentials: credentials, addresses: addresses,
            transfers: transfers, settings: settings, images: images)
        self.products = products
        updates = Updater(
            installer: installer, credentials: credentials, addresses: addresses, transfers: transfers,
            details: { try await products.details(of: $0) }, announced: announced, events: events, log: log)
        emoji = EmojiManager(library: library, limits: ImageLimits(settings.current)) { [settings] in
            settings.current.emojiSet
        }
        skinEvents = SkinEvents(skins: skins, events: events, publisher: publisher)
        observers = StateObservers(
            events: events, downloads: downloads, packs: installer.packs, publisher: publisher, skinEvents: skinEvents,
            stickers: stickers)
        imports = PackImports(installer: installer, directory: directories.imports)
        exports = PackExports(
            stickers: stickers, changes: observers.stickerPacks(), config: directories.config,
            packsDirectory: places.packs, log: log)
    }

    private func start(since before: EventRecovery.Before?) async throws {
        // Concurrently with reading the catalogues.
        async let skin = skins.start()
        for warning in settings.current.warnings + syncWarnings { log.warning("\(warning)") }
        for failure in await stores.start() { log.warning("\(failure)") }
        if let loss = try await lossOfDatabase { notices.add(loss) }
        if database.origin != .existing {
            try await purchases.restore(from: library.all())
            try await database.completeRestoration()
        }
        await downloads.observeInstalls { [packs] in await packs.didInstall($0, by: $1) }
        await expirePrevious()
        if let problem = await skin.problem { log.warning("\(problem.message)") }
        for (path, reason) in skins.unreadable { log.warning("'\(path)' is no skin: \(reason.message)") }
        // From here on every change of the state is published.
        await skinEvents.start()
        await publisher.start(
            StatePublisher.Sources(
                packs: installs.packs, stores: stores, purchases: purchases, settings: settings, stickers: stickers),
            skin: skins.skinUse)
        await stickers.observeLists { [publisher] in await publisher.publish(.stickers) }
        await downloads.observePackChanges { [publisher] product, change in
            await publisher.publish(.pack(product, after: change))
        }
        try await EventRecovery(
            events: events, history: history, library: library, packs: installs.packs, stores: stores,
            publisher: publisher
        ).run(running: database.runningOperations().map(\.record), since: before)
        _ = try? await installs.packs.missingPacks()
        // Also for a crash: what is published from here on is in the journal.
        recordState(replacing: before?.state)
        try await downloads.resume()
        await exports.start()
    }

    /// Prepares the first transfer in the background, so that it begins sooner.
    ///
    /// May be called often: only the first call does anything.
    public func prepareTransfers() { transfers.prepare() }

    /// Closes all parts of the engine: suspends the downloads, and ends the observers' sequences.
    ///
    /// The next start resumes the downloads.
    public func close() async {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return }
        settingsObserver.withLock { $0 = nil }
        await downloads.close()
        await exports.stop()
        worker.close()
        thumbnails.close()
        await publisher.stop()
        await events.close()
        recordState(replacing: nil)
        await transfers.shutdown()
        await skinEvents.stop()
        await trash.stop()
        do { if await library.indexHasChanged { try await database.keep(await library.index) } } catch {
            log.error("could not write the index of packs: \(error)")
        }
        do { try await database.close() } catch {
            log.error("could not close the database: \(error)")
        }
        // Last, when nothing of this engine works on the home any more.
        ownLock?.release()
    }

    /// Removes previous versions of packs that are older than the setting `library.keepPrevious`.
    ///
    /// It is called at the start and when settings change; a daemon that runs for long calls it from time to time. The space
    /// is freed in the background.
    public func expirePrevious() async {
        await library.expirePrevious(olderThan: settings.current.libraryKeepPrevious.seconds)
        trash.empty()
    }

    /// Records what was published, so that the next start publishes what has changed until then.
    private func recordState(replacing recorded: PublishedState?) {
        let state = events.stateSnapshot.state
        // Without settings, the start failed before it had read the state.
        guard !state.settings.isEmpty else { return }
        do {
            try StateRecord.write(state, in: data, replacing: recorded)
        } catch {
            log.warning("could not record the published state: \(ErrorReport(error).message)")
        }
    }

    /// Sets the function that applies settings to parts outside of the engine, until the engine is closed.
    ///
    /// It is called with the effective settings after each change. Calls are made one after another, in the order of the changes.
    public func observeSettings(_ didChange: @escaping @Sendable (Settings) -> Void) {
        settingsObserver.withLock { $0 = didChange }
    }

    /// Changes a setting in the user's file, and applies it to the parts that support changes while they run.
    ///
    /// - Throws: `settings.unknown-key`, `settings.invalid`, or a file error.
    public func set(_ key: SettingKey, to text: String) async throws -> Settings {
        try await settingChanges.run { [self] in try await apply(settings.write(key, text)) }
    }

    /// Removes a setting from the user's file, so that its default or the system's value applies, and applies that.
    ///
    /// - Throws: `settings.invalid`, or a file error.
    public func unset(_ key: SettingKey) async throws -> Settings {
        try await settingChanges.run { [self] in try await apply(settings.write(key, nil)) }
    }

    private func apply(_ new: Settings) async -> Settings {
        await downloads.apply(DownloadSettings(new))
        worker.apply(WorkerService.Settings(new))
        transfers.setLimits(BandwidthLimits(new))
        await stores.applySettings()
        await products.images.trimCache()
        await stickerReferences.fetcher.trimCache()
        await thumbnails.applySettings()
        await expirePrevious()
        settingsObserver.withLock { $0 }?(new)
        await publisher.publish(.all)
        return new
    }
}
