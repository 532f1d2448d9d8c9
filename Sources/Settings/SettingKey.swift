public import StoreModel

/// A setting of the daemon: its name, default, allowed values and meaning, but not its current value.
///
/// ``all`` is the complete table, from which the example file, the output of `storectl config list` and the
/// documentation are generated.
public struct SettingKey: Sendable, Hashable, CustomStringConvertible {
    /// The name of the setting, such as `downloads.attempts`; its parts are nested objects in settings files.
    public let name: String
    /// The value of the setting if no source sets one.
    public let defaultValue: SettingValue
    /// The rule that decides which values the setting allows.
    public let rule: SettingRule
    /// The unit of the setting's number, such as seconds; `nil` if it has none.
    public let unit: SettingUnit?
    /// A sentence for display that says what the setting does.
    public let summary: String
    /// Whether a running daemon applies a new value of the setting only after a restart.
    public let needsRestart: Bool

    init(
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

    /// The name of the setting, such as `downloads.attempts`.
    public var description: String { name }
    /// The parts of the setting's name, which are the names of the nested members in settings files.
    var parts: [Substring] { name.split(separator: ".") }
    /// Returns whether two settings have the same name; only the name identifies a setting.
    public static func == (a: SettingKey, b: SettingKey) -> Bool { a.name == b.name }
    /// Hashes the setting's name, which identifies the setting.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// Finds the setting with a name such as `downloads.attempts`.
    ///
    /// - Throws: `settings.unknown-key`.
    public init(named name: String) throws(StoreError) {
        guard let key = SettingKey.all.first(where: { $0.name == name }) else {
            throw StoreError(.settingUnknown, ["setting": .untrusted(name)])
        }
        self = key
    }
}

// The table of all settings.
extension SettingKey {
    /// The list of all settings of the daemon, ordered by name.
    public static let all: [SettingKey] = [
        archivesMaximumDepth, archivesMaximumEntries, archivesMaximumNameLength, archivesMaximumPathLength,
        archivesMaximumRatio, archivesMaximumTableSize, archivesMaximumUnpackedSize,
        catalogueMaximumDetailsSize, catalogueMaximumMemory, catalogueMaximumProducts, catalogueMaximumSize,
        catalogueMaximumTotalSize, catalogueRefreshAfter, catalogueRefreshTimeout, catalogueWaitTimeout,
        daemonIdleTimeout,
        dependenciesMaximumCount, dependenciesMaximumDepth,
        downloadsAttempts, downloadsContactTimeout, downloadsKeepPartial, downloadsKeptArchives, downloadsKeptPartials,
        downloadsMaximumAtOnce, downloadsMaximumSize, downloadsOutageTimeout, downloadsRetryDelay,
        downloadsRetryLongestDelay,
        emojiSet,
        imagesCacheSize, imagesMaximumAllPixels, imagesMaximumFrames, imagesMaximumPixels, imagesMaximumSize,
        imagesRefreshAfter, imagesThumbnailCacheSize,
        libraryKeepPrevious, libraryMaximumSize,
        logLevel,
        networkAllowLocalAddresses, networkAnswerTimeout, networkBandwidth, networkCertificates, networkConnectTimeout,
        networkConnectionsPerHost, networkNoProxy, networkProxy, networkShares, networkSlowestRate, networkStallTimeout,
        networkWholeTimeout,
        notificationsConsent, notificationsInstalls, notificationsUpdates,
        skinsDefault, skinsIdiom, skinsMaximumSize, skinsMemory, skinsPreinstalledExtension, skinsPurchasedExtension,
        stickersCacheSize, stickersFetchAutomatically, stickersMaximumArchiveSize, stickersMaximumRecents,
        trustRefuseAfter, trustWarnAfter,
        updatesCheckEvery, updatesRefreshAfter,
        webAllowedOrigins, webEnabled, webPort,
        workerMaximumMemory, workerRequired, workerTimeout,
    ]

