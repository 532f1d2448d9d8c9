public import FoundationEssentials
public import StoreModel

/// `GET /v1/status`.
public struct StatusDocument: Sendable, Codable {
    public var running: Bool
    /// Of the program.
    public var version: String
    /// Of this interface; a client and a daemon that differ here can't talk.
    public var apiVersion: Int
    public var pid: Int32?
    public var startedAt: Date?
    /// The folders that it works on.
    public var home: HomeDocument?
    /// Tasks that run, wait or are paused.
    public var activeDownloads: Int?
    /// Connections that read events.
    public var observers: Int?
    /// The number of the newest event.
    public var sequence: UInt64?
    /// What is not as it should be, and works all the same, in words for people.
    public var warnings: [String]?

    public init(
        running: Bool, version: String, pid: Int32? = nil, startedAt: Date? = nil, home: HomeDocument? = nil,
        activeDownloads: Int? = nil, observers: Int? = nil, sequence: UInt64? = nil, warnings: [String]? = nil
    ) {
        self.running = running
        self.version = version
        apiVersion = StoreAPI.version
        self.pid = pid
        self.startedAt = startedAt
        self.home = home
        self.activeDownloads = activeDownloads
        self.observers = observers
        self.sequence = sequence
        self.warnings = warnings
    }
}

/// Where a daemon keeps what it keeps.
public struct HomeDocument: Sendable, Codable {
    public var data: String
    public var cache: String
    public var config: String
    public var run: String

    public init(data: String, cache: String, config: String, run: String) {
        self.data = data
        self.cache = cache
        self.config = config
        self.run = run
    }
}

/// What holds for every version of the interface.
public enum StoreAPI {
    /// Grows when a client written for the one before would be misled.
    public static let version = 1
    /// The header in which the daemon names that version with every answer.
    public static let versionHeader = "Storectl-Api-Version"
    /// Of the programs of this package; they are released together.
    public static let programVersion = "0.1.0"
}

/// `GET /v1/stores`, and the answer of a refresh.
public struct StoreList: Sendable, Codable {
    public var stores: [StoreSummary]
    public init(stores: [StoreSummary]) { self.stores = stores }
}

/// `GET /v1/products`.
public struct ProductList: Sendable, Codable {
    public var products: [ProductSummary]
    /// Stores that could not be asked, or whose catalogue is older than it should be, with the reason.
    public var warnings: [String]
    /// Where more follow: what to ask for as `after`; `nil` at the end of the list.
    public var next: String?
    public init(products: [ProductSummary], warnings: [String] = [], next: String? = nil) {
        self.products = products
        self.warnings = warnings
        self.next = next
    }
}

/// `GET /v1/products/{store}/{id}`: all that is known of a product.
public struct ProductDocument: Sendable, Codable {
    public var store: String
    public var product: ProductItem
    public var state: [ProductState]
    /// `nil` where the product has no details document, or it can't be had now.
    @OrNull public var details: ProductDetails?
    /// `nil` where it is not installed.
    @OrNull public var pack: InstalledPack?

    public init(
        store: String, product: ProductItem, state: [ProductState], details: ProductDetails?, pack: InstalledPack?
    ) {
        self.store = store
        self.product = product
        self.state = state
        self.details = details
        self.pack = pack
    }
}

/// `GET /v1/downloads`.
public struct DownloadList: Sendable, Codable {
    public var downloads: [DownloadStatus]
    /// Where more follow: what to ask for as `after`; `nil` at the end of the list.
    public var next: String?
    public init(downloads: [DownloadStatus], next: String? = nil) {
        self.downloads = downloads
        self.next = next
    }
}

/// `GET /v1/packs`.
public struct PackList: Sendable, Codable {
    public var packs: [InstalledPack]
    /// Where more follow: what to ask for as `after`; `nil` at the end of the list.
    public var next: String?
    public init(packs: [InstalledPack], next: String? = nil) {
        self.packs = packs
        self.next = next
    }
}

extension PackList: JSONReadable {
    public init(from reader: inout JSONReader) throws(JSONReader.Malformed) {
        var packs: [InstalledPack]?
        var next: String?
        try reader.object { reader, member throws(JSONReader.Malformed) in
            switch member {
            case "packs": packs = try reader.array(of: InstalledPack.self)
            case "next": next = try reader.null() ? nil : reader.string()
            default: try reader.skip()
            }
        }
        guard let packs else { throw reader.malformed }
        self.init(packs: packs, next: next)
    }
}

/// `GET /v1/snapshot`: everything as it stood right after the event with this sequence number.
public struct SnapshotDocument: Sendable, Codable {
    public var sequence: UInt64
    public var downloads: [DownloadStatus]
    public var packs: [InstalledPack]
    /// `nil` from a daemon that knows of no skins.
    public var skin: SkinUse?
    public init(sequence: UInt64, downloads: [DownloadStatus], packs: [InstalledPack], skin: SkinUse? = nil) {
        self.sequence = sequence
        self.downloads = downloads
        self.packs = packs
        self.skin = skin
    }
}

