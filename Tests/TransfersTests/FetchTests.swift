import FoundationEssentials
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreTransfers

@Suite struct FetchTests {
    let engine: TransferEngine
    let origin: Origin

    init() throws {
        engine = TransferEngine()
        origin = try Origin()
    }

    @Test func `a document is fetched completely with its headers`() async throws {
        origin.serve("/catalogue.json", Array("{\"products\":[]}".utf8), etag: "\"one\"")
        let (response, body) = try await engine.fetch(TransferRequest(origin.url("/catalogue.json?a=b")))
        #expect(response.status == 200)
        #expect(String(decoding: body, as: UTF8.self) == "{\"products\":[]}")
        #expect(response.contentLength == 15)
        #expect(response.headers["eTaG"] == "\"one\"")
        #expect(response.lastModified == Date(timeIntervalSince1970: 1_672_628_645))
        #expect(response.effectiveURL == origin.url("/catalogue.json?a=b"))
        #expect(origin.requests.map(\.query) == ["a=b"])
        #expect(origin.requests.first?.headers["user-agent"] == "storectl")
    }

    @Test func `a conditional request gets 'not modified'`() async throws {
        origin.serve("/a", Array("content".utf8), etag: "\"one\"")
        let (response, body) = try await engine.fetch(
            TransferRequest(origin.url("/a"), headers: ["If-None-Match": "\"one\""]))
        #expect(response.status == 304)
        #expect(body.isEmpty)
    }

    @Test func `any status is a response and becomes an error on request`() async throws {
        let missing = try await engine.fetch(TransferRequest(origin.url("/missing"))).response
        #expect(missing.status == 404)
        let error = #expect(throws: StoreError.self) { try missing.requireSuccess() }
        #expect(error?.code == .transferHTTPStatus)
        #expect(error?.httpStatus == 404)
        #expect(error?.isTransient == false)

        origin.always("/busy", .status(503, ["Retry-After": "7"]))
        let busy = try await engine.fetch(TransferRequest(origin.url("/busy"))).response
        let later = #expect(throws: StoreError.self) { try busy.requireSuccess() }
        #expect(later?.isTransient == true)
        #expect(later?.retryAfter == .seconds(7))
        #expect(later?.code.exitCode == .network)
    }

