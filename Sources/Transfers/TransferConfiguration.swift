import StoreSystem

/// The options that apply to all transfers of a ``TransferEngine``.
public struct TransferConfiguration: Sendable {
    /// The maximum number of connections to one host, for which further transfers wait; `nil` is unlimited.
    public var connectionsPerHost: Int?
    /// The maximum number of connections to all hosts together, for which further transfers wait; `nil` is unlimited.
    public var connections: Int?
    /// The maximum number of connections for one file.
    ///
    /// More than one is used only if several are faster.
    public var connectionsPerFile: Int
    /// The maximum number of connections for one file, of those that a host may have.
    ///
    /// The part of a file that waits for the end of another is no faster.
    var usableConnectionsPerFile: Int { min(connectionsPerFile, connectionsPerHost ?? .max, connections ?? .max) }
    /// The value of the HTTP header field `User-Agent` of all requests.
    public var userAgent: String
    /// The path of a PEM file with the TLS certificates to trust; `nil` trusts those of the machine.
    public var certificates: String?
    /// The proxy for all hosts in curl's syntax (`socks5h://127.0.0.1:9050`).
    ///
    /// `nil` is the proxy of the environment (`http_proxy` and related variables).
    public var proxy: String?
    /// The hosts that are contacted without a proxy, separated by commas; `nil` is the list of the environment.
    public var noProxy: String?
    /// Returns whether an address counts as public for ``AddressPolicy``; tests replace it, because all their servers are
    /// on this machine.
    var isPublicAddress: @Sendable (InternetAddress) -> Bool = { $0.isPublic }

    /// Creates the options of a transfer engine.
    public init(
        connectionsPerHost: Int? = 4, connections: Int? = 64, connectionsPerFile: Int = 4,
        userAgent: String = "storectl", certificates: String? = nil, proxy: String? = nil, noProxy: String? = nil
    ) {
        self.connectionsPerHost = connectionsPerHost
        self.connections = connections
        self.connectionsPerFile = connectionsPerFile
        self.userAgent = userAgent
        self.certificates = certificates
        self.proxy = proxy
        self.noProxy = noProxy
    }
}
