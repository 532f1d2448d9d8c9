/// The address of a proxy in curl's notation: `[scheme://][user[:password]@]host[:port]`.
package struct ProxyAddress: Sendable, Hashable {
    /// The schemes of the proxies that libcurl can use, in lower case.
    package static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// The scheme of the proxy in lower case; `http` where the text has none.
    package let scheme: String
    /// The name or the address of the proxy's host, without the brackets of an IPv6 address.
    package let host: String
    /// The TCP port of the proxy; where the text has none, libcurl's default: 443 for `https`, else 1080.
    package let port: UInt16

    /// Parses the address of a proxy; `nil` if libcurl could not use it.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy({ (33...126).contains($0) }) else { return nil }
        var rest = text[...]
        var scheme = "http"
        if let mark = rest.firstRange(of: "://") {
            scheme = rest[..<mark.lowerBound].lowercased()
            rest = rest[mark.upperBound...]
        }
        guard Self.schemes.contains(scheme) else { return nil }
        var path = ""
        if let slash = rest.firstIndex(of: "/") {
            path = String(rest[slash...])
            rest = rest[..<slash]
        }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        var port: UInt16 = scheme == "https" ? 443 : 1080
        var host = rest
        // A colon inside brackets is part of an address.
        if let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") {
            host = rest[..<colon]
            guard let number = UInt16(rest[rest.index(after: colon)...]), number > 0 else { return nil }
            port = number
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else {
            guard host.utf8.allSatisfy(Self.isPartOfName) else { return nil }
        }
        // libcurl connects to a unix socket by the path of a SOCKS proxy at 'localhost' (CURLOPT_PROXY(3)).
        let isSocket = scheme.hasPrefix("socks") && host == "localhost"
        guard !host.isEmpty, path.isEmpty || path == "/" || isSocket else { return nil }
        (self.scheme, self.host, self.port) = (scheme, String(host), port)
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
