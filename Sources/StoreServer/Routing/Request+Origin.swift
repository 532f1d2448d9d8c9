import Hummingbird
import StoreModel

extension Request {
    /// Checks that the HTTP request does not come from a web page of another origin.
    ///
    /// Only a proxy in front of the socket lets web pages send requests. Browsers send `Sec-Fetch-Site` to HTTPS and
    /// loopback servers (W3C Fetch Metadata, 2.3); `Origin` is compared with `Host` where it is missing. Programs send neither.
    /// `CrossOriginProtection` of Go's `net/http` has the same rules.
    ///
    /// - Throws: `request.cross-origin`.
    func rejectOtherOrigins() throws {
        let origin = headers[.origin]
        if let site = headers[.init("Sec-Fetch-Site")!] {
            if site == "same-origin" || site == "none" { return }
        } else {
            guard let origin else { return }
            // An origin is a scheme and an authority (RFC 6454, 6.2). The scheme is unknown behind a proxy.
            let parts = origin.lowercased().split(separator: "/", omittingEmptySubsequences: false)
            if parts.count == 3, parts[1].isEmpty, let host = head.authority, parts[2] == host.lowercased() { return }
        }
        guard let origin else { throw StoreError(.requestSiteForeign) }
        throw StoreError(.requestOriginForeign, ["origin": .untrusted(origin)])
    }
}
