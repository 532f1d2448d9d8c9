import Hummingbird
import Logging
import NIOCore

/// The context that Hummingbird passes along with an HTTP request.
///
/// It stores the connection's channel for event streams, and the registry of the server's connections.
struct ServerRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The registry of the server's open connections; `nil` outside a server.
    private(set) var connections: OpenConnections?
    /// Whether the request came through the web listener, which has checked already which page sent it.
    private(set) var isFromWebListener = false

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Creates the context of a request that a server has received on one of its connections.
    ///
    /// - Parameter isFromWebListener: whether the request came through the web listener, which has checked already which page sent it.
    init(_ channel: any Channel, of connections: OpenConnections, log: Logger, isFromWebListener: Bool = false) {
        self.init(source: ApplicationRequestContextSource(channel: channel, logger: log))
        self.connections = connections
        self.isFromWebListener = isFromWebListener
    }
}
