import FoundationEssentials
import Glibc
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreTransfers

@Suite struct UnixSocketTests {
    let path = "/tmp/transfers-test-\(UInt64.random(in: 0 ... .max)).sock"

    func withOrigin(_ body: (TransferEngine, Origin) async throws -> Void) async throws {
        let origin = try Origin(unixSocket: path)
        defer { unlink(path) }
        try await body(try TransferEngine(configuration: TransferConfiguration(connectionsPerHost: nil)), origin)
    }

    func request(_ target: String) throws -> TransferRequest {
        TransferRequest(try #require(URL(string: "http://stored\(target)")), unixSocketPath: path)
    }

    @Test func `a request goes over the socket and keeps its path as written`() async throws {
        try await withOrigin { engine, origin in
            origin.handle("/v1/packs/a%2Fb%20c") { _ in OriginReply(body: Array("ok".utf8)) }
            let (response, body) = try await engine.fetch(try request("/v1/packs/a%2Fb%20c"))
            #expect(response.status == 200)
            #expect(String(decoding: body, as: UTF8.self) == "ok")
            #expect(origin.requests.first?.headers["host"] == "stored")
        }
    }

    @Test func `streams beyond the connection limit leave room for requests`() async throws {
        try await withOrigin { engine, origin in
            origin.serve("/v1/events", "data")
            origin.always("/v1/events", .stallAfter(0))
            origin.serve("/v1/status", "{}")
            var bodies: [TransferBody] = []
            for _ in 0..<8 {
                var events = try request("/v1/events")
                events.timeouts = .patient
                bodies.append(try await engine.stream(events).body)
            }
            let response = try await engine.fetch(try request("/v1/status")).response
            #expect(response.status == 200)
            withExtendedLifetime(bodies) {}
        }
    }

    @Test func `a missing daemon is unreachable, and the message names the socket`() async throws {
        let engine = try TransferEngine()
        let error = await transferError { _ = try await engine.fetch(try request("/v1/status")) }
        #expect(error?.code == .transferUnreachable)
        #expect(error?.message.contains(path) == true)
    }

    @Test func `a redirect over the socket is returned`() async throws {
        try await withOrigin { engine, origin in
            origin.always("/a", .redirect(to: "http://example.org/"))
            let response = try await engine.fetch(try request("/a")).response
            #expect(response.status == 302)
        }
    }
}
