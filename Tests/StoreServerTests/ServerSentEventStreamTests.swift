import Hummingbird
import NIOCore
import StoreEvents
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreServer

@Suite struct ServerSentEventStreamTests {
    let folder: TemporaryFolder
    let connections = OpenConnections()

    init() throws { folder = try TemporaryFolder() }

    private func table(_ log: EventBus, heartbeat: TimeAmount = .hours(1)) -> RouteTable {
        var table = RouteTable()
        table.on(.get, "/events") { [connections] call in
            ServerSentEventStream(
                subscription: try log.subscribe(), connections: connections, heartbeatInterval: heartbeat
            )
            .response(to: call)
        }
        return table
    }

    private func open(_ client: TestClient) async throws -> Connection {
        let connection = try client.open()
        try connection.write("GET /events HTTP/1.1\r\nHost: test\r\n\r\n")
        let head = try await connection.read(until: "\r\n\r\n")
        #expect(head.contains("Content-Type: text/event-stream"))
        return connection
    }

    private func makeLog() async throws -> EventBus {
        try await EventBus { 100..<UInt64(100 + $0) }
    }

    @Test func `every client gets all events in order`() async throws {
        let log = try await makeLog()
        let socket = try ListeningSocket.make(in: folder.path, fallback: folder.path + "-other")
        try await withServer(table(log), at: socket, connections: connections) { client, connections in
            let readers = [try await open(client), try await open(client)]
            // The head of a response is sent before its body is registered.
            #expect(try await eventually { connections.eventStreams == 2 })
            for number in 1...50 { log.publish(.catalogue(store: "store-\(number)")) }
            for reader in readers {
                let text = try await reader.read(until: "store-50\"")
                let numbers = text.matches(of: #/id: (\d+)\n/#).map { Int($0.1)! }
                #expect(numbers == Array(100..<150))
            }
        }
    }

    @Test func `heartbeats keep an idle stream open`() async throws {
        let log = try await makeLog()
        let socket = try ListeningSocket.make(in: folder.path, fallback: folder.path + "-other")
        try await withServer(table(log, heartbeat: .milliseconds(5)), at: socket, connections: connections) {
            client, _ in
            let reader = try await open(client)
            _ = try await reader.read(until: ": \n\n")
            log.publish(.catalogue(store: "after"))
            let text = try await reader.read(until: "after")
            #expect(text.contains("id: 100\ndata: {"))
        }
    }

    @Test func `a disconnected client is noticed`() async throws {
        let log = try await makeLog()
        let socket = try ListeningSocket.make(in: folder.path, fallback: folder.path + "-other")
        try await withServer(table(log), at: socket, connections: connections) { client, connections in
            do { _ = try await open(client) }
            #expect(try await eventually { log.subscriptionCount == 0 && connections.eventStreams == 0 })
            #expect(try await eventually { connections.count == 0 })
        }
    }

    @Test func `a shutdown ends streams regularly`() async throws {
        let log = try await makeLog()
        let socket = try ListeningSocket.make(in: folder.path, fallback: folder.path + "-other")
        try await withServer(table(log), at: socket, connections: connections) { client, connections in
            let reader = try await open(client)
            log.publish(.catalogue(store: "last"))
            _ = try await reader.read(until: "last")
            connections.beginShutdown()
            let rest = String(decoding: try await reader.readToEnd(), as: UTF8.self)
            #expect(rest.hasSuffix("0\r\n\r\n"), "the last piece of a chunked body")
        }
    }

    @Test func `a client that does not read delays neither others nor the shutdown`() async throws {
        let log = try await makeLog()
        let socket = try ListeningSocket.make(in: folder.path, fallback: folder.path + "-other")
        try await withServer(table(log), at: socket, connections: connections) { client, _ in
            let stuck = try await open(client)
            let reader = try await open(client)
            let long = String(repeating: "x", count: 10_000)
            for number in 1...500 { log.publish(.catalogue(store: "\(long)-\(number)")) }
            _ = try await reader.read(until: "-500\"")
            #expect(log.subscriptionCount == 2)
            // `withServer` returns although the connection is still open.
            withExtendedLifetime(stuck) {}
        }
        #expect(connections.count == 0)
    }
}
