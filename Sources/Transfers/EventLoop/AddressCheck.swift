import FoundationEssentials
import StoreModel
import StoreSystem

/// The check of a transfer's connections against the address policy of its request.
struct AddressCheck {
    private let policy: AddressPolicy
    private let isPublic: (InternetAddress) -> Bool
    private let proxies: ProxyAddresses
    private var isRedirected = false
    /// Whether the request's own URL, before redirects, is at an address that is not public; `false` where that is not
    /// known, as through a proxy.
    private(set) var isFirstLocal = false

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

    /// Returns whether a connection may be made to an address: where it must be public, also to a proxy of the user.
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

    mutating func redirected() { isRedirected = true }

    /// Records the address to which a request is about to be sent; `nil` for a unix socket.
    mutating func requestWillBeSent(to address: InternetAddress?) {
        guard !isRedirected, let address, !proxies.contains(address) else { return }
        isFirstLocal = !isPublic(address)
    }
}
