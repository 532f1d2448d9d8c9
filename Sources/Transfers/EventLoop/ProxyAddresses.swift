import FoundationEssentials
import StoreSystem

/// The addresses of the proxies that the user has configured, or that the environment names.
///
/// Used on the engine's thread only.
final class ProxyAddresses {
    private struct Proxy {
        let host: String
        let port: UInt16
        /// When the host's name was resolved last; `nil` where it never was.
        var resolvedAt: ContinuousClock.Instant?
    }

    /// The time for which the name of a proxy is not resolved again.
    ///
    /// Resolving blocks all transfers, up to half a minute where the resolver does not respond, and any server can cause it
    /// by naming an address with the proxy's port.
    static let resolutionInterval = Duration.seconds(10)

    private var proxies: [Proxy]
    /// The addresses of proxies that were found so far.
    private var known: Set<InternetAddress> = []
    private let resolve: (String, UInt16) -> [InternetAddress]
    private let now: () -> ContinuousClock.Instant

    /// Creates the addresses of the proxy of a configuration, or of the variables that libcurl reads where it has none.
    ///
    /// - Parameters:
    ///   - resolve: returns the addresses of a host; may block.
    ///   - now: returns the current time.
    init(
        _ configuration: TransferConfiguration, environment: [String: String] = ProcessInfo.processInfo.environment,
        resolve: @escaping (String, UInt16) -> [InternetAddress] = { InternetAddress.resolve($0, port: $1) },
        now: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        self.resolve = resolve
        self.now = now
        // Not HTTP_PROXY, which a CGI server sets from a request (CVE-2016-5388); libcurl ignores it too.
        let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        let texts = configuration.proxy.map { [$0] } ?? variables.compactMap { environment[$0] }
        proxies = texts.compactMap(Self.parse)
    }

    /// Returns whether an address is that of a proxy.
    ///
    /// Blocks where the name of a proxy with the same port has to be resolved, which is done once in
    /// ``resolutionInterval``.
    func contains(_ address: InternetAddress) -> Bool {
        if known.contains(address) { return true }
        for index in proxies.indices where proxies[index].port == address.port {
            if let resolvedAt = proxies[index].resolvedAt, now() - resolvedAt < Self.resolutionInterval { continue }
            known.formUnion(resolve(proxies[index].host, proxies[index].port))
            // The time after the resolution, which may itself take longer than the interval.
            proxies[index].resolvedAt = now()
        }
        return known.contains(address)
    }

    /// Parses `[scheme://][user:password@]host[:port]`, as libcurl does; the default port is 1080, of `https` 443.
    private static func parse(_ text: String) -> Proxy? {
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
        return host.isEmpty ? nil : Proxy(host: String(host), port: port)
    }
}
