import Dispatch
import FoundationEssentials
import Glibc
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@testable import StoreTransfers

/// Tests proxies of the environment, each in its own process.
@Suite struct ProxyTests {
    @Test func `the proxy of the environment is used`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try Origin()
            proxy.handle("http://store.invalid/a") { _ in OriginReply(body: Array("by proxy".utf8)) }
            setenv("http_proxy", proxy.url.absoluteString, 1)
            let url = try #require(URL(string: "http://store.invalid/a"))
            let body = try await TransferEngine().fetch(TransferRequest(url)).body
            #expect(String(decoding: body, as: UTF8.self) == "by proxy")
        }
    }

    @Test func `a host without proxy is contacted directly`() async {
        await #expect(processExitsWith: .success) {
            let origin = try Origin()
            origin.serve("/a", "direct")
            setenv("http_proxy", "http://127.0.0.1:\(try ClosedPort().port)", 1)
            setenv("no_proxy", "127.0.0.1", 1)
            let body = try await TransferEngine().fetch(TransferRequest(origin.url("/a"))).body
            #expect(String(decoding: body, as: UTF8.self) == "direct")
        }
    }

    @Test func `a configured proxy is used, except for excepted hosts`() async throws {
        let (proxy, origin) = (try Origin(), try Origin())
        origin.serve("/a", "direct")
        proxy.handle("http://store.invalid/a") { _ in OriginReply(body: Array("by proxy".utf8)) }
        let engine = TransferEngine(
            configuration: TransferConfiguration(proxy: proxy.url.absoluteString, noProxy: "127.0.0.1"))
        let url = try #require(URL(string: "http://store.invalid/a"))
        #expect(Array(try await engine.fetch(TransferRequest(url)).body) == Array("by proxy".utf8))
        #expect(Array(try await engine.fetch(TransferRequest(origin.url("/a"))).body) == Array("direct".utf8))
        #expect(proxy.requests.count == 1)
    }

    @Test func `a proxy that can't be reached is named, with the setting or variable that names it`() async throws {
        let closed = try ClosedPort()
        let engine = TransferEngine(
            configuration: TransferConfiguration(proxy: "http://user:secret@127.0.0.1:\(closed.port)", noProxy: ""))
        let url = try #require(URL(string: "http://store.invalid/a"))
        let error = await #expect(throws: StoreError.self) { try await engine.fetch(TransferRequest(url)) }
        #expect(error?.code == .transferUnreachable && error?.isTransient == true)
        #expect(error?.message.contains("through the proxy '127.0.0.1:\(closed.port)'") == true)
        #expect(error?.message.contains("secret") == false)
        #expect(error?.hint?.contains("network.proxy") == true)

        await #expect(processExitsWith: .success) {
            setenv("http_proxy", "http://127.0.0.1:\(try ClosedPort().port)", 1)
            let url = try #require(URL(string: "http://store.invalid/a"))
            let error = await #expect(throws: StoreError.self) {
                try await TransferEngine().fetch(TransferRequest(url))
            }
            #expect(error?.hint?.contains("http_proxy") == true)
        }
    }

    @Test func `names are resolved by the socks proxy`() async throws {
        let origin = try Origin()
        origin.serve("/a", "through socks")
        let socks = try SocksServer(to: origin.port)
        let engine = TransferEngine(
            configuration: TransferConfiguration(proxy: "socks5h://127.0.0.1:\(socks.port)", noProxy: ""))
        let url = try #require(URL(string: "http://store.invalid/a"))
        #expect(Array(try await engine.fetch(TransferRequest(url)).body) == Array("through socks".utf8))
        #expect(socks.asked == "store.invalid")
    }
}

/// A SOCKS 5 proxy (RFC 1928) for one connection, which it forwards to a port of this machine whatever the
/// destination.
private final class SocksServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let name = Mutex("")
    var asked: String { name.withLock { $0 } }

    init(to target: UInt16) throws {
        let (listener, port) = try Self.listen()
        (self.listener, self.port) = (listener, port)
        DispatchQueue(label: "socks").async { [self] in serve(target) }
    }

    deinit { close(listener) }

    private static func listen() throws -> (Int32, UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && Glibc.listen(listener, 1) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        try #require(bound)
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private func serve(_ target: UInt16) {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        defer { close(client) }
        func read(_ count: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            return recv(client, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : []
        }
        let greeting = read(2)
        guard greeting.first == 5, read(Int(greeting[1])).contains(0), send(client, [5, 0] as [UInt8], 2, 0) == 2
        else { return }
        // The destination is a name and not an address, as the `h` in the scheme requests.
        let request = read(5)
        guard request.prefix(4) == [5, 1, 0, 3] else { return }
        let host = read(Int(request[4]))
        name.withLock { $0 = String(decoding: host, as: UTF8.self) }
        _ = read(2)
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        defer { close(server) }
        var address = Self.address(target)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0, send(client, [5, 0, 0, 1, 0, 0, 0, 0, 0, 0] as [UInt8], 10, 0) == 10 else { return }
        var ends = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while poll(&ends, 2, -1) > 0 {
            for (from, to) in [(0, 1), (1, 0)] where ends[from].revents != 0 {
                let count = recv(ends[from].fd, &buffer, buffer.count, 0)
                guard count > 0, send(ends[to].fd, buffer, count, Int32(MSG_NOSIGNAL)) == count else { return }
            }
        }
    }
}
