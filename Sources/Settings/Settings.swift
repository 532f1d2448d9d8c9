public import FoundationEssentials
import StoreModel

/// The effective settings, with the source of each value.
public struct Settings: Sendable, Hashable {
    private var values: [SettingKey: SettingValue] = [:]
    private var origins: [SettingKey: SettingOrigin] = [:]
    /// Warnings about unknown settings in the files, as text for display.
    public internal(set) var warnings: [String] = []

    /// Creates settings with the default values.
    public init() {}

    /// The value of a setting.
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

    /// Returns the source of a setting's value.
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

    /// Returns the value of a numeric setting, or `nil` for 0.
    private func positive(_ key: SettingKey) -> Int? {
        let number = integer(key)
        return number == 0 ? nil : number
    }

    /// Returns the value of a text setting, or `nil` for an empty text.
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
    /// Maximum number of components of a path in an archive.
    public var archivesMaximumDepth: Int { integer(.archivesMaximumDepth) }
    /// Maximum number of files and directories in an archive.
    public var archivesMaximumEntries: Int { integer(.archivesMaximumEntries) }
    /// Maximum length of a path component in an archive.
    ///
    /// In bytes.
    public var archivesMaximumNameLength: Int { integer(.archivesMaximumNameLength) }
    /// Maximum length of a path in an archive.
    ///
    /// In bytes.
    public var archivesMaximumPathLength: Int { integer(.archivesMaximumPathLength) }
    /// Maximum ratio of a file's unpacked size to its compressed size.
    public var archivesMaximumRatio: Int { integer(.archivesMaximumRatio) }
    /// Maximum unpacked size of all files of an archive together.
    ///
    /// In bytes.
    public var archivesMaximumUnpackedSize: Int { integer(.archivesMaximumUnpackedSize) }
    /// Maximum size of one document of a store's catalogue.
    ///
    /// In bytes.
    public var catalogueMaximumSize: Int { integer(.catalogueMaximumSize) }
    /// Age from which search and install refresh a cached catalogue.
    public var catalogueRefreshAfter: Duration { .seconds(integer(.catalogueRefreshAfter)) }
    /// Time without work and connections after which the daemon exits; 0 is never.
    ///
    /// `nil` where the daemon never exits by itself.
    public var daemonIdleTimeout: Duration? { positive(.daemonIdleTimeout).map { .seconds($0) } }
    /// Number of attempts of a transfer before its download fails.
    public var downloadsAttempts: Int { integer(.downloadsAttempts) }
    /// Maximum size of the cache of downloaded archives; 0 disables it.
    ///
    /// In bytes; 0 where no archives are cached.
    public var downloadsKeptArchives: Int { integer(.downloadsKeptArchives) }
    /// Maximum number of concurrent downloads; others wait in the queue.
    public var downloadsMaximumAtOnce: Int { integer(.downloadsMaximumAtOnce) }
    /// Maximum size of an archive.
    ///
    /// In bytes.
    public var downloadsMaximumSize: Int { integer(.downloadsMaximumSize) }
    /// Delay before the second attempt of a transfer; doubled before each further one.
    public var downloadsRetryDelay: Duration { .milliseconds(integer(.downloadsRetryDelay)) }
    /// Maximum delay before another attempt of a transfer.
    public var downloadsRetryLongestDelay: Duration { .seconds(integer(.downloadsRetryLongestDelay)) }
    /// Maximum number of pixels in all frames of an animated image in a pack.
    public var imagesMaximumAllPixels: Int { integer(.imagesMaximumAllPixels) }
    /// Maximum number of frames of an animated image in a pack.
    public var imagesMaximumFrames: Int { integer(.imagesMaximumFrames) }
    /// Maximum number of pixels (width times height) of an image in a pack.
    public var imagesMaximumPixels: Int { integer(.imagesMaximumPixels) }
    /// Maximum file size of an image in a pack.
    ///
    /// In bytes.
    public var imagesMaximumSize: Int { integer(.imagesMaximumSize) }
    /// Time for which the previous version of a pack is kept for rollback; 0 keeps none.
    ///
    /// Zero where previous versions are not kept.
    public var libraryKeepPrevious: Duration { .seconds(integer(.libraryKeepPrevious) * 86_400) }
    /// Maximum size of all packs together; 0 is unlimited.
    ///
    /// In bytes; `nil` is unlimited.
    public var libraryMaximumSize: Int? { positive(.libraryMaximumSize) }
    /// Minimum level of the messages that the daemon logs.
    ///
    /// One of the level names of swift-log.
    public var logLevel: String { text(.logLevel) }
    /// Whether public stores may refer to hosts at loopback, link-local and private addresses.
    public var networkAllowLocalAddresses: Bool { flag(.networkAllowLocalAddresses) }
    /// Maximum time for a server to begin its response.
    public var networkAnswerTimeout: Duration { .seconds(integer(.networkAnswerTimeout)) }
    /// Bandwidth limit of all downloads together; 0 is unlimited.
    ///
    /// In bytes per second; `nil` is unlimited.
    public var networkBandwidth: Int? { positive(.networkBandwidth) }
    /// PEM file with the certificates to trust instead of the machine's.
    ///
    /// `nil` for the machine's certificates.
    public var networkCertificates: String? { nonempty(.networkCertificates) }
    /// Maximum time for establishing a connection.
    public var networkConnectTimeout: Duration { .seconds(integer(.networkConnectTimeout)) }
    /// Maximum number of connections to one host.
    public var networkConnectionsPerHost: Int { integer(.networkConnectionsPerHost) }
    /// Hosts to contact without a proxy, instead of those in the variable no_proxy.
    ///
    /// `nil` where the environment decides.
    public var networkNoProxy: String? { nonempty(.networkNoProxy) }
    /// Proxy for all stores, instead of those in http_proxy, https_proxy and all_proxy.
    ///
    /// `nil` where the environment decides.
    public var networkProxy: String? { nonempty(.networkProxy) }
    /// Share of network.bandwidth that each kind of content gets, in percent.
    ///
    /// Percentages by kind of content; empty where nothing is shared.
    public var networkShares: [String: Int] { (try? SettingShares(text(.networkShares)).percent) ?? [:] }
    /// Time without progress after which a transfer is retried.
    ///
    /// In bytes per second; 0 where only a complete stall counts.
    public var networkSlowestRate: Int { integer(.networkSlowestRate) }
    public var networkStallTimeout: Duration { .seconds(integer(.networkStallTimeout)) }
    /// Maximum duration of a transfer, after which it is retried; 0 is unlimited.
    ///
    /// `nil` is unlimited.
    public var networkWholeTimeout: Duration? { positive(.networkWholeTimeout).map { .seconds($0) } }
    /// Skin to use where none was chosen.
    public var skinsDefault: String { text(.skinsDefault) }
    /// Kind of device whose skin variants are used.
    public var skinsIdiom: String { text(.skinsIdiom) }
    /// Maximum memory for the images that a skin requests to keep in memory.
    ///
    /// In bytes.
    public var skinsMemory: Int { integer(.skinsMemory) }
    /// Extension of the directories of preinstalled skins.
    ///
    /// Without the dot.
    public var skinsPreinstalledExtension: String { text(.skinsPreinstalledExtension) }
    /// Extension of the directories of skins from a store.
    ///
    /// Without the dot.
    public var skinsPurchasedExtension: String { text(.skinsPurchasedExtension) }
    /// Interval at which the daemon checks for updates and publishes an event; 0 is never.
    ///
    /// `nil` where the daemon does not check for updates by itself.
    public var updatesCheckEvery: Duration? {
        let seconds = integer(.updatesCheckEvery)
        return seconds == 0 ? nil : .seconds(seconds)
    }
    /// Age from which an update refreshes a cached catalogue; 0 contacts the store each time.
    public var updatesRefreshAfter: Duration { .seconds(integer(.updatesRefreshAfter)) }
}
