import FoundationEssentials
import StoreSystem

/// The addresses of the proxies that the user has configured, or that the environment names.
///
/// Used on the engine's thread only.
final class ProxyAddresses {
    private let proxies: [(host: String, port: UInt16)]
    /// The addresses of proxies that were found so far.
    private var known: Set<InternetAddress> = []

    /// Creates the addresses of the proxy of a configuration, or of the variables that libcurl reads where it has none.
    init(_ configuration: TransferConfiguration, environment: [String: String] = ProcessInfo.processInfo.environment) {
        // Not HTTP_PROXY, which a CGI server sets from a request (CVE-2016-5388); libcurl ignores it too.
        let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        let texts = configuration.proxy.map { [$0] } ?? variables.compactMap { environment[$0] }
        proxies = texts.compactMap(Self.parse)
    }

    /// Returns whether an address is that of a proxy.
    ///
    /// Blocks where the name of a proxy with the same port has to be resolved; libcurl did that a moment ago.
    func contains(_ address: InternetAddress) -> Bool {
        if known.contains(address) { return true }
        for proxy in proxies where proxy.port == address.port {
            known.formUnion(InternetAddress.resolve(proxy.host, port: proxy.port))
        }
        return known.contains(address)
    }

    /// Parses `[scheme://][user:password@]host[:port]`, as libcurl does; the default port is 1080, of `https` 443.
    private static func parse(_ text: String) -> (host: String, port: UInt16)? {
        var rest = text[...]
        var port: UInt16 = 1080
        if let mark = rest.firstRange(of: "://") {
            if rest[..<mark.lowerBound].lowercased() == "https" { port = 443 }
            rest = rest[mark.upperBound...]
        }
        rest = rest.prefix { $0 != "/" }
        if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
        var host = rest
        // A colon inside brackets is part of an address.
        if let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") {
            host = rest[..<colon]
            guard let number = UInt16(rest[rest.index(after: colon)...]) else { return nil }
            port = number
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        return host.isEmpty ? nil : (String(host), port)
    }
}
