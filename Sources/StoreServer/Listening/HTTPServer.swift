import Files
import Glibc
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

/// Serves HTTP/1.1 on a listening socket, to one user only.
///
/// Hummingbird's own server binds a path by itself and removes what is there; here the descriptor is given, whoever
/// made it, so only its handling of a connection is used.
struct HTTPServer: Sendable {
    /// Answers a request. Errors that it throws end the connection.
    typealias Respond = @Sendable (Request, any Channel) async throws -> Response

    let socket: ListeningSocket
    let connections: OpenConnections
    let log: Logger
    /// Whose connections are taken.
    var user = geteuid()
    let respond: Respond

    /// Accepts connections until ``OpenConnections/finish()``, and returns when the last of them is closed.
    func run() async throws {
        let http = HTTP1Channel { [respond] request, writer, channel in
            let response = try await respond(request, channel)
            try await writer.write(response: response.head, body: response.body)
        }
        let listening = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // A client that has sent all it wants may close its side and still be answered.
            .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .bind(socket.descriptor) { [connections, log, user] channel in
                guard Self.peer(of: channel) == user else {
                    log.warning("A connection of another user was closed.")
                    return channel.close().recover { _ in }.map { nil as HTTP1Channel.Value? }
                }
                connections.add(channel)
                return http.setup(channel: channel, logger: log).map { $0 as HTTP1Channel.Value? }
            }
        connections.setListener(listening.channel)
        log.info("Listening.", metadata: ["socket": "\(socket.path)"])
        await withDiscardingTaskGroup { group in
            do {
                try await listening.executeThenClose { arriving in
                    for try await connection in arriving {
                        guard let connection else { continue }
                        group.addTask { [log] in await http.handle(value: connection, logger: log) }
                    }
                }
            } catch {
                log.debug("Listening ended.", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Asked on the connection's event loop, before anything of it is read.
    private static func peer(of channel: any Channel) -> UInt32? {
        let user = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            PeerCredentials.user(of: $0)
        }
        return user ?? nil
    }
}
