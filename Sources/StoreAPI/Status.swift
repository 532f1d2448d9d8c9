public import FoundationEssentials
public import StoreOpenAPI

/// The daemon's JSON response to `GET /v1/status`: the daemon's version, directories and load.
public struct StatusDocument: Sendable, Codable {
    /// Whether a daemon runs; always `true` in a response of the daemon itself.
    public var running: Bool
    /// The version of the program that created the status: the daemon's, or the command line's if no daemon runs.
    public var version: String
    /// The version number of the daemon's HTTP interface.
    ///
    /// A client whose version differs can't use the daemon.
    public var apiVersion: Int
    /// The process id of the daemon; `nil` if no daemon runs.
    public var pid: Int32?
    /// When the daemon started; `nil` if no daemon runs.
    public var startedAt: Date?
    /// The paths of the directories that the daemon works on; `nil` if no daemon runs.
    public var home: HomeDocument?
    /// The path of the unix socket at which the daemon listens; `nil` if no daemon runs.
    ///
    /// Usually `stored.sock` in the home's directory `run`. A service manager may have created it elsewhere.
    public var socket: String?
    /// The number of downloads that run, wait or are paused; `nil` if no daemon runs.
    public var activeDownloads: Int?
    /// The number of connections to which the daemon sends events; `nil` if no daemon runs.
    public var observers: Int?
    /// The sequence number of the daemon's newest event; `nil` if no daemon runs.
    public var sequence: UInt64?
    /// Texts for display about problems that don't keep the daemon from working; `nil` if no daemon runs.
    public var warnings: [String]?
    /// Whether confined processes read the packs that are installed; `nil` if no daemon runs.
    public var confinement: ConfinementDocument?
    /// Whether thumbnails can be made; `nil` if no daemon runs.
    public var thumbnails: ThumbnailsDocument?

    /// Creates the status of a daemon, or that of no daemon.
    public init(
        running: Bool, version: String, pid: Int32? = nil, startedAt: Date? = nil, home: HomeDocument? = nil,
        socket: String? = nil, activeDownloads: Int? = nil, observers: Int? = nil, sequence: UInt64? = nil,
        warnings: [String]? = nil, confinement: ConfinementDocument? = nil, thumbnails: ThumbnailsDocument? = nil
    ) {
        self.running = running
        self.version = version
        apiVersion = StoreAPI.version
        self.pid = pid
        self.startedAt = startedAt
        self.home = home
        self.socket = socket
        self.activeDownloads = activeDownloads
        self.observers = observers
        self.sequence = sequence
        self.warnings = warnings
        self.confinement = confinement
        self.thumbnails = thumbnails
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
            .optional("socket", .nonEmptyText, "The path of the unix socket at which the daemon listens."),
            .optional("activeDownloads", .count, "The number of downloads that run, wait or are paused."),
            .optional("observers", .count, "The number of connections that read events."),
            .optional("sequence", .sequenceNumber, "The number of the newest event."),
            .optional("warnings", .array(of: .text), "Problems that don't keep the daemon from working."),
            .optional("confinement", .reference(to: ConfinementDocument.self)),
            .optional("thumbnails", .reference(to: ThumbnailsDocument.self)),
        ])
}

/// The absolute paths of the directories that the daemon works on, together called the home.
public struct HomeDocument: Sendable, Codable {
    /// The path of the directory of the packs, the database and the lock file.
    public var data: String
    /// The path of the directory of incomplete downloads and cached catalogues, which can be fetched again.
    public var cache: String
    /// The path of the directory of the user's settings and list of stores.
    public var config: String
    /// The path of the directory in which the daemon creates its socket.
    public var run: String

    /// Creates the list of the paths of the daemon's directories.
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