    /// The setting `archives.maximumDepth`: maximum number of components of a path in an archive.
    public static let archivesMaximumDepth = SettingKey(
        "archives.maximumDepth", .integer(16), .integer(1...1_000),
        "Maximum number of components of a path in an archive.")
    /// The setting `archives.maximumEntries`: maximum number of files and directories in an archive.
    public static let archivesMaximumEntries = SettingKey(
        "archives.maximumEntries", .integer(20_000), .integer(1...1_000_000),
        "Maximum number of files and directories in an archive.")
    // The upper bounds of this setting and the next one are those of the operating system.
    /// The setting `archives.maximumNameLength`: maximum length of a path component in an archive.
    public static let archivesMaximumNameLength = SettingKey(
        "archives.maximumNameLength", .integer(255), .integer(1...255), unit: .bytes,
        "Maximum length of a path component in an archive.")
    /// The setting `archives.maximumPathLength`: maximum length of a path in an archive.
    public static let archivesMaximumPathLength = SettingKey(
        "archives.maximumPathLength", .integer(1_024), .integer(1...4_095), unit: .bytes,
        "Maximum length of a path in an archive.")
    /// The setting `archives.maximumRatio`: maximum ratio of a file's unpacked size to its compressed size.
    public static let archivesMaximumRatio = SettingKey(
        "archives.maximumRatio", .integer(200), .integer(1...100_000),
        "Maximum ratio of a file's unpacked size to its compressed size.")
    /// The setting `archives.maximumTableSize`: maximum size of an entry table, the list of the files in an archive.
    public static let archivesMaximumTableSize = SettingKey(
        "archives.maximumTableSize", .integer(16 << 20), .integer((1 << 10)...(1 << 40)), unit: .bytes,
        "Maximum size of an entry table, the list of the files in an archive.")
    /// The setting `archives.maximumUnpackedSize`: maximum unpacked size of all files of an archive together.
    public static let archivesMaximumUnpackedSize = SettingKey(
        "archives.maximumUnpackedSize", .integer(1 << 30), .integer(1...(1 << 50)), unit: .bytes,
        "Maximum unpacked size of all files of an archive together.")

    /// The setting `catalogue.maximumDetailsSize`: maximum size of a product's details document.
    public static let catalogueMaximumDetailsSize = SettingKey(
        "catalogue.maximumDetailsSize", .integer(1 << 20), .integer((1 << 10)...(1 << 40)), unit: .bytes,
        "Maximum size of a product's details document.")
    /// The setting `catalogue.maximumMemory`: maximum memory for the products of a store's catalogue.
    public static let catalogueMaximumMemory = SettingKey(
        "catalogue.maximumMemory", .integer(64 << 20), .integer((1 << 20)...(1 << 40)), unit: .bytes,
        "Maximum memory for the products of a store's catalogue.")
    /// The setting `catalogue.maximumProducts`: maximum number of products of a store's catalogue.
    public static let catalogueMaximumProducts = SettingKey(
        "catalogue.maximumProducts", .integer(200_000), .integer(1...100_000_000),
        "Maximum number of products of a store's catalogue.")
    /// The setting `catalogue.maximumSize`: maximum size of one document of a store's catalogue.
    public static let catalogueMaximumSize = SettingKey(
        "catalogue.maximumSize", .integer(16 << 20), .integer((1 << 10)...(1 << 40)), unit: .bytes,
        "Maximum size of one document of a store's catalogue.")
    /// The setting `catalogue.maximumTotalSize`: maximum size of all shards of a store's catalogue together.
    public static let catalogueMaximumTotalSize = SettingKey(
        "catalogue.maximumTotalSize", .integer(256 << 20), .integer((1 << 10)...(1 << 50)), unit: .bytes,
        "Maximum size of all shards of a store's catalogue together.")
    /// The setting `catalogue.refreshAfter`: age from which search and install refresh a cached catalogue.
    public static let catalogueRefreshAfter = SettingKey(
        "catalogue.refreshAfter", .integer(60), .integer(0...31_536_000), unit: .seconds,
        "Age from which search and install refresh a cached catalogue.")
    /// The setting `catalogue.refreshTimeout`: maximum time for fetching a store's catalogue, an image or a sticker.
    public static let catalogueRefreshTimeout = SettingKey(
        "catalogue.refreshTimeout", .integer(300), .integer(1...86_400), unit: .seconds,
        "Maximum time for fetching a store's catalogue, an image or a sticker.")
    /// The setting `catalogue.waitTimeout`: maximum time that search, info, install and update wait for the
    /// catalogue of a store.
    public static let catalogueWaitTimeout = SettingKey(
        "catalogue.waitTimeout", .integer(5), .integer(1...3600), unit: .seconds,
        "Maximum time that search, info, install and update wait for the catalogue of a store.")

