import Hummingbird
import StoreModel
import Testing

@testable import StoreServer

struct WebRequestCheckTests {
    private let check = WebRequestCheck(authority: "k3.localhost:8817", allowedOrigins: ["https://chat.example"])

    private func request(
        _ method: HTTPRequest.Method = .get, host: String? = "k3.localhost:8817", _ headers: [String: String] = [:]
    ) -> Request {
        var fields = HTTPFields()
        for (name, value) in headers { fields[.init(name)!] = value }
        return Request(
            head: HTTPRequest(method: method, scheme: nil, authority: host, path: "/v1/packs", headerFields: fields),
            body: RequestBody(buffer: ByteBuffer()))
    }

    private func code(_ request: Request) -> ErrorCode? {
        do {
            try check.checkOrigin(of: request)
            return nil
        } catch {
            return (error as? StoreError)?.code
        }
    }

    @Test func `another host is refused, whatever resolves to this machine`() {
        #expect(code(request()) == nil)
        #expect(code(request(host: "K3.LOCALHOST:8817")) == nil)
        for host in ["localhost:8817", "127.0.0.1:8817", "evil.example:8817", "k3.localhost", "k3.localhost:80", ""] {
            #expect(code(request(host: host)) == .webHost, "\(host)")
        }
        #expect(code(request(host: nil)) == .webHost)
    }

    @Test func `pages of other origins are refused, except those of the setting`() {
        for method in [HTTPRequest.Method.get, .post, .delete] {
            #expect(code(request(method, ["Origin": "http://k3.localhost:8817"])) == nil)
            #expect(code(request(method, ["Origin": "https://chat.example", "Sec-Fetch-Site": "cross-site"])) == nil)
            for origin in ["https://evil.example", "http://k3.localhost:8818", "https://k3.localhost:8817", "null"] {
                #expect(code(request(method, ["Origin": origin])) == .requestCrossOrigin, "\(method) \(origin)")
            }
            #expect(code(request(method, ["Sec-Fetch-Site": "same-site"])) == .requestCrossOrigin)
            #expect(code(request(method, ["Sec-Fetch-Site": "same-origin"])) == nil)
            #expect(code(request(method, ["Sec-Fetch-Site": "none"])) == nil)
        }
    }

    @Test func `a link of another page leads here, a frame, a script or a form does not`() {
        let link = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"]
        #expect(code(request(.get, link)) == nil)
        #expect(code(request(.post, link)) == .requestCrossOrigin)
        #expect(code(request(.get, link.merging(["Sec-Fetch-Dest": "iframe"]) { $1 })) == .requestCrossOrigin)
        #expect(code(request(.get, link.merging(["Sec-Fetch-Mode": "no-cors"]) { $1 })) == .requestCrossOrigin)
    }

    @Test func `a token takes precedence over a cookie`() {
        let cookie = "a=b; storectl-session=s1; c"
        #expect(check.credentials(of: request(.get, ["Cookie": cookie])) == .session(["s1"]))
        let planted = cookie + "; storectl-session=s2"
        #expect(check.credentials(of: request(.get, ["Cookie": planted])) == .session(["s1", "s2"]))
        #expect(check.credentials(of: request(.get, ["Cookie": cookie, "Authorization": "Bearer t1"])) == .token("t1"))
        #expect(check.credentials(of: request(.get, ["Cookie": "xstorectl-session=s1"])) == .none)
        #expect(check.credentials(of: request(.get, ["Authorization": "Basic t1"])) == .none)
        #expect(check.credentials(of: request()) == .none)
    }

    @Test func `each request needs the scope of what it changes`() {
        func scope(_ path: String, _ changes: Bool) -> WebScope? { WebRequestCheck.scope(path: path, changes: changes) }
        #expect(scope("/v1/config", false) == .read)
        #expect(scope("/store", false) == .read)
        #expect(scope("/v1/downloads", true) == .install)
        #expect(scope("/actions/packs/a/remove", true) == .install)
        for path in [
            "/v1/config/log.level", "/v1/stores", "/v1/purchases/a", "/v1/shutdown", "/actions/config/log.level",
            "/v1/sticker-imports", "/v1/sticker-exports", "/v1/sticker-targets", "/v1/skin/check",
            "/actions/stores", "/actions/stores/a/remove", "/actions/tokens", "/actions/tokens/a/revoke",
        ] {
            #expect(scope(path, true) == .settings, "\(path)")
        }
        #expect(scope("/actions/removals", true) == .install)
        for path in ["/v1/web", "/v1/web/tokens", "//v1//web"] {
            #expect(scope(path, false) == nil, "\(path)")
            #expect(scope(path, true) == nil, "\(path)")
        }
    }

    @Test func `no access token leads to the pages and forms with access tokens`() {
        for path in ["/settings/tokens", "/settings/tokens/a", "/actions/tokens", "//actions//tokens/a/revoke"] {
            #expect(WebRequestCheck.isForSessionsOnly(path: path), "\(path)")
        }
        for path in ["/settings", "/settings/stores/tokens", "/actions/stores", "/tokens", "/v1/config"] {
            #expect(!WebRequestCheck.isForSessionsOnly(path: path), "\(path)")
        }
    }
}
