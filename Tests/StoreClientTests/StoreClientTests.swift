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
        home = try homePaths(in: folder.path)
    }

    private func client() throws -> StoreClient {
        StoreClient(home: home, startingDaemon: .never, languages: ["pt-BR", "en"])
    }

    @Test func `a method sends a request and decodes the response`() async throws {
        let server = try SocketServer(at: home.socket) { _ in .document("{\"packs\":[]}") }
        defer { server.stop() }
        #expect(try await client().packs(kind: .sticker, updatableOnly: true).isEmpty)
        let request = try #require(server.calls.first)
        #expect(request.target == "/v1/packs?kind=sticker&updatable=true")
        #expect(request.headers["accept-language"] == "pt-BR, en")
    }

    @Test func `a long list is requested in pages`() async throws {
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

    @Test func `an identifier is escaped as one component of the path`() async throws {
        let record = OperationRecord(
            operation: OperationID(), action: .uninstall, productIdentifier: "../../x?y", startedAt: .now)
        let answer = String(decoding: try JSON.encode(record), as: UTF8.self)
        let server = try SocketServer(at: home.socket) { _ in .document(answer) }
        defer { server.stop() }
        #expect(try await client().uninstall("../../x?y").record.operation == record.operation)
        #expect(server.calls.first?.target == "/v1/packs/..%2F..%2Fx%3Fy")
        #expect(server.calls.first?.method == "DELETE")
    }

    /// `GET /v1/config/` is the list of all settings, and `DELETE /v1/stores/` is no request.
    @Test func `an empty name or identifier is an error, and nothing is requested`() async throws {
        let server = try SocketServer(at: home.socket) { _ in .document("{\"settings\":[]}") }
        defer { server.stop() }
        let client = try client()
        await #expect(throws: StoreError(.nameArgumentEmpty)) { _ = try await client.setting("") }
        await #expect(throws: StoreError(.nameArgumentEmpty)) { try await client.removeStore("") }
        await #expect(throws: StoreError(.nameArgumentEmpty)) { _ = try await client.skin("") }
        #expect(server.calls.isEmpty)
        #expect(try await client.settings().isEmpty)
    }

    @Test func `a problem document is thrown with its code`() async throws {
        let problem = ProblemDocument(
            ErrorReport(code: ErrorCode("pack.unknown", .notFound), message: "There is no pack 'a'."), status: 404,
            title: "Not Found")
        let body = String(decoding: try JSON.encode(problem), as: UTF8.self)
        let server = try SocketServer(at: home.socket) { _ in .document(status: 404, body) }
        defer { server.stop() }
        let error = await #expect(throws: ErrorReport.self) { try await client().pack("a") }
        #expect(error?.code.rawValue == "pack.unknown")
        #expect(error?.code.exitCode == .notFound)
        #expect(error?.message == "There is no pack 'a'.")
    }

    @Test func `a daemon with another API version is reported`() async throws {
        let server = try SocketServer(at: home.socket) { _ in
            .document(headers: ["Storectl-Api-Version": "99"], "{\"packs\":[]}")
        }
        defer { server.stop() }
        let error = await #expect(throws: StoreError.self) { try await client().packs() }
        #expect(error?.code == .daemonVersion)
        #expect(error?.message.contains("99") == true)
    }

    @Test func `a malformed response is an error`() async throws {
        let server = try SocketServer(at: home.socket) { _ in .document("<html>") }
        defer { server.stop() }
        let error = await #expect(throws: StoreError.self) { try await client().packs() }
        #expect(error?.code == .daemonBadAnswer)
    }

    @Test func `the error without a daemon says that none is running`() async throws {
        let error = await #expect(throws: StoreError.self) { try await client().packs() }
        #expect(error?.code == .daemonUnreachable)
        #expect(error?.code.exitCode == .daemon)
    }

    @Test func `a socket without a listener is not a daemon`() async throws {
        let server = try SocketServer(at: home.socket) { _ in .document("{}") }
        server.stop()
        #expect(try DaemonSocket.listening(at: home.socket) == nil)
    }

    @Test func `a home with a path of any length can be used`() async throws {
        let deep = folder.path + "/" + String(repeating: "d", count: 120) + "/" + String(repeating: "e", count: 120)
        let home = try homePaths(in: deep)
        let server = try SocketServer(at: home.socket) { _ in .document("{\"packs\":[]}") }
        defer { server.stop() }
        #expect(home.socket.utf8.count > 200)
        #expect(try await StoreClient(home: home, startingDaemon: .never).packs().isEmpty)
    }

    /// A daemon with another environment listens elsewhere, and its lock file states where.
    @Test func `the lock file leads to the daemon of another environment`() async throws {
        let elsewhere = folder.path + "/elsewhere/stored.sock"
        let server = try SocketServer(at: elsewhere) { _ in .document("{\"packs\":[]}") }
        defer { server.stop() }
        try write("{\"pid\":1,\"socket\":\"\(elsewhere)\",\"startedAt\":\"2026-01-01T00:00:00Z\"}", to: home.lock)
        #expect(try await client().packs().isEmpty)
    }

    /// An idle daemon exits, which a long-lived client must not notice.
    @Test func `a client finds the next daemon after the previous one exited`() async throws {
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
    func `the languages are those of the environment`(environment: [String: String], tags: [String]) {
        #expect(StoreClient.languages(environment: environment) == tags)
    }
}

/// Returns the paths of a home in `folder`, independent of the environment of the tests.
func homePaths(in folder: String) throws -> HomePaths {
    try HomePaths(
        HomePaths.Facts(environment: [:], user: getuid(), passwordHome: nil, currentFolder: "/"), home: folder)
}
