/// One setting: its name, what it takes, what it means. The table below is all that there is; the example file, the
/// list that `storectl config` prints and the documentation come from it.
public struct SettingKey: Sendable, Hashable, CustomStringConvertible {
    /// Parts separated by dots, as nested in the files.
    public let name: String
    public let defaultValue: SettingValue
    public let rule: SettingRule
    public let unit: SettingUnit?
    /// In one sentence, for people.
    public let summary: String
    /// Whether a daemon that runs takes a new value only at its next start.
    public let needsRestart: Bool

    private init(
        _ name: String, _ defaultValue: SettingValue, _ rule: SettingRule, unit: SettingUnit? = nil,
        needsRestart: Bool = false, _ summary: String
    ) {
        self.name = name
        self.defaultValue = defaultValue
        self.rule = rule
        self.unit = unit
        self.summary = summary
        self.needsRestart = needsRestart
    }

    public var description: String { name }
    /// The names of the members that the files nest for it.
    var parts: [Substring] { name.split(separator: ".") }
    public static func == (a: SettingKey, b: SettingKey) -> Bool { a.name == b.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// - Throws: `settings.unknown-key`.
    public init(named name: String) throws(SettingsError) {
        guard let key = SettingKey.all.first(where: { $0.name == name }) else {
            throw SettingsError(
                .settingsUnknownKey, "There is no setting '\(name)'. `storectl config list` shows all there are.")
        }
        self = key
    }
}

extension SettingKey {
    public static let all: [SettingKey] = [
        archivesMaximumDepth, archivesMaximumEntries, archivesMaximumNameLength, archivesMaximumPathLength,
        archivesMaximumRatio, archivesMaximumUnpackedSize,
        catalogueMaximumSize, catalogueRefreshAfter,
        daemonIdleTimeout,
        downloadsAttempts, downloadsKeptArchives, downloadsMaximumAtOnce, downloadsMaximumSize, downloadsRetryDelay,
        downloadsRetryLongestDelay,
        imagesMaximumAllPixels, imagesMaximumFrames, imagesMaximumPixels, imagesMaximumSize,
        libraryKeepPrevious, libraryMaximumSize,
        logLevel,
        networkAnswerTimeout, networkBandwidth, networkCertificates, networkConnectTimeout, networkConnectionsPerHost,
        networkNoProxy, networkProxy, networkShares, networkSlowestRate, networkStallTimeout, networkWholeTimeout,
        skinsDefault, skinsIdiom, skinsMemory, skinsPreinstalledExtension, skinsPurchasedExtension,
        updatesCheckEvery, updatesRefreshAfter,
    ]

    public static let archivesMaximumDepth = SettingKey(
        "archives.maximumDepth", .integer(16), .integer(1...1_000),
        "How many parts the path of a file in an archive may have.")
    public static let archivesMaximumEntries = SettingKey(
        "archives.maximumEntries", .integer(20_000), .integer(1...1_000_000),
        "How many files and folders an archive may hold.")
    // More than these two the system does not take.
    public static let archivesMaximumNameLength = SettingKey(
        "archives.maximumNameLength", .integer(255), .integer(1...255), unit: .bytes,
        "How long each part of the path of a file in an archive may be.")
    public static let archivesMaximumPathLength = SettingKey(
        "archives.maximumPathLength", .integer(1_024), .integer(1...4_095), unit: .bytes,
        "How long the whole path of a file in an archive may be.")
    public static let archivesMaximumRatio = SettingKey(
        "archives.maximumRatio", .integer(200), .integer(1...100_000),
        "How many times larger than in the archive a file may be once unpacked.")
    public static let archivesMaximumUnpackedSize = SettingKey(
        "archives.maximumUnpackedSize", .integer(1 << 30), .integer(1...(1 << 50)), unit: .bytes,
        "How large all files of an archive together may be once unpacked.")

    public static let catalogueMaximumSize = SettingKey(
        "catalogue.maximumSize", .integer(64 << 20), .integer((1 << 10)...(1 << 40)), unit: .bytes,
        "How large one document of a store may be.")
    public static let catalogueRefreshAfter = SettingKey(
        "catalogue.refreshAfter", .integer(60), .integer(0...31_536_000), unit: .seconds,
        "How old a catalogue may be before search and install fetch it again by themselves.")

    public static let daemonIdleTimeout = SettingKey(
        "daemon.idleTimeout", .integer(300), .integer(0...31_536_000), unit: .seconds,
        "How long the daemon stays with nothing to do and nobody connected; 0 is for ever.")

    public static let downloadsAttempts = SettingKey(
        "downloads.attempts", .integer(4), .integer(1...100),
        "How often a transfer is tried before its download fails.")
    public static let downloadsKeptArchives = SettingKey(
        "downloads.keptArchives", .integer(1 << 30), .integer(0...(1 << 50)), unit: .bytes,
        "How large all archives together may be that are kept so that they need not come again; 0 keeps none.")
    public static let downloadsMaximumAtOnce = SettingKey(
        "downloads.maximumAtOnce", .integer(128), .integer(1...1000),
        "How many downloads run at once; the others wait for their turn.")
    public static let downloadsMaximumSize = SettingKey(
        "downloads.maximumSize", .integer(4 << 30), .integer(1...(1 << 60)), unit: .bytes,
        "How large an archive may be, whatever its store says or does not say.")
    public static let downloadsRetryDelay = SettingKey(
        "downloads.retryDelay", .integer(500), .integer(0...3_600_000), unit: .milliseconds,
        "How long to wait before the second attempt; about twice as long before each that follows.")
    public static let downloadsRetryLongestDelay = SettingKey(
        "downloads.retryLongestDelay", .integer(300), .integer(0...86_400), unit: .seconds,
        "How long the wait before another attempt may grow.")

