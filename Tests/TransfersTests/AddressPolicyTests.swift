import FoundationEssentials
import StoreModel
import StoreSystem
import StoreTestSupport
import Testing

@testable import StoreTransfers

/// Requests that may only connect to public addresses.
///
/// All servers of the tests are on this machine: the port tells which one counts as public.
@Suite(.hangGuard) struct AddressPolicyTests {
    /// The server whose address counts as public.
    private let store: Origin
    /// A server of the machine or its network.
    private let inner: Origin
    private let engine: TransferEngine

    init() throws {
        (store, inner) = (try Origin(), try Origin())
        engine = try Self.engine(public: store)
        store.serve("/a", "from the store")
        inner.serve("/a", "inner")
    }

    private static func engine(public store: Origin, proxy: Origin? = nil) throws -> TransferEngine {
        let port = store.port
        var configuration = TransferConfiguration(proxy: proxy?.url.absoluteString)
        configuration.isPublicAddress = { $0.port == port }
        return TransferEngine(configuration: configuration)
    }

    private func request(_ url: URL, _ policy: AddressPolicy) -> TransferRequest {
        var request = TransferRequest(url)
        request.addresses = policy
        return request
    }

    private func body(_ url: URL, _ policy: AddressPolicy, by engine: TransferEngine? = nil) async throws -> String {
        let (response, body) = try await (engine ?? self.engine).fetch(request(url, policy))
        try response.requireSuccess()
        return String(decoding: body, as: UTF8.self)
    }

    private func expectRefusal(
        _ url: URL, _ policy: AddressPolicy = .publicOnly, by engine: TransferEngine? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let error = await transferError(sourceLocation: sourceLocation) { _ = try await body(url, policy, by: engine) }
        #expect(error?.code == .transferLocalAddress, "\(String(describing: error))", sourceLocation: sourceLocation)
        #expect(error?.isTransferFailure == true && error?.isTransient == false, sourceLocation: sourceLocation)
    }

    private func url(_ host: String, _ path: String = "/a") throws -> URL {
        try #require(URL(string: "http://\(host):\(inner.port)\(path)"))
    }

    @Test(arguments: [
        "127.0.0.1", "127.1", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "localhost", "LOCALHOST.", "a.localhost",
    ])
    func `a host at a local address is not contacted`(host: String) async throws {
        await expectRefusal(try url(host))
        #expect(inner.connectionCount == 0)
        #expect(try await body(store.url("/a"), .publicOnly) == "from the store")
    }

    @Test(arguments: ["127.0.0.1", "localhost"], [AddressPolicy.publicOnly, .publicIfFirstIs])
    func `a redirect of a public server to a local address is not followed`(
        host: String, policy: AddressPolicy
    ) async throws {
        store.always("/a", .redirect(to: try url(host).absoluteString))
        await expectRefusal(store.url("/a"), policy)
        #expect(inner.connectionCount == 0)
        #expect(try await body(store.url("/a"), .any) == "inner")
    }

    @Test func `the address that a name resolves to decides and not the name`() async throws {
        // The name of this machine's address is checked only when a request is sent; the connection is refused before.
        var check = AddressCheck(.publicIfFirstIs, ProxyAddresses(TransferConfiguration(), environment: [:])) {
            $0.isPublic
        }
        check.requestWillBeSent(to: InternetAddress("93.184.215.14", port: 80))
        check.redirected()
        let url = try #require(URL(string: "http://rebound.example/"))
        #expect(check.allows(url) && !check.isFirstLocal)
        let local = InternetAddress.resolve("localhost", port: 80)
        #expect(!local.isEmpty && !local.contains { check.allows($0) })
        #expect(check.allows(try #require(InternetAddress("93.184.215.14", port: 80))))
    }

    @Test func `a connection that another request has opened is checked again`() async throws {
        #expect(try await body(inner.url("/a"), .any) == "inner")
        store.always("/a", .redirect(to: inner.url("/a").absoluteString))
        await expectRefusal(store.url("/a"))
        #expect(inner.requests.count == 1 && inner.connectionCount == 1)
    }

    @Test func `a local server may redirect to local addresses`() async throws {
        store.always("/a", .redirect(to: inner.url("/b").absoluteString))
        inner.serve("/b", "b")
        inner.always("/a", .redirect(to: store.url("/a").absoluteString))
        let (response, body) = try await engine.fetch(request(inner.url("/a"), .publicIfFirstIs))
        #expect(String(decoding: body, as: UTF8.self) == "b")
        #expect(response.isFromLocalHost)
        store.always("/a")
        #expect(try await !engine.fetch(request(store.url("/a"), .publicIfFirstIs)).response.isFromLocalHost)
    }

    @Test func `a host is refused only if none of its addresses is allowed`() throws {
        var check = AddressCheck(.publicOnly, ProxyAddresses(TransferConfiguration(), environment: [:])) {
            $0.isPublic
        }
        let local = try #require(InternetAddress("10.0.0.1", port: 80))
        let other = try #require(InternetAddress("93.184.215.14", port: 80))
        #expect(check.onlyRefusedAddress == nil)
        var isAllowed = check.connectionWillBeOpened(to: local)
        #expect(!isAllowed && check.onlyRefusedAddress == local)
        isAllowed = check.connectionWillBeOpened(to: other)
        #expect(isAllowed && check.onlyRefusedAddress == nil)
        isAllowed = check.connectionWillBeOpened(to: local)
        #expect(!isAllowed && check.onlyRefusedAddress == nil)
        // The addresses of the next host count for themselves.
        check.redirected()
        isAllowed = check.connectionWillBeOpened(to: local)
        #expect(!isAllowed && check.onlyRefusedAddress == local)
    }

