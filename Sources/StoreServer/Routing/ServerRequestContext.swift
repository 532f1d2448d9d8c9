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

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }

    /// Creates the context of a request that a server has received on one of its connections.
    init(_ channel: any Channel, of connections: OpenConnections, log: Logger) {
        self.init(source: ApplicationRequestContextSource(channel: channel, logger: log))
        self.connections = connections
    }
}