    /// The setting `daemon.idleTimeout`: time without work and connections after which the daemon exits; 0 is never.
    public static let daemonIdleTimeout = SettingKey(
        "daemon.idleTimeout", .integer(300), .integer(0...31_536_000), unit: .seconds,
        "Time without work and connections after which the daemon exits; 0 is never.")

    /// The setting `dependencies.maximumCount`: maximum number of dependencies that are installed with a product.
    public static let dependenciesMaximumCount = SettingKey(
        "dependencies.maximumCount", .integer(1000), .integer(1...1_000_000),
        "Maximum number of dependencies that are installed with a product.")
    /// The setting `dependencies.maximumDepth`: maximum length of a chain of dependencies.
    public static let dependenciesMaximumDepth = SettingKey(
        "dependencies.maximumDepth", .integer(100), .integer(1...1_000_000),
        "Maximum length of a chain of dependencies.")

    /// The setting `downloads.attempts`: number of attempts without progress before a download fails.
    ///
    /// Attempts in which the server can't be reached are limited by time instead.
    public static let downloadsAttempts = SettingKey(
        "downloads.attempts", .integer(4), .integer(1...100),
        "Number of attempts without progress before a download fails; those that don't reach the server don't count.")
    /// The setting `downloads.contactTimeout`: time for which a download tries to reach a server for the first time.
    public static let downloadsContactTimeout = SettingKey(
        "downloads.contactTimeout", .integer(10), .integer(0...86_400), unit: .seconds,
        "Time for which a download tries to reach a server that has not answered yet.")
    /// The setting `downloads.keepPartial`: time for which the partial file of a failed download is kept.
    public static let downloadsKeepPartial = SettingKey(
        "downloads.keepPartial", .integer(7), .integer(0...36_500), unit: .days,
        "Time for which the partial file of a download that failed is kept, so that it can be resumed; 0 keeps none.")
    /// The setting `downloads.keptArchives`: maximum size of the cache of downloaded archives; 0 disables it.
    public static let downloadsKeptArchives = SettingKey(
        "downloads.keptArchives", .integer(1 << 30), .integer(0...(1 << 50)), unit: .bytes,
        "Maximum size of the cache of downloaded archives; 0 disables it.")
    /// The setting `downloads.keptPartials`: maximum size of the partial files of failed downloads.
    public static let downloadsKeptPartials = SettingKey(
        "downloads.keptPartials", .integer(4 << 30), .integer(0...(1 << 50)), unit: .bytes,
        "Maximum size of the kept partial files of downloads that failed; 0 keeps none.")
    /// The setting `downloads.maximumAtOnce`: maximum number of concurrent downloads; others wait in the queue.
    ///
    /// More than the 128 requests that many servers accept at once on a connection of HTTP/2, because a download counts until its
    /// pack is unpacked.
    public static let downloadsMaximumAtOnce = SettingKey(
        "downloads.maximumAtOnce", .integer(192), .integer(1...1000),
        "Maximum number of concurrent downloads; others wait in the queue.")
    /// The setting `downloads.maximumSize`: maximum size of an archive.
    public static let downloadsMaximumSize = SettingKey(
        "downloads.maximumSize", .integer(4 << 30), .integer(1...(1 << 60)), unit: .bytes,
        "Maximum size of an archive.")
    /// The setting `downloads.outageTimeout`: time for which a download waits for a server that has gone away.
    public static let downloadsOutageTimeout = SettingKey(
        "downloads.outageTimeout", .integer(600), .integer(0...31_536_000), unit: .seconds,
        "Time for which a download tries to reach a server again that has answered it before.")
    /// The setting `downloads.retryDelay`: delay before the second attempt of a transfer.
    ///
    /// It is doubled before each further one.
    public static let downloadsRetryDelay = SettingKey(
        "downloads.retryDelay", .integer(500), .integer(0...3_600_000), unit: .milliseconds,
        "Delay before the second attempt of a transfer; doubled before each further one.")
    /// The setting `downloads.retryLongestDelay`: maximum delay before another attempt of a transfer.
    public static let downloadsRetryLongestDelay = SettingKey(
        "downloads.retryLongestDelay", .integer(300), .integer(0...86_400), unit: .seconds,
        "Maximum delay before another attempt of a transfer.")

