import FoundationEssentials
import Glibc
import Support
import Testing

@testable import Transfers

/// The environment is one for the process, so that each of these runs in a process of its own.
@Suite struct ProxyTests {
    @Test func theProxyOfTheEnvironmentIsUsed() async {
        await #expect(processExitsWith: .success) {
            let proxy = try Origin()
            proxy.handle("http://store.invalid/a") { _ in OriginReply(body: Array("by proxy".utf8)) }
            setenv("http_proxy", proxy.url.absoluteString, 1)
            let url = try #require(URL(string: "http://store.invalid/a"))
            let body = try await TransferEngine().fetch(TransferRequest(url)).body
            #expect(String(decoding: body, as: UTF8.self) == "by proxy")
        }
    }

    @Test func aHostThatIsExceptedIsAskedDirectly() async {
        await #expect(processExitsWith: .success) {
            let origin = try Origin()
            origin.serve("/a", "direct")
            setenv("http_proxy", "http://127.0.0.1:\(try ClosedPort().port)", 1)
            setenv("no_proxy", "127.0.0.1", 1)
            let body = try await TransferEngine().fetch(TransferRequest(origin.url("/a"))).body
            #expect(String(decoding: body, as: UTF8.self) == "direct")
        }
    }

    @Test func aUnixSocketIsNeverAskedForThroughAProxy() async {
        await #expect(processExitsWith: .success) {
            let path = "/tmp/transfers-test-\(UInt64.random(in: 0 ... .max)).sock"
            let origin = try Origin(unixSocket: path)
            defer { unlink(path) }
            origin.serve("/a", "direct")
            setenv("http_proxy", "http://127.0.0.1:\(try ClosedPort().port)", 1)
            setenv("all_proxy", "http://127.0.0.1:\(try ClosedPort().port)", 1)
            let url = try #require(URL(string: "http://stored/a"))
            let body = try await TransferEngine().fetch(TransferRequest(url, unixSocketPath: path)).body
            #expect(String(decoding: body, as: UTF8.self) == "direct")
            #expect(origin.requests.first?.path == "/a")
        }
    }
}
