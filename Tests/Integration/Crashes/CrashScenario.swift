/// Something that a user does, or a daemon, in whose midst a crash may come.
struct CrashScenario: Sendable {
    var name: String
    /// Which of the prepared homes it begins with.
    var home: PreparedHome
    /// Commands of `storectl`, all at once.
    var commands: [[String]] = []
    /// What comes of it when nothing is in the way.
    var after: @Sendable (inout HomeFacts) -> Void = { _ in }
    /// Whether a download runs beside the command: where a call fails, it may end by that, and rightly so.
    var hasDownloadBeside = false
    /// What a user does who finds that it was not done; the commands themselves, unless given.
    var again: [[String]]?
    /// Whether calls count from the daemon's start on; else from the commands on, until the daemon has ended.
    var countsStart: Bool { commands.isEmpty }

    /// Homes are made once, each from the one before.
    enum PreparedHome: String, Sendable, CaseIterable {
        /// No folder at all.
        case nowhere
        /// A store is known, `other` is installed, `dogs` bought.
        case store
        /// `cups`, `cats` and `dogs` in version 1.
        case installed
        /// `cups` in version 2, and 1 before it.
        case updated
        /// `cups` in version 1 and held, with 2 before it.
        case rolledBack
        /// `cups` in version 2, damaged.
        case damaged
        /// A daemon was killed when it updated `cups`, and the new version had just taken its place; `cats` is half
        /// unpacked, and `dogs` half uninstalled.
        case crashed
        /// `cups` is installed, and the slow product comes.
        case coming
        /// The same, and it is paused.
        case paused
    }

    static func all(url: String) -> [CrashScenario] {
        [
            CrashScenario(
                name: "first start", home: .nowhere,
                again: [["store", "add", "shop", url, "--unsigned"], ["install", "cups"]]),
            CrashScenario(name: "start", home: .updated, again: [["uninstall", "cups"]]),
            CrashScenario(name: "start after a crash", home: .crashed, again: [["uninstall", "cups"]]),
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
                name: "install", home: .store, commands: [["install", "cups"]],
                after: { $0.packs["cups"] = KillModel(current: 2) }),
            CrashScenario(
                name: "install of several", home: .store, commands: [["install", "cups", "cats", "dogs"]],
                after: { for id in ["cups", "cats", "dogs"] { $0.packs[id] = KillModel(current: 2) } }),
            CrashScenario(
                name: "install, joined", home: .store, commands: [["install", "cups"], ["install", "cups"]],
                after: { $0.packs["cups"] = KillModel(current: 2) }),
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