    @Test func `scripted responses are returned in order`() async throws {
        origin.serve("/a", "good")
        origin.script("/a", [[.status(503)], [.status(503)]])
        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try await engine.fetch(TransferRequest(origin.url("/a"))).response.status) }
        #expect(statuses == [503, 503, 200])
    }

    @Test func `method headers and body are sent as given`() async throws {
        origin.handle("/v1/downloads") { request in
            OriginReply(status: 202, headers: ["X-Method": request.method], body: request.body)
        }
        for method in ["POST", "PUT", "PATCH", "DELETE"] {
            let (response, body) = try await engine.fetch(
                TransferRequest(
                    origin.url("/v1/downloads"), method: method,
                    headers: ["Content-Type": "application/json", "X-Empty": ""], body: Data("{\"a\":1}".utf8)))
            #expect(response.status == 202)
            #expect(response.headers["x-method"] == method)
            #expect(String(decoding: body, as: UTF8.self) == "{\"a\":1}")
        }
        let headers = try #require(origin.requests.first?.headers)
        #expect(headers["content-type"] == "application/json")
        #expect(headers["x-empty"]?.isEmpty == true)
        #expect(headers["expect"] == nil)
    }

    @Test func `a request body is sent without a default type, and an empty one with its length`() async throws {
        origin.handle("/a") { _ in OriginReply() }
        _ = try await engine.fetch(TransferRequest(origin.url("/a"), method: "POST", body: Data()))
        let request = try #require(origin.requests.first)
        #expect(request.headers["content-type"] == nil)
        #expect(request.headers["content-length"] == "0")
    }

    @Test func `HEAD declares the length and has no body`() async throws {
        origin.serve("/a", OriginBytes.random(20 << 20))
        let (response, body) = try await engine.fetch(TransferRequest(origin.url("/a"), method: "HEAD"))
        #expect(response.contentLength == 20 << 20)
        #expect(body.isEmpty)
    }

    @Test(arguments: [[], [OriginFault.chunked], [.endless], [.untilClose]])
    func `more than the limit is refused`(_ faults: [OriginFault]) async throws {
        origin.serve("/a", OriginBytes.random(100_000))
        origin.script("/a", [faults])
        let error = await transferError {
            _ = try await engine.fetch(TransferRequest(origin.url("/a"), sizeLimit: 99_999))
        }
        #expect(error?.code == .transferTooLong)
        #expect(error?.isTransient == false)
    }

    @Test(arguments: [[], [OriginFault.chunked], [.untilClose], [.rate(2_000_000)]])
    func `a document of exactly the size limit is accepted`(_ faults: [OriginFault]) async throws {
        let bytes = OriginBytes.random(100_000)
        origin.serve("/a", bytes)
        origin.script("/a", [faults])
        let body = try await engine.fetch(TransferRequest(origin.url("/a"), sizeLimit: 100_000)).body
        #expect(Array(body) == bytes)
    }

    @Test func `a connection is reused`() async throws {
        origin.serve("/a", "a")
        for _ in 0..<5 { _ = try await engine.fetch(TransferRequest(origin.url("/a"))) }
        #expect(origin.requests.count == 5)
        #expect(origin.connectionCount == 1)
    }

    @Test func `a connection that the server closed silently is replaced`() async throws {
        origin.handle("/a") { _ in OriginReply(headers: ["Keep-Alive": "timeout=1"]) }
        origin.handle("/last") { _ in OriginReply() }
        _ = try await engine.fetch(TransferRequest(origin.url("/a")))
        origin.script("/last", [[.close]])
        _ = try await engine.fetch(TransferRequest(origin.url("/last")))
        #expect(origin.requests(to: "/last").count == 2)
    }

    // MARK: Redirects

    @Test func `redirects are followed to the end`() async throws {
        origin.serve("/end", "here")
        origin.always("/start", .redirect(to: "/middle", status: 301))
        origin.always("/middle", .redirect(to: origin.url("/end").absoluteString, status: 307))
        let (response, body) = try await engine.fetch(TransferRequest(origin.url("/start")))
        #expect(String(decoding: body, as: UTF8.self) == "here")
        #expect(response.status == 200)
        #expect(response.effectiveURL == origin.url("/end"))
    }

    @Test func `a loop of redirects ends`() async throws {
        origin.always("/a", .redirect(to: "/a"))
        let error = await transferError { _ = try await engine.fetch(TransferRequest(origin.url("/a"))) }
        #expect(error?.code == .transferRedirects)
        #expect(error?.isTransient == false)
        #expect(origin.requests.count == 1 + TransferRequest.redirectLimit)
    }

    @Test(arguments: ["file:///etc/hostname", "ftp://127.0.0.1/a", "gopher://127.0.0.1/a"])
    func `a redirect to another protocol is not followed`(_ target: String) async throws {
        origin.always("/a", .redirect(to: target))
        let error = await transferError { _ = try await engine.fetch(TransferRequest(origin.url("/a"))) }
        #expect(error?.code == .transferRedirects)
    }

    @Test func `a redirect whose body does not end is limited in time`() async throws {
        origin.handle("/a") { _ in OriginReply(status: 302, headers: ["Location": "/b"], body: [1, 2, 3]) }
        origin.always("/a", .stallAfter(1))
        origin.serve("/b", "b")
        let error = await transferError {
            _ = try await engine.fetch(TransferRequest(origin.url("/a"), timeouts: .quick))
        }
        #expect(error?.code == .transferTimeout)
        #expect(error?.isTransient == true)
    }

    @Test func `a redirect of a method other than GET is returned`() async throws {
        origin.always("/a", .redirect(to: "/b", status: 303))
        let response = try await engine.fetch(TransferRequest(origin.url("/a"), method: "POST", body: Data())).response
        #expect(response.status == 303)
        #expect(origin.requests(to: "/b").isEmpty)
    }

    @Test func `a secret is not sent on to another host`() async throws {
        let other = try Origin()
        other.serve("/b", "b")
        origin.always("/a", .redirect(to: "http://localhost:\(other.port)/b"))
        _ = try await engine.fetch(TransferRequest(origin.url("/a"), headers: ["Authorization": "Bearer secret"]))
        #expect(origin.requests.first?.headers["authorization"] == "Bearer secret")
        #expect(other.requests.count == 1)
        #expect(other.requests.first?.headers["authorization"] == nil)
    }

    // MARK: Credentials

    @Test(arguments: ["ftp://example.org/a", "http:///a", "mailto:a@b", "file://elsewhere/a", "a/b"])
    func `an unusable URL is refused`(_ address: String) async throws {
        let url = try #require(URL(string: address))
        let error = await transferError { _ = try await engine.fetch(TransferRequest(url)) }
        #expect(error?.code == .transferBadRequest)
        #expect(error?.code.exitCode == .usage)
    }

    @Test(arguments: [("X-A", "b\r\nX-Evil: c"), ("X-A\n", "b"), ("", "b"), ("X A", "b"), ("X-A", "b\0")])
    func `a header with a line break is refused`(_ name: String, _ value: String) async throws {
        var headers = TransferHeaders()
        headers.add(name, value)
        let request = TransferRequest(origin.url("/a"), headers: headers)
        let error = await transferError { _ = try await engine.fetch(request) }
        #expect(error?.code == .transferBadRequest)
        #expect(origin.requests.isEmpty)
    }

    @Test func `no message contains a secret of a URL`() async throws {
        let port = try ClosedPort()
        let url = try #require(URL(string: "http://user:hunter2@127.0.0.1:\(port.port)/a?token=hunter2#hunter2"))
        let error = await transferError { _ = try await engine.fetch(TransferRequest(url)) }
        #expect(error?.message.contains("hunter2") == false)
        #expect(error?.message.contains("user") == false)
        #expect(error?.message.contains("127.0.0.1:\(port.port)/a") == true)
    }

    @Test func `user and password of a URL are sent`() async throws {
        origin.serve("/a", "a")
        let url = try #require(URL(string: "http://user:pass@127.0.0.1:\(origin.port)/a"))
        _ = try await engine.fetch(TransferRequest(url))
        #expect(origin.requests.first?.headers["authorization"] == "Basic dXNlcjpwYXNz")
    }
}
