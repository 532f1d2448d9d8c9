public import FoundationEssentials
import StoreModel

/// The settings that hold, each with where its value comes from.
public struct Settings: Sendable, Hashable {
    private var values: [SettingKey: SettingValue] = [:]
    private var origins: [SettingKey: SettingOrigin] = [:]
    /// What was found in the files and means nothing, in words for people.
    public internal(set) var warnings: [String] = []

    /// The defaults.
    public init() {}

    /// The value of one setting. A value that is set must be one that the key allows.
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

    /// Where the value of one setting comes from.
    public func origin(of key: SettingKey) -> SettingOrigin { origins[key] ?? .default }

    /// The content of a file that sets every key to its default: `config/settings.json` of the repository.
    public static func exampleFile() throws -> Data {
        let document = SettingKey.all.reduce(JSONValue.object([:])) { document, key in
            document.setting(key.parts, to: JSONValue(key.defaultValue))
        }
        return try JSON.encode(document, pretty: true) + Data("\n".utf8)
    }

    private func integer(_ key: SettingKey) -> Int {
        if case .integer(let number) = self[key] { number } else { preconditionFailure("\(key.name) is no number") }
    }

    /// A number that stands for none where it is 0.
    private func positive(_ key: SettingKey) -> Int? {
        let number = integer(key)
        return number == 0 ? nil : number
    }

    /// Text that stands for none where it is empty.
    private func given(_ key: SettingKey) -> String? {
        let text = text(key)
        return text.isEmpty ? nil : text
    }

    private func text(_ key: SettingKey) -> String {
        if case .text(let text) = self[key] { text } else { preconditionFailure("\(key.name) is no text") }
    }
}

// The same values as the program uses them. What each means stands in the table of `SettingKey`.
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
    /// `nil` where the daemon never ends by itself.
    public var daemonIdleTimeout: Duration? { positive(.daemonIdleTimeout).map { .seconds($0) } }
    public var downloadsAttempts: Int { integer(.downloadsAttempts) }
    /// In bytes; 0 where none are kept.
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
    /// Zero where the version before an update is not kept.
    public var libraryKeepPrevious: Duration { .seconds(integer(.libraryKeepPrevious) * 86_400) }
    /// In bytes; `nil` where there is no limit.
    public var libraryMaximumSize: Int? { positive(.libraryMaximumSize) }
    /// One of the level names of swift-log.
    public var logLevel: String { text(.logLevel) }
    public var networkAnswerTimeout: Duration { .seconds(integer(.networkAnswerTimeout)) }
    /// In bytes a second; `nil` where there is no limit.
    public var networkBandwidth: Int? { positive(.networkBandwidth) }
    /// `nil` for the machine's.
    public var networkCertificates: String? { given(.networkCertificates) }
    public var networkConnectTimeout: Duration { .seconds(integer(.networkConnectTimeout)) }
    public var networkConnectionsPerHost: Int { integer(.networkConnectionsPerHost) }
    /// `nil` where the environment says it.
    public var networkNoProxy: String? { given(.networkNoProxy) }
    /// `nil` where the environment says it.
    public var networkProxy: String? { given(.networkProxy) }
    /// By kind, in percent; empty where nothing is shared out.
    public var networkShares: [String: Int] { (try? SettingShares(text(.networkShares)).percent) ?? [:] }
    /// In bytes a second; 0 where only standing still counts.
    public var networkSlowestRate: Int { integer(.networkSlowestRate) }
    public var networkStallTimeout: Duration { .seconds(integer(.networkStallTimeout)) }
    /// `nil` where there is no limit.
    public var networkWholeTimeout: Duration? { positive(.networkWholeTimeout).map { .seconds($0) } }
    public var skinsDefault: String { text(.skinsDefault) }
    public var skinsIdiom: String { text(.skinsIdiom) }
    /// In bytes.
    public var skinsMemory: Int { integer(.skinsMemory) }
    /// Without the dot.
    public var skinsPreinstalledExtension: String { text(.skinsPreinstalledExtension) }
    /// Without the dot.
    public var skinsPurchasedExtension: String { text(.skinsPurchasedExtension) }
    /// `nil` where the daemon does not look by itself.
    public var updatesCheckEvery: Duration? {
        let seconds = integer(.updatesCheckEvery)
        return seconds == 0 ? nil : .seconds(seconds)
    }
    public var updatesRefreshAfter: Duration { .seconds(integer(.updatesRefreshAfter)) }
}
