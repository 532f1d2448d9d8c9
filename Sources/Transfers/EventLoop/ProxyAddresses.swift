import FoundationEssentials
import StoreModel
import StoreSystem

/// The addresses of the proxies that the user has configured, or that the environment names.
///
/// Used on the engine's thread only.
final class ProxyAddresses {
    /// A proxy, and what names it.
    struct Proxy {
        let address: ProxyAddress
        /// The setting or the environment variable that names the proxy, as a text for display.
        let origin: String
        /// When the host's name was resolved last; `nil` where it never was.
        fileprivate var resolvedAt: ContinuousClock.Instant?

        /// The host and the port of the proxy, without a user name and a password.
        var text: String { "\(address.host.contains(":") ? "[\(address.host)]" : address.host):\(address.port)" }
    }

    /// The time for which the name of a proxy is not resolved again.
    ///
    /// Resolving blocks all transfers, up to half a minute where the resolver does not respond, and any server can cause it
    /// by naming an address with the proxy's port.
    static let resolutionInterval = Duration.seconds(10)

    private var proxies: [Proxy]
    /// The addresses of proxies that were found so far, with the index of the proxy.
    private var known: [InternetAddress: Int] = [:]
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
        let texts =
            configuration.proxy.map { [("the setting network.proxy", $0)] }
            ?? variables.compactMap { name in environment[name].map { ("the environment variable \(name)", $0) } }
        proxies = texts.compactMap { origin, text in
            ProxyAddress(text).map { Proxy(address: $0, origin: origin) }
        }
    }

    /// Returns whether an address is that of a proxy.
    ///
    /// Blocks as ``proxy(at:)`` does.
    func contains(_ address: InternetAddress) -> Bool { proxy(at: address) != nil }

    /// Returns the proxy with an address; `nil` if there is none.
    ///
    /// Blocks where the name of a proxy with the same port has to be resolved, which is done once in
    /// ``resolutionInterval``.
    func proxy(at address: InternetAddress) -> Proxy? {
        if let index = known[address] { return proxies[index] }
        for index in proxies.indices where proxies[index].address.port == address.port {
            if let resolvedAt = proxies[index].resolvedAt, now() - resolvedAt < Self.resolutionInterval { continue }
            for found in resolve(proxies[index].address.host, address.port) where known[found] == nil {
                known[found] = index
            }
            // The time after the resolution, which may itself take longer than the interval.
            proxies[index].resolvedAt = now()
        }
        return known[address].map { proxies[$0] }
    }
}
