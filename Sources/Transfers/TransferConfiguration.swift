import StoreSystem

/// The options that apply to all transfers of a ``TransferEngine``.
public struct TransferConfiguration: Sendable {
    /// The maximum number of connections to one host; further transfers wait for one of them.
    ///
    /// `nil` is unlimited, for a client of the daemon, whose open event streams would otherwise use up the connections.
    public var connectionsPerHost: Int?
    /// The maximum number of connections to all hosts together; `nil` is unlimited.
    public var connections: Int?
    /// The maximum number of connections for one file, of which more than one are used only if they are faster.
    public var connectionsPerFile: Int
    /// The value of the header field `User-Agent`.
    public var userAgent: String
    /// The path of a PEM file with the certificates to trust instead of the machine's; `nil` trusts those of the
    /// machine.
    public var certificates: String?
    /// The proxy for all hosts in curl's syntax (`socks5h://127.0.0.1:9050`); `nil` is the proxy of the environment
    /// (`http_proxy` and related variables).
    public var proxy: String?
    /// The hosts that are contacted without a proxy, separated by commas; `nil` is the list of the environment.
    public var noProxy: String?
    /// Returns whether an address counts as public for ``AddressPolicy``; tests replace it, because all their servers are
    /// on this machine.
    var isPublicAddress: @Sendable (InternetAddress) -> Bool = { $0.isPublic }

    /// Creates a configuration.
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
