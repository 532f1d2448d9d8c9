import Glibc
import StoreAPI
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreClient

@Suite(.hangGuard) struct StoreClientTests {
    private let folder: TemporaryFolder
    private let home: HomePaths

    init() throws {
        folder = try TemporaryFolder()
        home = try places(in: folder.path)
    }

    private func client() throws -> StoreClient {
        StoreClient(home: home, startingDaemon: .never, languages: ["pt-BR", "en"])
    }

    @Test func `a call is a request and its answer a value`() async throws {
        let server = try SocketServer(at: home.socket) { _ in .document("{\"packs\":[]}") }
        defer { server.stop() }
        #expect(try await client().packs(kind: .sticker, updatableOnly: true).isEmpty)
        let request = try #require(server.calls.first)
        #expect(request.target == "/v1/packs?kind=sticker&updatable=true")
        #expect(request.headers["accept-language"] == "pt-BR, en")
    }

    @Test func `a long list comes in pieces`() async throws {
        let server = try SocketServer(at: home.socket) { request in
            .document(request.target.contains("after") ? "{\"operations\":[]}" : "{\"operations\":[],\"next\":\"a b\"}")
        }
        defer { server.stop() }
        let first = try await client().operations(of: "cups", limit: 2)
        let last = try await client().operations(of: "cups", limit: 2, after: first.next)
        #expect(first.next == "a b" && last.next == nil)
        #expect(
            server.calls.map(\.target) == [
                "/v1/operations?product=cups&limit=2", "/v1/operations?product=cups&limit=2&after=a%20b",
            ])
    }

    @Test func `an identifier is one part of the path`() async throws {
        let record = OperationRecord(
            operation: OperationID(), action: .uninstall, productIdentifier: "../../x?y", startedAt: .now)
        let answer = String(decoding: try JSON.encode(record), as: UTF8.self)
        let server = try SocketServer(at: home.socket) { _ in .document(answer) }
        defer { server.stop() }
        #expect(try await client().uninstall("../../x?y").record.operation == record.operation)
        #expect(server.calls.first?.target == "/v1/packs/..%2F..%2Fx%3Fy")
        #expect(server.calls.first?.method == "DELETE")
    }

    @Test func `a problem is thrown with its code`() async throws {
        let problem = ProblemDocument(
            ErrorReport(code: ErrorCode("pack.unknown", .notFound), message: "There is no pack 'a'."), status: 404)
        let body = String(decoding: try JSON.encode(problem), as: UTF8.self)
        let server = try SocketServer(at: home.socket) { _ in .document(status: 404, body) }
        defer { server.stop() }
        let error = await #expect(throws: ErrorReport.self) { try await client().pack("a") }
        #expect(error?.code.rawValue == "pack.unknown")
        #expect(error?.code.exitCode == .notFound)
        #expect(error?.message == "There is no pack 'a'.")
    }

    @Test func `a daemon of another release is named as that`() async throws {
        let server = try SocketServer(at: home.socket) { _ in
            .document(headers: ["Storectl-Api-Version": "99"], "{\"packs\":[]}")
        }
        defer { server.stop() }
        let error = await #expect(throws: StoreError.self) { try await client().packs() }
        #expect(error?.code == .daemonVersion)
        #expect(error?.message.contains("99") == true)
    }

    @Test func `nonsense is not taken for an answer`() async throws {
        let server = try SocketServer(at: home.socket) { _ in .document("<html>") }
        defer { server.stop() }
        let error = await #expect(throws: StoreError.self) { try await client().packs() }
        #expect(error?.code == .daemonBadAnswer)
    }

    @Test func `without a daemon the error says so`() async throws {
        let error = await #expect(throws: StoreError.self) { try await client().packs() }
        #expect(error?.code == .daemonUnreachable)
        #expect(error?.code.exitCode == .daemon)
    }

    @Test func `a socket that nobody listens at is no daemon`() async throws {
        let server = try SocketServer(at: home.socket) { _ in .document("{}") }
        server.stop()
        #expect(try DaemonSocket.listening(at: home.socket) == nil)
    }

    @Test func `a home of any path length is reached`() async throws {
        let deep = folder.path + "/" + String(repeating: "d", count: 120) + "/" + String(repeating: "e", count: 120)
        let home = try places(in: deep)
        let server = try SocketServer(at: home.socket) { _ in .document("{\"packs\":[]}") }
        defer { server.stop() }
        #expect(home.socket.utf8.count > 200)
        #expect(try await StoreClient(home: home, startingDaemon: .never).packs().isEmpty)
    }

    /// A daemon that was started with another environment listens elsewhere; its lock says where.
    @Test func `the lock leads to the daemon of another environment`() async throws {
        let elsewhere = folder.path + "/elsewhere/stored.sock"
        let server = try SocketServer(at: elsewhere) { _ in .document("{\"packs\":[]}") }
        defer { server.stop() }
        try write("{\"pid\":1,\"socket\":\"\(elsewhere)\",\"startedAt\":\"2026-01-01T00:00:00Z\"}", to: home.lock)
        #expect(try await client().packs().isEmpty)
    }

    /// The daemon ends by itself when nobody wants anything; a client that lives on must not notice.
    @Test func `a daemon that came and went is found again`() async throws {
        let client = try client()
        let first = try SocketServer(at: home.socket) { _ in .document("{\"packs\":[]}") }
        #expect(try await client.packs().isEmpty)
        first.stop()
        let second = try SocketServer(at: home.socket) { _ in .document("{\"packs\":[]}") }
        defer { second.stop() }
        #expect(try await client.packs().isEmpty)
        #expect(second.requests.count >= 1)
    }

    @Test(
        arguments: [
            (["LANG": "pt_BR.UTF-8"], ["pt-BR"]),
            (["LANG": "de_DE@euro", "LC_ALL": "C"], []),
            (["LANG": "de_DE.UTF-8", "LANGUAGE": "pt:de"], ["pt", "de", "de-DE"]),
            (["LANG": "x\r\nEvil: 1"], []),
            ([:], []),
        ] as [([String: String], [String])])
    func `languages are those of the environment`(environment: [String: String], tags: [String]) {
        #expect(StoreClient.languages(environment: environment) == tags)
    }
}

/// The places of a home in `folder`, whatever the environment of the tests.
func places(in folder: String) throws -> HomePaths {
    try HomePaths(
        HomePaths.Facts(environment: [:], user: getuid(), passwordHome: nil, currentFolder: "/"), home: folder)
}
