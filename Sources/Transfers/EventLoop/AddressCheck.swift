import FoundationEssentials
import StoreModel
import StoreSystem

/// The check of a transfer's connections against the address policy of its request.
struct AddressCheck {
    private let policy: AddressPolicy
    private let isPublic: (InternetAddress) -> Bool
    private let proxies: ProxyAddresses
    private var isRedirected = false
    /// Whether the request's own URL, before redirects, is at an address that is not public.
    ///
    /// `false` where that is not known, as through a proxy, and for policies that do not depend on it.
    private(set) var isFirstLocal = false
    private var refusedAddress: InternetAddress?
    /// The address of the last connection that was to be opened; `nil` before the first.
    private var lastAddress: InternetAddress?
    /// Whether a connection to at least one address of the current URL's host was allowed.
    private var hasAllowedAddress = false

    init(_ policy: AddressPolicy, _ proxies: ProxyAddresses, isPublic: @escaping (InternetAddress) -> Bool) {
        self.policy = policy
        self.proxies = proxies
        self.isPublic = isPublic
    }

    private var requiresPublic: Bool {
        switch policy {
        case .any: false
        case .publicOnly: true
        case .publicIfFirstIs: isRedirected && !isFirstLocal
        }
    }

    /// The address because of which the current URL's host could not be contacted; `nil` where none was refused.
    ///
    /// `nil` also where a connection to another address of the host was allowed: if that one failed, it is what a retry
    /// can mend.
    var onlyRefusedAddress: InternetAddress? { hasAllowedAddress ? nil : refusedAddress }

    /// The proxy to which a connection was to be opened last; `nil` if it was to another host.
    var proxy: ProxyAddresses.Proxy? { lastAddress.flatMap(proxies.proxy) }

    /// Returns whether the policy allows a connection to an address.
    ///
    /// Where the policy requires a public address, that of a proxy of the user is allowed as well.
    func allows(_ address: InternetAddress) -> Bool {
        !requiresPublic || isPublic(address) || proxies.contains(address)
    }

    /// Returns whether a URL may be requested, as far as the URL itself tells its address.
    ///
    /// It is all that can be checked where a proxy connects to the host.
    func allows(_ url: URL) -> Bool {
        guard requiresPublic else { return true }
        let port = UInt16(exactly: url.port ?? 0) ?? 0
        return !url.hasLocalName && url.host().flatMap { InternetAddress($0, port: port) }.map(isPublic) ?? true
    }

    /// Records a redirect, after which another host is contacted.
    mutating func redirected() {
        isRedirected = true
        refusedAddress = nil
        hasAllowedAddress = false
    }

    /// Returns whether a connection may be opened to an address, and records the decision for ``onlyRefusedAddress``.
    mutating func connectionWillBeOpened(to address: InternetAddress) -> Bool {
        let isAllowed = allows(address)
        lastAddress = address
        if isAllowed { hasAllowedAddress = true } else { refusedAddress = address }
        return isAllowed
    }

    /// Records the address to which a request is about to be sent; `nil` if it is unknown.
    mutating func requestWillBeSent(to address: InternetAddress?) {
        // No other policy depends on the first address, and to look for proxies may block.
        guard policy == .publicIfFirstIs, !isRedirected, let address else { return }
        isFirstLocal = !isPublic(address) && !proxies.contains(address)
    }
}
