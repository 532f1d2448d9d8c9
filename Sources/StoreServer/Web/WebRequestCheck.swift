import Hummingbird
import StoreModel
import StoreOpenAPI

/// The rules that decide whether the web listener serves a request.
///
/// A value without input and output; ``WebAccess`` applies it. Requests of other web pages, of programs without access and
/// of names that lead here by DNS rebinding are refused before anything of them is used.
struct WebRequestCheck {
    /// The host and port at which the listener is reached, such as `k3f9.localhost:8817`.
    let authority: String
    /// The origins of other web pages that a setting permits to use the interface.
    let allowedOrigins: Set<String>

    /// How a request proves that it may use the interface.
    enum Credentials: Equatable {
        case none
        /// What may be the secret of a browser's session, from its cookies; never empty.
        ///
        /// Browsers share cookies between the ports of a host. A program at another port can set a cookie of the same name,
        /// with a narrower path, which browsers send first; all values are tried, so that it does not log the user out.
        case session([String])
        /// The secret of a program's access token.
        case token(String)
    }

    /// The name of the cookie with the secret of a session.
    static let cookie = "storectl-session"

    /// Checks where a request comes from.
    ///
    /// - Throws: `web.host`, or `request.cross-origin`.
    func checkOrigin(of request: Request) throws {
        // A name that an attacker controls may resolve to the loopback address (DNS rebinding); its host differs.
        guard let host = request.head.authority?.lowercased(), host == authority else {
            // The host of this home is not named: the page of such a name can read the response.
            throw StoreError(.webHostUnknown, ["host": .untrusted(request.head.authority ?? "")])
        }
        if let origin = request.headers[.origin] {
            guard origin.lowercased() == "http://\(authority)" || allowedOrigins.contains(origin.lowercased()) else {
                throw StoreError(.requestOriginForeign, ["origin": .untrusted(origin)])
            }
            return
        }
        guard let site = request.headers[.init("Sec-Fetch-Site")!] else { return }
        // Another page may link to a page here. The browser sends no cookie with the request (SameSite=Strict) unless the
        // service worker passes it on; the other page can't read the response, and a GET changes nothing.
        let isNavigation = request.headers[.init("Sec-Fetch-Mode")!] == "navigate" && request.method == .get
        // A frame of another page must not show a page from here, whatever the header against that says.
        let isFrame = ["iframe", "frame", "embed", "object"].contains(request.headers[.init("Sec-Fetch-Dest")!] ?? "")
        guard site == "same-origin" || site == "none" || (isNavigation && !isFrame) else {
            throw StoreError(.requestSiteForeign)
        }
    }

    /// Returns the credentials that a request presents.
    ///
    /// A token takes precedence: a program that sends one does not have to care about cookies.
    func credentials(of request: Request) -> Credentials {
        if let header = request.headers[.authorization] {
            let parts = header.split(separator: " ", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == "bearer" { return .token(String(parts[1])) }
        }
        let secrets = request.headers[values: .cookie].flatMap { field in
            field.split(separator: ";").compactMap { pair -> String? in
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].filter({ $0 != " " }) == Self.cookie else { return nil }
                return String(parts[1])
            }
        }
        return secrets.isEmpty ? .none : .session(secrets)
    }

    /// Returns the scope that a client needs for a request; `nil` if no client of the web listener may send it.
    ///
    /// - Parameters:
    ///   - path: the path of the request, without its query.
    ///   - changes: whether the request may change something.
    static func scope(path: String, changes: Bool) -> WebScope? {
        let parts = path.split(separator: "/")
        if parts.starts(with: ["v1", "web"]) { return nil }
        guard changes else { return .read }
        // The first part is `v1`, or `actions` for the forms of pages.
        return switch parts.dropFirst().first {
        case "config", "stores", "purchases", "shutdown", "tokens": .settings
        // They read and write wherever the user may.
        case "sticker-imports", "sticker-exports", "sticker-targets": .settings
        case "skin" where parts.last == "check": .settings
        default: .install
        }
    }

    /// Returns whether only a browser with a session may send a request for a path, whatever the scopes of a token are.
    ///
    /// - Parameter path: the path of the request, without its query.
    static func isForSessionsOnly(path: String) -> Bool {
        let parts = path.split(separator: "/")
        return parts.starts(with: ["settings", "tokens"]) || parts.starts(with: ["actions", "tokens"])
    }
}
