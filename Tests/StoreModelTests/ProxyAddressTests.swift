import StoreModel
import Testing

@Suite struct ProxyAddressTests {
    @Test(arguments: [
        ("proxy.example", "http", "proxy.example", 1080), ("proxy.example:3128", "http", "proxy.example", 3128),
        ("http://proxy.example:3128/", "http", "proxy.example", 3128), ("HTTPS://10.0.0.1", "https", "10.0.0.1", 443),
        ("socks5h://user:p@ss@[::1]:9050", "socks5h", "::1", 9050),
        ("socks5://localhost/run/tor", "socks5", "localhost", 1080),
    ])
    func `the address of a proxy has scheme, host and port`(text: String, scheme: String, host: String, port: UInt16) {
        let proxy = ProxyAddress(text)
        #expect(proxy?.scheme == scheme && proxy?.host == host && proxy?.port == port)
    }

    @Test(arguments: [
        "", "htp:/x", "htp://x", "/", "http://", "http:/x", "http//x", "x:", "x:y", "x:0", "x:70000", ":80", "a b",
        "http://x/path", "socks5://x/path", "[x]:80", "x[1]", "https://",
    ])
    func `text that is not the address of a proxy is rejected`(text: String) {
        #expect(ProxyAddress(text) == nil)
    }
}
