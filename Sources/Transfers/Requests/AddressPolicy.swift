public import FoundationEssentials
import StoreSystem

/// The addresses to which the connections of a request may be made, for its URL and for redirects.
///
/// The address of each connection is checked, not the name of the host, so that a name which is resolved to another
/// address each time (DNS rebinding) does not get around the policy.
public enum AddressPolicy: Sendable, Hashable {
    /// Any address.
    case any
    /// Only addresses of the public internet: not loopback, link-local, private or reserved ones.
    case publicOnly
    /// Any address for the request's URL; if that address is public, only public ones for redirects.
    case publicIfFirstIs
}

extension URL {
    /// Whether the URL leads to this machine or its own networks whatever a resolver says: a file, `localhost`, or an
    /// address that is not public.
    public var hasLocalHost: Bool {
        if isFileURL || hasLocalName { return true }
        return host().flatMap { InternetAddress($0) }.map { !$0.isPublic } ?? false
    }

    /// Whether the host's name is reserved for this machine (RFC 6761, 6.3).
    var hasLocalName: Bool {
        let name = (host() ?? "").lowercased()
        let host = name.hasSuffix(".") ? String(name.dropLast()) : name
        return host == "localhost" || host.hasSuffix(".localhost")
    }
}
