public import StoreAPI
public import StoreModel

extension StoreClient {
    /// Returns whether the daemon serves web pages, and where.
    public func web() async throws -> WebDocument { try await get(Resource("web")) }

    /// Makes the daemon serve web pages from now on, and returns a link that logs one browser in.
    ///
    /// - Parameter link: the link to a product whose page the browser shows; the first page if `nil`.
    /// - Throws: `web.port` where the port is in use or not permitted.
    public func startWeb(opening link: InstallLink? = nil) async throws -> WebDocument {
        try await ask("POST", Resource("web").with("link", link?.text))
    }

    /// Makes the daemon stop serving web pages, and logs all browsers out.
    public func stopWeb() async throws -> WebDocument { try await ask("DELETE", Resource("web")) }

    /// Returns the access tokens of programs that use the web listener.
    public func webTokens() async throws -> [WebToken] {
        try await get(Resource("web", "tokens"), as: WebTokenList.self).tokens
    }

    /// Creates an access token for a program that uses the web listener.
    ///
    /// - Parameters:
    ///   - name: the name by which the user recognises the token.
    ///   - scopes: what the token permits.
    /// - Throws: `web.token-exists` where there is a token of that name.
    public func createWebToken(_ name: String, scopes: [WebScope]) async throws -> CreatedWebToken {
        try await ask("POST", Resource("web", "tokens"), body: WebTokenRequest(name: name, scopes: scopes))
    }

    /// Revokes the access token with a name or an identifier.
    ///
    /// - Throws: `web.no-token`.
    public func revokeWebToken(_ name: String) async throws {
        try await exchange("DELETE", Resource("web", "tokens", name))
    }
}
