public import FoundationEssentials
import StoreModel

/// The effective settings, with the source of each value.
public struct Settings: Sendable, Hashable {
    private var values: [SettingKey: SettingValue] = [:]
    private var origins: [SettingKey: SettingOrigin] = [:]
    /// Descriptions of unknown settings in the files, for people.
    public internal(set) var warnings: [String] = []

    /// Creates settings with the default values.
    public init() {}

    /// The value of a setting. Setting a value that the key does not allow is a programming error.
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

    /// Returns the content of a file that sets every key to its default: `config/settings.json` of the repository.
    public static func exampleFile() throws -> Data {
        let document = SettingKey.all.reduce(JSONValue.object([:])) { document, key in
            document.setting(key.parts, to: JSONValue(key.defaultValue))
        }
        return try JSON.encode(document, pretty: true) + Data("\n".utf8)
    }

    private func integer(_ key: SettingKey) -> Int {
        if case .integer(let number) = self[key] { number } else { preconditionFailure("\(key.name) is no number") }
    }

    /// Returns a number, or `nil` for 0.
    private func positive(_ key: SettingKey) -> Int? {
        let number = integer(key)
        return number == 0 ? nil : number
    }

    /// Returns a text, or `nil` for an empty one.
    private func nonempty(_ key: SettingKey) -> String? {
        let text = text(key)
        return text.isEmpty ? nil : text
    }

    private func text(_ key: SettingKey) -> String {
        if case .text(let text) = self[key] { text } else { preconditionFailure("\(key.name) is no text") }
    }
}

// The values as the program uses them. The table of `SettingKey` documents their meaning.
extension Settings {
    public var archivesMaximumDepth: Int { integer(.archivesMaximumDepth) }
    public var archivesMaximumEntries: Int { integer(.archivesMaximumEntries) }
    /// In bytes.
    public var archivesMaximumNameLength: Int { integer(.archivesMaximumNameLength) }
    /// In bytes.
    public var archivesMaximumPathLength: Int { integer(.archivesMaximumPathLength) }
    public var archivesMaximumRatio: Int { integer(.archivesMaximumRatio) }
    /// In bytes.
    public var archivesMaximumUnpackedSize: Int { integer(.archivesMaximumUnpackedSize) }
    /// In bytes.
    public var catalogueMaximumSize: Int { integer(.catalogueMaximumSize) }
    public var catalogueRefreshAfter: Duration { .seconds(integer(.catalogueRefreshAfter)) }
    /// `nil` where the daemon never exits by itself.
    public var daemonIdleTimeout: Duration? { positive(.daemonIdleTimeout).map { .seconds($0) } }
    public var downloadsAttempts: Int { integer(.downloadsAttempts) }
    /// In bytes; 0 where no archives are cached.
    public var downloadsKeptArchives: Int { integer(.downloadsKeptArchives) }
    public var downloadsMaximumAtOnce: Int { integer(.downloadsMaximumAtOnce) }
    /// In bytes.
    public var downloadsMaximumSize: Int { integer(.downloadsMaximumSize) }
    public var downloadsRetryDelay: Duration { .milliseconds(integer(.downloadsRetryDelay)) }
    public var downloadsRetryLongestDelay: Duration { .seconds(integer(.downloadsRetryLongestDelay)) }
    public var imagesMaximumAllPixels: Int { integer(.imagesMaximumAllPixels) }
    public var imagesMaximumFrames: Int { integer(.imagesMaximumFrames) }
    public var imagesMaximumPixels: Int { integer(.imagesMaximumPixels) }
    /// In bytes.
    public var imagesMaximumSize: Int { integer(.imagesMaximumSize) }
    /// Zero where previous versions are not kept.
    public var libraryKeepPrevious: Duration { .seconds(integer(.libraryKeepPrevious) * 86_400) }
    /// In bytes; `nil` is unlimited.
    public var libraryMaximumSize: Int? { positive(.libraryMaximumSize) }
    /// One of the level names of swift-log.
    public var logLevel: String { text(.logLevel) }
    public var networkAnswerTimeout: Duration { .seconds(integer(.networkAnswerTimeout)) }
    /// In bytes per second; `nil` is unlimited.
    public var networkBandwidth: Int? { positive(.networkBandwidth) }
    /// `nil` for the machine's certificates.
    public var networkCertificates: String? { nonempty(.networkCertificates) }
    public var networkConnectTimeout: Duration { .seconds(integer(.networkConnectTimeout)) }
    public var networkConnectionsPerHost: Int { integer(.networkConnectionsPerHost) }
    /// `nil` where the environment decides.
    public var networkNoProxy: String? { nonempty(.networkNoProxy) }
    /// `nil` where the environment decides.
    public var networkProxy: String? { nonempty(.networkProxy) }
    /// Percentages by kind of content; empty where nothing is shared.
    public var networkShares: [String: Int] { (try? SettingShares(text(.networkShares)).percent) ?? [:] }
    /// In bytes per second; 0 where only a complete stall counts.
    public var networkSlowestRate: Int { integer(.networkSlowestRate) }
    public var networkStallTimeout: Duration { .seconds(integer(.networkStallTimeout)) }
    /// `nil` is unlimited.
    public var networkWholeTimeout: Duration? { positive(.networkWholeTimeout).map { .seconds($0) } }
    public var skinsDefault: String { text(.skinsDefault) }
    public var skinsIdiom: String { text(.skinsIdiom) }
    /// In bytes.
    public var skinsMemory: Int { integer(.skinsMemory) }
    /// Without the dot.
    public var skinsPreinstalledExtension: String { text(.skinsPreinstalledExtension) }
    /// Without the dot.
    public var skinsPurchasedExtension: String { text(.skinsPurchasedExtension) }
    /// `nil` where the daemon does not check for updates by itself.
    public var updatesCheckEvery: Duration? {
        let seconds = integer(.updatesCheckEvery)
        return seconds == 0 ? nil : .seconds(seconds)
    }
    public var updatesRefreshAfter: Duration { .seconds(integer(.updatesRefreshAfter)) }
}