    /// The setting `emoji.set`: emoji set whose images are used; empty for none.
    public static let emojiSet = SettingKey(
        "emoji.set", .text(""), .optionalIdentifier, "Emoji set whose images are used; empty for none.")

    /// The setting `images.cacheSize`: maximum size of the cache of stores' images; 0 disables it.
    public static let imagesCacheSize = SettingKey(
        "images.cacheSize", .integer(64 << 20), .integer(0...(1 << 50)), unit: .bytes,
        "Maximum size of the cache of stores' images, such as icons and previews; 0 disables it.")
    /// The setting `images.maximumAllPixels`: maximum number of pixels in all frames of an animated image in a pack.
    public static let imagesMaximumAllPixels = SettingKey(
        "images.maximumAllPixels", .integer(512 << 20), .integer(1...(1 << 50)), needsRestart: true,
        "Maximum number of pixels in all frames of an animated image in a pack.")
    /// The setting `images.maximumFrames`: maximum number of frames of an animated image in a pack.
    public static let imagesMaximumFrames = SettingKey(
        "images.maximumFrames", .integer(2000), .integer(1...1_000_000), needsRestart: true,
        "Maximum number of frames of an animated image in a pack.")
    /// The setting `images.maximumPixels`: maximum number of pixels (width times height) of an image in a pack.
    public static let imagesMaximumPixels = SettingKey(
        "images.maximumPixels", .integer(25 << 20), .integer(1...(1 << 40)), needsRestart: true,
        "Maximum number of pixels (width times height) of an image in a pack.")
    /// The setting `images.maximumSize`: maximum file size of an image in a pack.
    public static let imagesMaximumSize = SettingKey(
        "images.maximumSize", .integer(32 << 20), .integer((1 << 10)...(1 << 40)), unit: .bytes, needsRestart: true,
        "Maximum file size of an image in a pack.")
    /// The setting `images.refreshAfter`: age from which a store's cached image is fetched again.
    public static let imagesRefreshAfter = SettingKey(
        "images.refreshAfter", .integer(86_400), .integer(0...31_536_000), unit: .seconds,
        "Age from which a store's cached image is fetched again, if the catalogue does not state its hash.")
    /// The setting `images.thumbnailCacheSize`: maximum size of the cache of thumbnails; 0 disables it.
    public static let imagesThumbnailCacheSize = SettingKey(
        "images.thumbnailCacheSize", .integer(64 << 20), .integer(0...(1 << 50)), unit: .bytes,
        "Maximum size of the cache of thumbnails of images in packs; 0 disables it.")

