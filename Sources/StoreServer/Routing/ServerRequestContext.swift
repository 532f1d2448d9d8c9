import Hummingbird
import NIOCore

/// The context that Hummingbird passes along with an HTTP request.
///
/// It stores the connection's channel for event streams.
struct ServerRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}
