import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import StoreModel
import StoreSystem
import Synchronization

/// An HTTP/1.1 server on a listening socket, for one user only.
///
/// Only Hummingbird's handling of a connection is used. Its server would bind the path itself and remove the file there, but
/// systemd may have created the socket.
struct HTTPServer: Sendable {
    /// The type of a function that returns the HTTP response to a request.
    ///
    /// An error that it throws closes the connection.
    typealias Respond = @Sendable (Request, any Channel) async throws -> Response

    let connections: OpenConnections
    private let listener: ConnectionListener
    private let log: Logger
    private let respond: Respond
    private let onResponse: @Sendable () -> Void
    private let fileChecks = BlockingWork(label: "store-server.file-checks", concurrent: true)

    /// Creates an HTTP server; clients can connect from now on, and ``run()`` serves them.
    ///
    /// - Parameters:
    ///   - socket: the socket, which is closed when the server has stopped listening.
    ///   - user: the user whose connections are accepted.
    ///   - onResponse: called after each response was sent.
    init(
        socket: any AcceptingSocket, connections: OpenConnections, log: Logger,
        user: UInt32 = CurrentProcess.effectiveUser, onResponse: @escaping @Sendable () -> Void = {},
        respond: @escaping Respond
    ) {
        self.connections = connections
        self.log = log
        self.respond = respond
        self.onResponse = onResponse
        let refusals = Mutex(LogRateLimit())
        listener = ConnectionListener(socket, user: user) {
            guard refusals.withLock({ $0.permitsMessage(at: .now) }) else { return }
            log.warning("closed the connection of another user")
        }
        log.info("listening", metadata: ["socket": "\(socket.name)"])
    }

    /// Serves HTTP connections; returns after ``stopListening()`` when the last connection is closed.
    func run() async {
        let configuration = HTTP1Channel.Configuration(additionalChannelHandlers: [UnparsableRequestHandler()])
        let http = HTTP1Channel(
            responder: { [respond, onResponse, connections] request, writer, channel in
                defer { connections.recordResponse(on: channel) }
                let response = try await respond(request, channel)
                try await writer.write(response: response.head, body: response.body)
                onResponse()
            }, configuration: configuration)
        await withDiscardingTaskGroup { group in
            for await socket in listener.connections {
                group.addTask { await serve(socket, http) }
            }
        }
    }

    private func serve(_ socket: any ConnectedSocket, _ http: HTTP1Channel) async {
        guard let files = await receivedFiles(on: socket) else { return }
        // A client may close its side after the request and still read the response.
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
        do {
            let connection = try await bootstrap.withConnectedSocket(socket.releaseDescriptor()) { [log] channel in
                http.setup(channel: channel, logger: log)
            }
            // Not added earlier: a shutdown closes registered connections, and closing one that NIO is still setting up
            // is a fatal error in debug builds of NIO (seen with swift-nio 2.101).
            connections.add(connection.channel, with: files)
            await http.handle(value: connection, logger: log)
        } catch {
            log.debug("connection setup failed", metadata: ["error": "\(error)"])
        }
    }

    /// Waits for the first byte on a connection, and returns the open files that came with it.
    ///
    /// NIO reads without the files, and the kernel closes them then. A byte that is here already, as it mostly is, is not
    /// waited for.
    ///
    /// - Returns: the files, or the reason why they could not be received, such as that the process has no free descriptor;
    ///   `nil` if the connection is to be closed, because the client did so or the server shuts down.
    private func receivedFiles(on socket: any ConnectedSocket) async -> Result<[OpenFile], StoreError>? {
        guard socket.carriesFiles else { return .success([]) }
        do {
            if let files = try socket.peekFiles() { return await checked(files) }
            guard await connections.firstByte(on: socket) else { return nil }
            return await checked(try socket.peekFiles() ?? [])
        } catch {
            return .failure(StoreError(.receivingFilesFailed, cause: error))
        }
    }

    /// Returns files that came with a request if all are regular files or directories.
    ///
    /// A client could send the other end of its connection, which would keep the connection open.
    private func checked(_ files: [OpenFile]) async -> Result<[OpenFile], StoreError> {
        if files.isEmpty { return .success([]) }
        do {
            // fstat(2) may take long on some file systems.
            try await fileChecks.run {
                for file in files where ![.file, .folder].contains(try file.status().kind) {
                    throw StoreError(.notRegularFile, ["path": .path(file.path)])
                }
            }
            return .success(files)
        } catch {
            return .failure(StoreError(.receivingFilesFailed, cause: error))
        }
    }

    /// Stops accepting connections to the HTTP server; open connections are still served.
    func stopListening() {
        listener.stop()
    }
}