    @Test func `a host whose allowed address does not respond is worth a retry`() async throws {
        // Where the machine has version 6, `localhost` has an address of each version. That of version 6 is refused here.
        let (port, closed) = (store.port, try ClosedPort())
        var configuration = TransferConfiguration()
        configuration.isPublicAddress = { $0.port == port || $0.bytes.count == 4 }
        let engine = TransferEngine(configuration: configuration)
        store.always("/a", .redirect(to: "http://localhost:\(closed.port)/"))
        let error = await transferError { _ = try await body(store.url("/a"), .publicIfFirstIs, by: engine) }
        #expect(error?.code == .transferUnreachable && error?.isTransient == true, "\(String(describing: error))")
    }

    /// The number of times that the name of a proxy was resolved, and the time.
    private final class Resolver {
        var count = 0
        var now = ContinuousClock.now
        var addresses: [InternetAddress] = []
        /// The time that a resolution takes.
        var duration = Duration.zero

        var proxies: ProxyAddresses {
            ProxyAddresses(
                TransferConfiguration(proxy: "http://proxy.example:8080"),
                resolve: { [self] _, _ in
                    count += 1
                    now += duration
                    return addresses
                }, now: { [self] in now })
        }
    }

    @Test(arguments: [AddressPolicy.any, .publicOnly])
    func `a request whose first address decides nothing resolves no proxy`(policy: AddressPolicy) throws {
        let resolver = Resolver()
        var check = AddressCheck(policy, resolver.proxies) { $0.isPublic }
        check.requestWillBeSent(to: InternetAddress("10.0.0.1", port: 8080))
        check.requestWillBeSent(to: InternetAddress("93.184.215.14", port: 8080))
        #expect(resolver.count == 0)
    }

    @Test func `a request to a public address resolves no proxy`() throws {
        let resolver = Resolver()
        var check = AddressCheck(.publicIfFirstIs, resolver.proxies) { $0.isPublic }
        check.requestWillBeSent(to: InternetAddress("93.184.215.14", port: 8080))
        #expect(resolver.count == 0 && !check.isFirstLocal)
        check.requestWillBeSent(to: InternetAddress("10.0.0.1", port: 8080))
        #expect(resolver.count == 1 && check.isFirstLocal)
    }

    @Test func `the name of a proxy is not resolved again within seconds`() throws {
        let resolver = Resolver()
        let proxies = resolver.proxies
        // Longer than the interval, as where the resolver does not respond.
        resolver.duration = ProxyAddresses.resolutionInterval * 3
        let (proxy, other) = (
            try #require(InternetAddress("10.0.0.1", port: 8080)), try #require(InternetAddress("10.0.0.2", port: 8080))
        )
        for _ in 0..<3 { #expect(!proxies.contains(proxy) && !proxies.contains(other)) }
        #expect(resolver.count == 1)
        (resolver.duration, resolver.addresses) = (.zero, [proxy])
        resolver.now += ProxyAddresses.resolutionInterval
        #expect(proxies.contains(proxy) && !proxies.contains(other))
        #expect(resolver.count == 2)
        resolver.now += ProxyAddresses.resolutionInterval
        #expect(proxies.contains(proxy))
        #expect(resolver.count == 2)
    }

    @Test func `a proxy of the user may be local`() async throws {
        let proxied = try Self.engine(public: store, proxy: inner)
        inner.handle("http://store.invalid/a") { _ in OriginReply(body: Array("by proxy".utf8)) }
        let redirect = try url("127.0.0.1").absoluteString
        inner.handle("http://store.invalid/b") { _ in OriginReply(status: 302, headers: ["Location": redirect]) }
        let name = try #require(URL(string: "http://store.invalid"))
        #expect(try await body(name.appending(path: "a"), .publicOnly, by: proxied) == "by proxy")
        // What the URL itself says is checked: the proxy is not asked for it.
        await expectRefusal(name.appending(path: "b"), by: proxied)
        await expectRefusal(try #require(URL(string: "http://192.168.0.1/")), by: proxied)
        #expect(inner.requests.count == 2)
    }

    @Test func `a mirror at a local address is left out`() async throws {
        let partial = PartialFile(try scratchFile())
        var mirrors = MirrorList(inner.url("/a"), mirrors: [store.url("/a")])
        let done = try await engine.download(
            from: &mirrors, into: partial, request: { request($0, .publicOnly) })
        #expect(done.source == store.url("/a"))
        #expect(inner.connectionCount == 0)
    }

    @Test(arguments: [
        ("http://127.0.0.1:3128", "127.0.0.1", 3128), ("127.0.0.1", "127.0.0.1", 1080),
        ("socks5h://u:p@[::1]:9050/", "::1", 9050),
        ("https://10.0.0.1", "10.0.0.1", 443), ("http://localhost:8080", "127.0.0.1", 8080),
    ])
    func `the address of a proxy is that of its URL`(text: String, address: String, port: Int) throws {
        for variable in ["http_proxy", "https_proxy", "all_proxy"] {
            let proxies = ProxyAddresses(TransferConfiguration(), environment: [variable: text])
            #expect(try proxies.contains(#require(InternetAddress(address, port: UInt16(port)))))
            #expect(try !proxies.contains(#require(InternetAddress(address, port: UInt16(port) + 1))))
            #expect(try !proxies.contains(#require(InternetAddress("10.9.9.9", port: UInt16(port)))))
        }
    }
}
