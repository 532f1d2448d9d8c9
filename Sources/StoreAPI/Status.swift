public import FoundationEssentials
public import StoreOpenAPI

/// The response of `GET /v1/status`: the daemon's version, home and load.
public struct StatusDocument: Sendable, Codable {
    /// Whether a daemon runs; always `true` in a response of the daemon itself.
    public var running: Bool
    /// The version of the program.
    public var version: String
    /// The version of the HTTP interface.
    ///
    /// A client whose version differs can't use the daemon.
    public var apiVersion: Int
    /// The daemon's process identifier.
    public var pid: Int32?
    /// When the daemon started.
    public var startedAt: Date?
    /// The directories that the daemon works on.
    public var home: HomeDocument?
    /// The number of downloads that run, wait or are paused.
    public var activeDownloads: Int?
    /// The number of connections that read events.
    public var observers: Int?
    /// The number of the newest event.
    public var sequence: UInt64?
    /// Problems that don't keep the daemon from working, as text for people.
    public var warnings: [String]?

    /// Creates the status.
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

extension StatusDocument: SchemaProviding {
    public static let schemaName = "Status"
    public static let schema = Schema.document(
        "The daemon's version, home and load.",
        [
            .required("running", .boolean),
            .required("version", .nonEmptyText, "The version of the program."),
            .required("apiVersion", .positiveInteger, "The version of this interface."),
            .optional("pid", .positiveInteger),
            .optional("startedAt", .dateTime),
            .optional("home", .reference(to: HomeDocument.self)),
            .optional("activeDownloads", .count, "The number of downloads that run, wait or are paused."),
            .optional("observers", .count, "The number of connections that read events."),
            .optional("sequence", .sequenceNumber, "The number of the newest event."),
            .optional("warnings", .array(of: .text), "Problems that don't keep the daemon from working."),
        ])
}

/// The absolute paths of the directories of a home.
public struct HomeDocument: Sendable, Codable {
    /// Packs, database and lock.
    public var data: String
    /// Downloads and catalogues, which can be fetched again.
    public var cache: String
    /// The user's settings and stores.
    public var config: String
    /// The socket.
    public var run: String

    /// Creates the list of directories.
    public init(data: String, cache: String, config: String, run: String) {
        self.data = data
        self.cache = cache
        self.config = config
        self.run = run
    }
}

extension HomeDocument: SchemaProviding {
    public static let schemaName = "Home"
    public static let schema = Schema.document(
        "The absolute paths of the directories that the daemon works on.",
        [
            .required("data", .nonEmptyText), .required("cache", .nonEmptyText), .required("config", .nonEmptyText),
            .required("run", .nonEmptyText),
        ])
}
