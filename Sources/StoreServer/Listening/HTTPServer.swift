import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import StoreSystem

/// Serves HTTP/1.1 on a listening socket, to one user only.
///
/// Hummingbird's own server binds a path by itself and removes what is there; here the descriptor is given, whoever
/// made it, so only its handling of a connection is used.
struct HTTPServer: Sendable {
    /// Answers a request. Errors that it throws end the connection.
    typealias Respond = @Sendable (Request, any Channel) async throws -> Response

    let connections: OpenConnections
    private let listener: ConnectionListener
    private let log: Logger
    private let respond: Respond

    /// - Parameters:
    ///   - socket: whose descriptor is taken over; who connects from now on is answered by ``run()``.
    ///   - user: whose connections are taken.
    init(
        socket: ListeningSocket, connections: OpenConnections, log: Logger, user: UInt32 = CurrentProcess.effectiveUser,
        respond: @escaping Respond
    ) {
        self.connections = connections
        self.log = log
        self.respond = respond
        listener = ConnectionListener(socket, user: user) { log.warning("A connection of another user was closed.") }
        log.info("Listening.", metadata: ["socket": "\(socket.path)"])
    }

    /// Returns when ``stopListening()`` was called and the last connection is closed.
    func run() async {
        let http = HTTP1Channel { [respond] request, writer, channel in
            let response = try await respond(request, channel)
            try await writer.write(response: response.head, body: response.body)
        }
        await withDiscardingTaskGroup { group in
            for await socket in listener.arrivals {
                group.addTask { await serve(socket, http) }
            }
        }
    }

    private func serve(_ socket: UnixSocket, _ http: HTTP1Channel) async {
        // A client that has sent all it wants may close its side and still be answered.
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
        do {
            let connection = try await bootstrap.withConnectedSocket(socket.releaseDescriptor()) { [log] channel in
                http.setup(channel: channel, logger: log)
            }
            // Only now: an end closes what it knows of, and one that is closed before NIO has made it ready is a fatal
            // error of NIO's debug builds (seen with swift-nio 2.101).
            connections.add(connection.channel)
            await http.handle(value: connection, logger: log)
        } catch {
            log.debug("A connection ended at its beginning.", metadata: ["error": "\(error)"])
        }
    }

    /// Lets nobody connect any more. Who has connected already is still answered.
    func stopListening() {
        listener.stop()
    }
}
