import Glibc
import Hummingbird
import Logging

@testable import StoreServer

/// Serves the routes of a table at a socket while `body` runs.
func withServer(
    _ table: RouteTable, at socket: ListeningSocket, user: UInt32 = geteuid(),
    connections: OpenConnections = OpenConnections(), _ body: (TestClient, OpenConnections) async throws -> Void
) async throws {
    try await withHTTPServer(table, at: socket, user: user, connections: connections) { client, server in
        try await body(client, server.connections)
    }
}

/// Serves the routes of a table at a socket while `body` runs, which can stop the server.
func withHTTPServer(
    _ table: RouteTable, at socket: ListeningSocket, user: UInt32 = geteuid(),
    connections: OpenConnections = OpenConnections(), _ body: (TestClient, HTTPServer) async throws -> Void
) async throws {
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let responder = table.responder()
    let routes = table.routes
    let server = HTTPServer(socket: socket, connections: connections, log: log, user: user) { request, channel in
        guard connections.recordRequest(on: channel, mayChange: routes.mayChange(request)) else {
            return Daemon.shuttingDownResponse
        }
        return try await responder.respond(
            to: request, context: ServerRequestContext(channel, of: connections, log: log))
    }
    async let serving: Void = server.run()
    let result = await Result { try await body(TestClient(socket: socket.path), server) }
    server.stopListening()
    connections.beginShutdown()
    connections.closeAll()
    await serving
    try result.get()
}

extension Result where Failure == any Error {
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
