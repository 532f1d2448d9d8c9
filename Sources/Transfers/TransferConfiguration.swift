/// What holds for all transfers of an engine.
public struct TransferConfiguration: Sendable {
    /// Connections to one host at once; more transfers wait for their turn. `nil` is without limit, for a client of the
    /// daemon, whose open event streams would otherwise use them up.
    public var connectionsPerHost: Int?
    /// Connections at once to all hosts together; `nil` is without limit.
    public var connections: Int?
    /// Connections for one file at most, where more than one turn out to be faster.
    public var connectionsPerFile: Int
    /// What the engine calls itself.
    public var userAgent: String
    /// A file of certificates (PEM) to trust instead of the machine's.
    public var certificates: String?
    /// The proxy for all hosts, as curl takes it (`socks5h://127.0.0.1:9050`); `nil` is the one that the environment
    /// names (`http_proxy` and its kin).
    public var proxy: String?
    /// The hosts that are asked without a proxy, with commas between them; `nil` are those of the environment.
    public var noProxy: String?

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