/// `GET /v1/operations`.
public struct OperationList: Sendable, Codable {
    public var operations: [OperationRecord]
    /// Where more follow: what to ask for as `after`; `nil` at the end of the list.
    public var next: String?
    public init(operations: [OperationRecord], next: String? = nil) {
        self.operations = operations
        self.next = next
    }
}

/// `GET /v1/updates`.
public struct UpdateList: Sendable, Codable {
    public var updates: [AvailableUpdate]
    /// Stores that could not be asked, with the reason.
    public var warnings: [String]
    /// Why the first of them could not; without one all were asked.
    public var error: ErrorReport?
    public init(updates: [AvailableUpdate], warnings: [String] = [], error: ErrorReport? = nil) {
        self.updates = updates
        self.warnings = warnings
        self.error = error
    }
}

/// `GET /v1/purchases`.
public struct PurchaseList: Sendable, Codable {
    public var purchases: [Purchase]
    public init(purchases: [Purchase]) { self.purchases = purchases }
}

/// What became of one product of several that one call named. Also the rows of the command line's `results`.
public struct OperationResult: Sendable, Codable {
    public var productIdentifier: String
    /// `nil` where none was begun.
    @OrNull public var operation: OperationID?
    /// `nil` while it runs, and where none was begun.
    @OrNull public var end: OperationEnd?
    @OrNull public var error: ErrorReport?

    public init(
        productIdentifier: String, operation: OperationID? = nil, end: OperationEnd? = nil, error: ErrorReport? = nil
    ) {
        self.productIdentifier = productIdentifier
        self.operation = operation
        self.end = end
        self.error = error
    }
}

/// `DELETE /v1/packs/{id}`.
public struct Uninstallation: Sendable, Codable {
    public var record: OperationRecord
    /// What the pack needed, came from a store, and is needed and used by nothing any more.
    public var unneeded: [String]

    public init(_ record: OperationRecord, unneeded: [String]) {
        self.record = record
        self.unneeded = unneeded
    }

    private enum Key: String, CodingKey { case unneeded }

    public init(from decoder: any Decoder) throws {
        record = try OperationRecord(from: decoder)
        unneeded = try decoder.container(keyedBy: Key.self).decodeIfPresent([String].self, forKey: .unneeded) ?? []
    }

    public func encode(to encoder: any Encoder) throws {
        try record.encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(unneeded, forKey: .unneeded)
    }
}

/// `POST /v1/updates`.
public struct OperationResultList: Sendable, Codable {
    public var results: [OperationResult]
    public init(results: [OperationResult]) { self.results = results }
}

/// `POST /v1/packs/{id}/verify`: what of a pack is not as it was installed.
public struct VerificationDocument: Sendable, Codable {
    public var productIdentifier: String
    public var intact: Bool
    public var damages: [PackDamage]
    public init(productIdentifier: String, damages: [PackDamage]) {
        self.productIdentifier = productIdentifier
        intact = damages.isEmpty
        self.damages = damages
    }
}

/// `GET /v1/config`.
public struct SettingList: Sendable, Codable {
    public var settings: [SettingDocument]
    public init(settings: [SettingDocument]) { self.settings = settings }
}

/// One setting, and the answer of changing it.
public struct SettingDocument: Sendable, Codable {
    public var key: String
    public var value: String
    /// Where the value comes from: `default`, a file's path, or a variable's name.
    public var origin: String
    public var summary: String
    /// Whether the value only counts from the daemon's next start on.
    public var needsRestart: Bool

    public init(key: String, value: String, origin: String, summary: String, needsRestart: Bool) {
        self.key = key
        self.value = value
        self.origin = origin
        self.summary = summary
        self.needsRestart = needsRestart
    }
}

/// `GET /v1/stickers`.
public struct StickerPackList: Sendable, Codable {
    public var packs: [StickerPack]
    public init(packs: [StickerPack]) { self.packs = packs }
}

/// An error as RFC 9457 wants it (`application/problem+json`), with the code words of the command line.
public struct ProblemDocument: Sendable, Codable {
    public var type: String
    public var title: String
    /// The HTTP status.
    public var status: Int
    public var detail: String
    public var code: String
    public var exitCode: Int32
    /// What has to be consented to before the same request can succeed.
    public var permissions: [Permission]?

    public init(_ report: ErrorReport, status: Int) {
        type = "about:blank"
        title = report.code.word
        self.status = status
        detail = report.message
        code = report.code.word
        exitCode = report.code.exitCode.rawValue
        permissions = report.permissions.isEmpty ? nil : report.permissions
    }

    public var report: ErrorReport {
        ErrorReport(
            code: ErrorCode(code, ExitCode(rawValue: exitCode) ?? .failed), message: detail,
            permissions: permissions ?? [])
    }
}
