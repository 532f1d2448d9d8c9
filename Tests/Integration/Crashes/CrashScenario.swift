/// A user's or a daemon's action that a crash may interrupt.
struct CrashScenario: Sendable {
    var name: String
    /// The prepared home that the scenario starts with.
    var home: PreparedHome
    /// Commands of `storectl`, which run concurrently.
    var commands: [[String]] = []
    /// The effect of the action if nothing fails.
    var after: @Sendable (inout HomeFacts) -> Void = { _ in }
    /// Whether another download runs beside the command, which may fail as well if a call fails.
    var hasDownloadBeside = false
    /// Whether the archive must be fetched over several connections.
    var usesRanges = false
    /// The commands that repeat the action if it had no effect; the commands themselves by default.
    var again: [[String]]?
    /// Whether the file system is one that can't exchange two directories; see ``withoutExchange``.
    var lacksExchange = false
    /// Whether calls count from the start of the daemon; otherwise from the commands until the daemon's end.
    var countsStart: Bool { commands.isEmpty }

    /// Homes that are prepared once, each from the previous one.
    enum PreparedHome: String, Sendable, CaseIterable {
        /// There is no directory.
        case nowhere
        /// A store is added, `other` is installed, `dogs` is purchased.
        case store
        /// `cups`, `cats` and `dogs` are installed in version 1.
        case installed
        /// `cups` has version 2, with version 1 as the previous one.
        case updated
        /// `cups` has version 1 and is held, with version 2 as the previous one.
        case rolledBack
        /// `cups` has version 2 and is damaged.
        case damaged
        /// A daemon was killed during the update of `cups`, after the commit; `cats` is half unpacked, and `dogs` half
        /// uninstalled.
        case crashed
        /// `cups` is installed, and the slow product is being downloaded.
        case coming
        /// `cups` is installed, and the download of the slow product is paused.
        case paused
        /// As `store`, with the store on a server that limits the rate of each connection.
        case limited
        /// As `store`, with a store of format 1 in addition.
        case formatOne
        /// As `store`, with a skin in version 1, which is in use.
        case skinned
        /// As `paused`, with `cups` purchased by a daemon that was killed, and a damaged database.
        ///
        /// Only the index of packs is damaged, so that nothing may be lost, the lists of stickers included.
        case damagedDatabase
    }

