public import FoundationEssentials
import StoreModel

/// The current values of the daemon's settings, with the source of each value.
public struct Settings: Sendable, Hashable {
    private var values: [SettingKey: SettingValue] = [:]
    private var origins: [SettingKey: SettingOrigin] = [:]
    /// Warnings about unknown settings in the settings files, as text for display.
    public internal(set) var warnings: [String] = []

    /// Creates the daemon's settings with the default values.
    public init() {}

    /// The current value of a setting.
    ///
    /// Assigning a value that the setting does not allow is a programming error.
    public subscript(key: SettingKey) -> SettingValue {
        get { values[key] ?? key.defaultValue }
        set {
            precondition(key.rule.allows(newValue), "\(key.name) takes \(key.rule.allowed)")
            set(key, to: newValue, from: .flag)
        }
    }

    mutating func set(_ key: SettingKey, to value: SettingValue, from origin: SettingOrigin) {
        values[key] = value
        origins[key] = origin
    }

    /// Returns the source of a setting's value, such as a file or an environment variable.
    public func origin(of key: SettingKey) -> SettingOrigin { origins[key] ?? .default }

    /// Returns the content of a settings file that sets every setting to its default.
    ///
    /// The result is `config/settings.json` of the repository.
    public static func exampleFile() throws -> Data {
        let document = SettingKey.all.reduce(JSONValue.object([:])) { document, key in
            document.setting(key.parts, to: JSONValue(key.defaultValue))
        }
        return try JSON.encode(document, pretty: true) + Data("\n".utf8)
    }

    private func integer(_ key: SettingKey) -> Int {
        if case .integer(let number) = self[key] { number } else { preconditionFailure("\(key.name) is no number") }
    }

    /// Returns the value of a numeric setting, or `nil` for 0, which means "none" or "unlimited".
    private func positive(_ key: SettingKey) -> Int? {
        let number = integer(key)
        return number == 0 ? nil : number
    }

    /// Returns the value of a text setting, or `nil` for an empty text, which means "none".
    private func nonempty(_ key: SettingKey) -> String? {
        let text = text(key)
        return text.isEmpty ? nil : text
    }

    private func flag(_ key: SettingKey) -> Bool {
        if case .bool(let flag) = self[key] { flag } else { preconditionFailure("\(key.name) is no flag") }
    }

    private func text(_ key: SettingKey) -> String {
        if case .text(let text) = self[key] { text } else { preconditionFailure("\(key.name) is no text") }
    }
}