    /// The setting `library.keepPrevious`: time for which a pack's previous version is kept for rollback; 0 is none.
    public static let libraryKeepPrevious = SettingKey(
        "library.keepPrevious", .integer(30), .integer(0...36_500), unit: .days,
        "Time for which the previous version of a pack is kept for rollback; 0 keeps none.")
    /// The setting `library.maximumSize`: maximum size of all packs together; 0 is unlimited.
    public static let libraryMaximumSize = SettingKey(
        "library.maximumSize", .integer(0), .integer(0...(1 << 60)), unit: .bytes,
        "Maximum size of all packs together; 0 is unlimited.")

    /// The setting `log.level`: minimum level of the messages that the daemon logs.
    public static let logLevel = SettingKey(
        "log.level", .text("info"), .word(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
        "Minimum level of the messages that the daemon logs.")

    /// The setting `notifications.consent`: whether the desktop shows which plugins request permissions.
    public static let notificationsConsent = SettingKey(
        "notifications.consent", .bool(true), .bool,
        "Whether the desktop shows a notification when plugins request permissions that were not granted.")
    /// The setting `notifications.installs`: whether the desktop shows the end of installations that no program shows.
    public static let notificationsInstalls = SettingKey(
        "notifications.installs", .bool(true), .bool,
        "Whether the desktop shows a notification when installations have ended, unless the program that began them shows it."
    )
    /// The setting `notifications.updates`: whether the desktop shows the updates that the periodic check found.
    public static let notificationsUpdates = SettingKey(
        "notifications.updates", .bool(true), .bool,
        "Whether the desktop shows a notification when the check of updates.checkEvery found updates.")

    /// The setting `skins.default`: skin to use if the user has chosen none.
    public static let skinsDefault = SettingKey(
        "skins.default", .text("light"), .identifier, needsRestart: true,
        "Skin to use where none was chosen.")
    /// The setting `skins.idiom`: kind of device whose skin variants are used.
    public static let skinsIdiom = SettingKey(
        "skins.idiom", .text("desktop"), .word(["phone", "tablet", "desktop"]), needsRestart: true,
        "Kind of device whose skin variants are used.")
    /// The setting `skins.maximumSize`: maximum size of a skin as a style sheet, inherited values included.
    public static let skinsMaximumSize = SettingKey(
        "skins.maximumSize", .integer(32 << 20), .integer((1 << 20)...(1 << 30)), unit: .bytes, needsRestart: true,
        "Maximum size of a skin as a style sheet, inherited values included.")
    /// The setting `skins.memory`: maximum memory for the images that a skin requests to keep in memory.
    public static let skinsMemory = SettingKey(
        "skins.memory", .integer(16 << 20), .integer(0...(1 << 30)), unit: .bytes, needsRestart: true,
        "Maximum memory for the images that a skin requests to keep in memory.")
    /// The setting `skins.preinstalledExtension`: extension of the directories of preinstalled skins.
    public static let skinsPreinstalledExtension = SettingKey(
        "skins.preinstalledExtension", .text("theme"), .folderExtension, needsRestart: true,
        "Extension of the directories of preinstalled skins.")
    /// The setting `skins.purchasedExtension`: extension of the directories of skins from a store.
    public static let skinsPurchasedExtension = SettingKey(
        "skins.purchasedExtension", .text("purchasedTheme"), .folderExtension, needsRestart: true,
        "Extension of the directories of skins from a store.")

    /// The setting `stickers.cacheSize`: maximum size of the cache of stickers whose packs are not installed.
    public static let stickersCacheSize = SettingKey(
        "stickers.cacheSize", .integer(64 << 20), .integer((1 << 20)...(1 << 50)), unit: .bytes,
        "Maximum size of the cache of single stickers that were fetched without their packs.")
    /// The setting `stickers.fetchAutomatically`: whether looking up a sticker reference fetches the sticker.
    ///
    /// The request tells the store that, and when, a message with the sticker was read.
    public static let stickersFetchAutomatically = SettingKey(
        "stickers.fetchAutomatically", .bool(false), .bool,
        "Whether a sticker in a message is fetched without the user's request, which shows the store that it was read.")
    /// The setting `stickers.maximumArchiveSize`: maximum size of an archive that is fetched for one sticker in it.
    public static let stickersMaximumArchiveSize = SettingKey(
        "stickers.maximumArchiveSize", .integer(16 << 20), .integer(0...(1 << 30)), unit: .bytes,
        "Maximum size of an archive that is fetched for one sticker, if the server can't send a part of it.")
    /// The setting `stickers.maximumRecents`: maximum number of recently, and of frequently, used stickers in a list.
    public static let stickersMaximumRecents = SettingKey(
        "stickers.maximumRecents", .integer(50), .integer(0...1_000),
        "Maximum number of stickers in the lists of recently and of frequently used ones.")

    /// The setting `trust.refuseAfter`: age of a signed store's last verification from which nothing is installed or
    /// updated from it.
    public static let trustRefuseAfter = SettingKey(
        "trust.refuseAfter", .integer(1_209_600), .integer(1...315_360_000), unit: .seconds,
        "Age of a signed store's last verification from which nothing is installed or updated from it.")
    /// The setting `trust.warnAfter`: age of a signed store's last verification from which commands warn.
    public static let trustWarnAfter = SettingKey(
        "trust.warnAfter", .integer(259_200), .integer(1...315_360_000), unit: .seconds,
        "Age of a signed store's last verification from which commands warn of it.")
    /// The setting `updates.checkEvery`: interval at which the daemon checks for updates; 0 is never.
    ///
    /// It publishes an event with the newer versions.
    public static let updatesCheckEvery = SettingKey(
        "updates.checkEvery", .integer(0), .integer(0...31_536_000), unit: .seconds,
        "Interval at which the daemon checks for updates and publishes an event; 0 is never.")
    /// The setting `updates.refreshAfter`: age from which an update refreshes a cached catalogue; 0 is always.
    public static let updatesRefreshAfter = SettingKey(
        "updates.refreshAfter", .integer(0), .integer(0...31_536_000), unit: .seconds,
        "Age from which an update refreshes a cached catalogue; 0 contacts the store each time.")

    /// The setting `web.allowedOrigins`: origins of web pages, other than the daemon's own, that may use its interface.
    public static let webAllowedOrigins = SettingKey(
        "web.allowedOrigins", .text(""), .origins,
        "Origins of other web pages that may use the web listener with an access token, such as https://chat.example.")
    /// The setting `web.enabled`: whether the daemon serves its interface and web pages on the loopback interface.
    public static let webEnabled = SettingKey(
        "web.enabled", .bool(false), .bool, "Whether the daemon serves web pages on the loopback interface.")
    /// The setting `web.port`: port of the web pages on the loopback interface; 0 chooses a free one at each start.
    public static let webPort = SettingKey(
        "web.port", .integer(8817), .integer(0...65_535),
        "Port of the web pages on the loopback interface; 0 chooses a free one at each start.")

    /// The setting `worker.maximumMemory`: maximum memory of a process that reads a pack.
    public static let workerMaximumMemory = SettingKey(
        "worker.maximumMemory", .integer(512 << 20), .integer((64 << 20)...(1 << 40)), unit: .bytes,
        "Maximum memory of a process that reads a pack.")
    /// The setting `worker.required`: whether packs may only be read in a confined process.
    public static let workerRequired = SettingKey(
        "worker.required", .bool(false), .bool,
        "Whether packs may only be read in a confined process; if not, the daemon reads them where none can be started."
    )
    /// The setting `worker.timeout`: maximum time for reading one pack.
    public static let workerTimeout = SettingKey(
        "worker.timeout", .integer(300), .integer(1...86_400), unit: .seconds,
        "Maximum time for reading one pack.")
}