    public static let imagesMaximumAllPixels = SettingKey(
        "images.maximumAllPixels", .integer(512 << 20), .integer(1...(1 << 50)), needsRestart: true,
        "How many pixels an animated image in a pack may have in all its frames together.")
    public static let imagesMaximumFrames = SettingKey(
        "images.maximumFrames", .integer(2000), .integer(1...1_000_000), needsRestart: true,
        "How many frames an animated image in a pack may have.")
    public static let imagesMaximumPixels = SettingKey(
        "images.maximumPixels", .integer(25 << 20), .integer(1...(1 << 40)), needsRestart: true,
        "How many pixels an image in a pack may have: its width times its height.")
    public static let imagesMaximumSize = SettingKey(
        "images.maximumSize", .integer(32 << 20), .integer((1 << 10)...(1 << 40)), unit: .bytes, needsRestart: true,
        "How large the file of an image in a pack may be.")

    public static let libraryKeepPrevious = SettingKey(
        "library.keepPrevious", .integer(30), .integer(0...36_500), unit: .days,
        "How long the version before an update is kept for rollback; 0 keeps none.")
    public static let libraryMaximumSize = SettingKey(
        "library.maximumSize", .integer(0), .integer(0...(1 << 60)), unit: .bytes,
        "How large all packs together may be; 0 is no limit.")

    public static let logLevel = SettingKey(
        "log.level", .text("info"), .word(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
        "The least important messages that the daemon still logs.")

    public static let networkAnswerTimeout = SettingKey(
        "network.answerTimeout", .integer(30), .integer(1...3600), unit: .seconds,
        "How long a server may take to begin its answer.")
    public static let networkBandwidth = SettingKey(
        "network.bandwidth", .integer(0), .integer(0...(1 << 50)), unit: .bytesPerSecond,
        "How much all downloads together may bring; 0 is no limit.")
    public static let networkCertificates = SettingKey(
        "network.certificates", .text(""), .path, needsRestart: true,
        "A file of certificates (PEM) to trust instead of the machine's.")
    public static let networkConnectTimeout = SettingKey(
        "network.connectTimeout", .integer(30), .integer(1...3600), unit: .seconds,
        "How long making a connection may take.")
    public static let networkConnectionsPerHost = SettingKey(
        "network.connectionsPerHost", .integer(4), .integer(1...256), needsRestart: true,
        "How many connections to one server there are at once.")
    public static let networkNoProxy = SettingKey(
        "network.noProxy", .text(""), .hosts, needsRestart: true,
        "Hosts that are asked without the proxy, instead of those that the variable no_proxy names.")
    public static let networkProxy = SettingKey(
        "network.proxy", .text(""), .proxy, needsRestart: true,
        "The proxy for all stores, instead of those that http_proxy, https_proxy and all_proxy name.")
    public static let networkShares = SettingKey(
        "network.shares", .text(""), .shares,
        "What each kind gets of network.bandwidth while others download, in percent.")
    public static let networkSlowestRate = SettingKey(
        "network.slowestRate", .integer(0), .integer(0...(1 << 40)), unit: .bytesPerSecond,
        "A transfer that is slower for as long as network.stallTimeout is tried again; 0 is one that stands still.")
    public static let networkStallTimeout = SettingKey(
        "network.stallTimeout", .integer(30), .integer(1...3600), unit: .seconds,
        "How long a transfer may stand still before it is tried again.")

    public static let networkWholeTimeout = SettingKey(
        "network.wholeTimeout", .integer(0), .integer(0...31_536_000), unit: .seconds,
        "How long a transfer may take in all before it is tried again; 0 is no limit.")

    public static let skinsDefault = SettingKey(
        "skins.default", .text("light"), .identifier, needsRestart: true,
        "The skin that is used where none was chosen.")
    public static let skinsIdiom = SettingKey(
        "skins.idiom", .text("desktop"), .word(["phone", "tablet", "desktop"]), needsRestart: true,
        "The kind of device whose variants of a skin are used.")
    public static let skinsMemory = SettingKey(
        "skins.memory", .integer(16 << 20), .integer(0...(1 << 30)), unit: .bytes, needsRestart: true,
        "How much of a skin's images is kept in memory, of those for which it asks for that.")
    public static let skinsPreinstalledExtension = SettingKey(
        "skins.preinstalledExtension", .text("theme"), .folderExtension, needsRestart: true,
        "What the folders of skins that came with the application end with.")
    public static let skinsPurchasedExtension = SettingKey(
        "skins.purchasedExtension", .text("purchasedTheme"), .folderExtension, needsRestart: true,
        "What the folders of skins from a store end with.")

    public static let updatesCheckEvery = SettingKey(
        "updates.checkEvery", .integer(0), .integer(0...31_536_000), unit: .seconds,
        "How often a running daemon looks for new versions by itself and tells observers of them; 0 is never.")
    public static let updatesRefreshAfter = SettingKey(
        "updates.refreshAfter", .integer(0), .integer(0...31_536_000), unit: .seconds,
        "How old a catalogue may be before an update fetches it again; 0 is to ask the store each time.")
}