// The values with the types that the program uses. The table of `SettingKey` documents their meaning.
extension Settings {
    /// The configured maximum number of components of a path in an archive.
    public var archivesMaximumDepth: Int { integer(.archivesMaximumDepth) }
    /// The configured maximum number of files and directories in an archive.
    public var archivesMaximumEntries: Int { integer(.archivesMaximumEntries) }
    /// The configured maximum length of a path component in an archive, in bytes.
    public var archivesMaximumNameLength: Int { integer(.archivesMaximumNameLength) }
    /// The configured maximum length of a path in an archive, in bytes.
    public var archivesMaximumPathLength: Int { integer(.archivesMaximumPathLength) }
    /// The configured maximum ratio of a file's unpacked size to its compressed size.
    public var archivesMaximumRatio: Int { integer(.archivesMaximumRatio) }
    /// The configured maximum size of an entry table, the list of the files in an archive, in bytes.
    public var archivesMaximumTableSize: Int { integer(.archivesMaximumTableSize) }
    /// The configured maximum unpacked size of all files of an archive together, in bytes.
    public var archivesMaximumUnpackedSize: Int { integer(.archivesMaximumUnpackedSize) }
    /// The configured maximum size of a product's details document, in bytes.
    public var catalogueMaximumDetailsSize: Int { integer(.catalogueMaximumDetailsSize) }
    /// The configured maximum memory for the products of a store's catalogue, in bytes.
    public var catalogueMaximumMemory: Int { integer(.catalogueMaximumMemory) }
    /// The configured maximum number of products of a store's catalogue.
    public var catalogueMaximumProducts: Int { integer(.catalogueMaximumProducts) }
    /// The configured maximum size of one document of a store's catalogue, in bytes.
    public var catalogueMaximumSize: Int { integer(.catalogueMaximumSize) }
    /// The configured maximum size of all shards of a store's catalogue together, in bytes.
    public var catalogueMaximumTotalSize: Int { integer(.catalogueMaximumTotalSize) }
    /// The configured age from which search and install refresh a cached catalogue.
    public var catalogueRefreshAfter: Duration { .seconds(integer(.catalogueRefreshAfter)) }
    /// The configured maximum time for fetching a store's catalogue.
    public var catalogueRefreshTimeout: Duration { .seconds(integer(.catalogueRefreshTimeout)) }
    /// The configured maximum time that search, info and install wait for a store.
    public var catalogueWaitTimeout: Duration { .seconds(integer(.catalogueWaitTimeout)) }
    /// The configured time without work and connections after which the daemon exits; `nil` is never.
    public var daemonIdleTimeout: Duration? { positive(.daemonIdleTimeout).map { .seconds($0) } }
    /// The configured maximum number of dependencies that are installed with a product.
    public var dependenciesMaximumCount: Int { integer(.dependenciesMaximumCount) }
    /// The configured maximum length of a chain of dependencies.
    public var dependenciesMaximumDepth: Int { integer(.dependenciesMaximumDepth) }
    /// The configured number of attempts of a transfer before its download fails.
    public var downloadsAttempts: Int { integer(.downloadsAttempts) }
    /// The configured time for which a download tries to reach a server that has not answered it yet.
    public var downloadsContactTimeout: Duration { .seconds(integer(.downloadsContactTimeout)) }
    /// The configured time for which the partial file of a failed download is kept; zero keeps none.
    public var downloadsKeepPartial: Duration { .seconds(integer(.downloadsKeepPartial) * 86_400) }
    /// The configured maximum size in bytes of the cache of downloaded archives; 0 disables the cache.
    public var downloadsKeptArchives: Int { integer(.downloadsKeptArchives) }
    /// The configured maximum size in bytes of the kept partial files of failed downloads; 0 keeps none.
    public var downloadsKeptPartials: Int { integer(.downloadsKeptPartials) }
    /// The configured maximum number of concurrent downloads; others wait in the queue.
    public var downloadsMaximumAtOnce: Int { integer(.downloadsMaximumAtOnce) }
    /// The configured maximum size of a downloaded archive, in bytes.
    public var downloadsMaximumSize: Int { integer(.downloadsMaximumSize) }
    /// The configured time for which a download tries to reach a server again that has answered it before.
    public var downloadsOutageTimeout: Duration { .seconds(integer(.downloadsOutageTimeout)) }
    /// The configured delay before the second attempt of a transfer; doubled before each further one.
    public var downloadsRetryDelay: Duration { .milliseconds(integer(.downloadsRetryDelay)) }
    /// The configured maximum delay before another attempt of a transfer.
    public var downloadsRetryLongestDelay: Duration { .seconds(integer(.downloadsRetryLongestDelay)) }
    /// The configured product identifier of the emoji set whose images are used; `nil` if none was chosen.
    public var emojiSet: String? { nonempty(.emojiSet) }
    /// The configured maximum size in bytes of the cache of stores' images; 0 disables the cache.
    public var imagesCacheSize: Int { integer(.imagesCacheSize) }
    /// The configured maximum number of pixels in all frames of an animated image in a pack.
    public var imagesMaximumAllPixels: Int { integer(.imagesMaximumAllPixels) }
    /// The configured maximum number of frames of an animated image in a pack.
    public var imagesMaximumFrames: Int { integer(.imagesMaximumFrames) }
    /// The configured maximum number of pixels (width times height) of an image in a pack.
    public var imagesMaximumPixels: Int { integer(.imagesMaximumPixels) }
    /// The configured maximum file size of an image in a pack, in bytes.
    public var imagesMaximumSize: Int { integer(.imagesMaximumSize) }
    /// The configured age from which a store's cached image without a hash is fetched again.
    public var imagesRefreshAfter: Duration { .seconds(integer(.imagesRefreshAfter)) }
    /// The configured maximum size of the cache of thumbnails, in bytes; 0 disables it.
    public var imagesThumbnailCacheSize: Int { integer(.imagesThumbnailCacheSize) }
    /// The configured time for which the previous version of a pack is kept for rollback; zero keeps none.
    public var libraryKeepPrevious: Duration { .seconds(integer(.libraryKeepPrevious) * 86_400) }
    /// The configured maximum size of all packs together, in bytes; `nil` is unlimited.
    public var libraryMaximumSize: Int? { positive(.libraryMaximumSize) }
    /// The configured minimum level of the messages that the daemon logs: the name of a level of swift-log.
    public var logLevel: String { text(.logLevel) }
    /// Whether public stores may refer to hosts at loopback, link-local and private addresses.
    public var networkAllowLocalAddresses: Bool { flag(.networkAllowLocalAddresses) }
    /// The configured maximum time for a server to begin its response.
    public var networkAnswerTimeout: Duration { .seconds(integer(.networkAnswerTimeout)) }
    /// The configured bandwidth limit of all downloads together, in bytes per second; `nil` is unlimited.
    public var networkBandwidth: Int? { positive(.networkBandwidth) }
    /// The configured path of a PEM file with the certificates to trust instead of the machine's.
    ///
    /// `nil` trusts the machine's certificates.
    public var networkCertificates: String? { nonempty(.networkCertificates) }
    /// The configured maximum time for establishing a connection.
    public var networkConnectTimeout: Duration { .seconds(integer(.networkConnectTimeout)) }
    /// The configured maximum number of connections to one host.
    public var networkConnectionsPerHost: Int { integer(.networkConnectionsPerHost) }
    /// The configured hosts to contact without a proxy, in curl's syntax.
    ///
    /// They are used instead of those in the environment variable `no_proxy`; `nil` uses the variable.
    public var networkNoProxy: String? { nonempty(.networkNoProxy) }
    /// The configured proxy for all stores, in curl's syntax.
    ///
    /// It is used instead of those in the environment variables `http_proxy`, `https_proxy` and `all_proxy`; `nil` uses
    /// the variables.
    public var networkProxy: String? { nonempty(.networkProxy) }
    /// The configured shares of the bandwidth limit in percent, by product kind; empty if nothing is shared.
    public var networkShares: [String: Int] { (try? SettingShares(text(.networkShares)).percent) ?? [:] }
    /// The configured minimum rate of a transfer, in bytes per second, below which it is retried.
    ///
    /// The rate is measured during ``networkStallTimeout``; with 0, only a complete stall counts.
    public var networkSlowestRate: Int { integer(.networkSlowestRate) }
    /// The configured time without progress after which a transfer is retried.
    public var networkStallTimeout: Duration { .seconds(integer(.networkStallTimeout)) }
    /// The configured maximum duration of a transfer, after which it is retried; `nil` is unlimited.
    public var networkWholeTimeout: Duration? { positive(.networkWholeTimeout).map { .seconds($0) } }
    /// Whether the desktop shows which plugins request permissions that were not granted.
    public var notificationsConsent: Bool { flag(.notificationsConsent) }
    /// Whether the desktop shows the end of installations that no program shows.
    public var notificationsInstalls: Bool { flag(.notificationsInstalls) }
    /// Whether the desktop shows the updates that the periodic check found.
    public var notificationsUpdates: Bool { flag(.notificationsUpdates) }
    /// The configured identifier of the skin to use if the user has chosen none.
    public var skinsDefault: String { text(.skinsDefault) }
    /// The configured kind of device whose skin variants are used: `phone`, `tablet` or `desktop`.
    public var skinsIdiom: String { text(.skinsIdiom) }
    /// The configured maximum size of a skin as a style sheet, inherited values included, in bytes.
    public var skinsMaximumSize: Int { integer(.skinsMaximumSize) }
    /// The configured maximum memory, in bytes, for the images that a skin requests to keep in memory.
    public var skinsMemory: Int { integer(.skinsMemory) }
    /// The configured extension of the directories of preinstalled skins, without the dot.
    public var skinsPreinstalledExtension: String { text(.skinsPreinstalledExtension) }
    /// The configured extension of the directories of skins from a store, without the dot.
    public var skinsPurchasedExtension: String { text(.skinsPurchasedExtension) }
    /// The configured maximum size of the cache of stickers that were fetched without their packs, in bytes.
    public var stickersCacheSize: Int { integer(.stickersCacheSize) }
    /// Whether a sticker in a message is fetched without the user's request, according to the settings.
    public var stickersFetchAutomatically: Bool { flag(.stickersFetchAutomatically) }
    /// The configured maximum size of an archive that is fetched for one sticker, in bytes.
    public var stickersMaximumArchiveSize: Int { integer(.stickersMaximumArchiveSize) }
    /// The configured maximum number of stickers in the lists of recently and of frequently used ones.
    public var stickersMaximumRecents: Int { integer(.stickersMaximumRecents) }
    /// The configured age of a signed store's last verification from which nothing is installed or updated from it.
    public var trustRefuseAfter: Duration { .seconds(integer(.trustRefuseAfter)) }
    /// The configured age of a signed store's last verification from which commands warn of it.
    public var trustWarnAfter: Duration { .seconds(integer(.trustWarnAfter)) }
    /// The configured interval at which the daemon checks for updates and publishes an event; `nil` is never.
    public var updatesCheckEvery: Duration? {
        let seconds = integer(.updatesCheckEvery)
        return seconds == 0 ? nil : .seconds(seconds)
    }
    /// The configured age from which an update refreshes a cached catalogue; with zero it does so each time.
    public var updatesRefreshAfter: Duration { .seconds(integer(.updatesRefreshAfter)) }
    /// The configured origins of other web pages that may use the web listener, in lower case.
    public var webAllowedOrigins: Set<String> {
        Set(text(.webAllowedOrigins).lowercased().split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init))
    }
    /// The configured choice whether the daemon serves web pages on the loopback interface.
    public var webEnabled: Bool { flag(.webEnabled) }
    /// The configured port of the web pages; 0 chooses a free one at each start.
    public var webPort: Int { integer(.webPort) }
    /// The configured maximum memory of a process that reads a pack, in bytes.
    public var workerMaximumMemory: Int { integer(.workerMaximumMemory) }
    /// Whether packs may only be read in a confined process.
    public var workerRequired: Bool { flag(.workerRequired) }
    /// The configured maximum time for reading one pack.
    public var workerTimeout: Duration { .seconds(integer(.workerTimeout)) }
}