    static func all(_ store: CrashStore) -> [CrashScenario] {
        let url = store.url
        return [
            CrashScenario(
                name: "first start", home: .nowhere,
                again: [["store", "add", "shop", url, "--unsigned"], ["install", "cups"]]),
            CrashScenario(name: "start", home: .updated, again: [["uninstall", "cups"]]),
            CrashScenario(name: "start after a crash", home: .crashed, again: [["uninstall", "cups"]]),
            CrashScenario(
                name: "start with a damaged database", home: .damagedDatabase, again: [["uninstall", "cups"]]),
            CrashScenario(
                name: "store add", home: .store, commands: [["store", "add", "again", url, "--unsigned"]],
                after: { $0.stores = ["again", "shop"] }),
            CrashScenario(
                name: "store remove", home: .store, commands: [["store", "remove", "shop"]],
                after: { $0.stores = [] }),
            CrashScenario(
                name: "config set", home: .store, commands: [["config", "set", "downloads.maximumAtOnce", "7"]],
                after: { $0.maximumAtOnce = "7" }),
            CrashScenario(
                name: "purchases grant", home: .store, commands: [["purchases", "grant", "cups"]],
                after: { $0.purchases = ["cups", "dogs"] }),
            CrashScenario(
                name: "stickers sent", home: .installed, commands: [["stickers", "sent", "cups", "01"]],
                after: { ($0.stickers.recents, $0.stickers.frequent) = ([CrashStore.sticker], [CrashStore.sticker]) }),
            CrashScenario(
                name: "stickers favourite", home: .installed, commands: [["stickers", "favourite", "cups", "01"]],
                after: { $0.stickers.favourites = [CrashStore.sticker] }),
            CrashScenario(
                name: "stickers order", home: .installed, commands: [["stickers", "order", "dogs", "cups"]],
                after: { $0.stickers.order = ["dogs", "cups"] }),
            CrashScenario(
                name: "install", home: .store, commands: [["install", "cups"]],
                after: { $0.packs["cups"] = KillModel(current: 2) }),
            CrashScenario(
                name: "install of several", home: .store, commands: [["install", "cups", "cats", "dogs"]],
                after: { for id in ["cups", "cats", "dogs"] { $0.packs[id] = KillModel(current: 2) } }),
            CrashScenario(
                name: "install, joined", home: .store, commands: [["install", "cups"], ["install", "cups"]],
                after: { $0.packs["cups"] = KillModel(current: 2) }),
            CrashScenario(
                name: "install in ranges", home: .limited, commands: [["install", CrashStore.wide]],
                after: { $0.packs[CrashStore.wide] = KillModel(current: 2) }, usesRanges: true),
            CrashScenario(
                name: "install of format 1", home: .formatOne, commands: [["install", CrashStore.formatOne]],
                after: { $0.packs[CrashStore.formatOne] = KillModel(current: 2) }),
            CrashScenario(
                name: "install of a file", home: .store, commands: [["install", store.localPath, "--unsigned"]],
                after: { $0.packs[CrashStore.local] = KillModel(current: 2) }),
            CrashScenario(
                name: "install of a plugin", home: .store,
                commands: [["install", CrashStore.plugin, "--consent", "code"]],
                after: { $0.packs[CrashStore.plugin] = KillModel(current: 2) }),
            CrashScenario(
                name: "update of the skin in use", home: .skinned, commands: [["update", CrashStore.skin]],
                after: { $0.packs[CrashStore.skin] = KillModel(current: 2, previous: 1) }),
            CrashScenario(
                name: "skin reset", home: .skinned, commands: [["skin", "reset"]], after: { $0.skin = nil }),
            CrashScenario(
                name: "update", home: .installed, commands: [["update", "cups"]],
                after: { $0.packs["cups"] = KillModel(current: 2, previous: 1) }),
            CrashScenario(
                name: "update of several", home: .installed, commands: [["update"]],
                after: {
                    for id in ["cups", "cats", "dogs"] { $0.packs[id] = KillModel(current: 2, previous: 1) }
                }),
            CrashScenario(
                name: "update over a version before", home: .rolledBack, commands: [["update", "cups"]],
                after: { $0.packs["cups"] = KillModel(current: 2, previous: 1, isHeld: true) }),
            CrashScenario(
                name: "rollback", home: .updated, commands: [["rollback", "cups"]],
                after: { $0.packs["cups"] = KillModel(current: 1, previous: 2, isHeld: true) }),
            CrashScenario(
                name: "hold", home: .updated, commands: [["hold", "cups"]],
                after: { $0.packs["cups"]?.isHeld = true }),
            CrashScenario(
                name: "uninstall", home: .updated, commands: [["uninstall", "cups"]],
                after: { $0.packs["cups"] = KillModel() }),
            CrashScenario(
                name: "pause", home: .coming, commands: [["pause", CrashStore.slow]], after: { $0.coming = .paused },
                hasDownloadBeside: true),
            CrashScenario(
                name: "resume", home: .paused, commands: [["resume", CrashStore.slow]], after: { $0.coming = .running },
                hasDownloadBeside: true),
            CrashScenario(
                name: "cancel", home: .coming, commands: [["cancel", CrashStore.slow]], after: { $0.coming = nil },
                hasDownloadBeside: true),
            CrashScenario(
                name: "verify --repair", home: .damaged, commands: [["verify", "--repair"]],
                after: { $0.packs["cups"] = KillModel(current: 2) }),
        ]
    }
}
