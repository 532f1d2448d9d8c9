import FoundationEssentials
import Hummingbird
import StoreAPI
import StoreEngine
import StoreModel
import StoreOpenAPI
import StoreSettings

extension RouteTable {
    /// Adds the HTTP routes below `/v1/web`: the web listener and its access tokens, which only the socket serves.
    mutating func addWeb(_ web: WebListener, _ manager: StoreManager) {
        get(
            "/v1/web", Endpoint("web", "Whether the web pages are served.", .ok(WebDocument.self, "The web listener."))
        ) { request in
            try request.response(WebDocument(web))
        }
        on(
            .post, "/v1/web",
            Endpoint(
                "startWeb", "Serves the web pages from now on, also after restarts, and creates a one-time link.",
                [
                    .query(
                        "link", .nonEmptyText,
                        "A link `storectl:install/ID` to a product, whose page the one-time link opens instead of the first page."
                    )
                ],
                .ok(WebDocument.self, "The web listener, with a link that logs a browser in."),
                errors: [.webPort, .linkInvalid])
        ) { request in
            let page = try request.query("link").map { try InstallLink(parsing: $0).page } ?? "/"
            if !web.isOn { try web.apply(await manager.set(.webEnabled, to: "true")) }
            var document = WebDocument(web)
            document.link = web.makeLink(to: page)
            return try .json(document)
        }
        on(
            .delete, "/v1/web",
            Endpoint(
                "stopWeb", "Stops serving the web pages, logs all browsers out, and forgets the pages' host name.",
                .ok(WebDocument.self, "The web listener."))
        ) { _ in
            try web.apply(await manager.set(.webEnabled, to: "false"))
            // The environment or the program's arguments may keep the pages on.
            if !web.isOn { try web.forgetHost() }
            return try .json(WebDocument(web))
        }
        addWebTokens(web)
    }

    private mutating func addWebTokens(_ web: WebListener) {
        get(
            "/v1/web/tokens",
            Endpoint("webTokens", "The access tokens of programs.", .ok(WebTokenList.self, "The tokens."))
        ) { request in
            try request.response(WebTokenList(tokens: web.access.tokens))
        }
        on(
            .post, "/v1/web/tokens",
            Endpoint(
                "createWebToken", "Creates an access token for a program.", body: WebTokenRequest.self,
                .created(CreatedWebToken.self, "The token, with its secret."), errors: [.webTokenExists])
        ) { request in
            let body = try await request.body(WebTokenRequest.self)
            let (token, secret) = try web.access.createToken(body.name, scopes: Set(body.scopes ?? [.read]), at: Date())
            return try .json(CreatedWebToken(token: token, secret: secret), status: .created)
        }
        on(
            .delete, "/v1/web/tokens/:name",
            Endpoint(
                "revokeWebToken", "Revokes an access token.", .noContent("The token no longer permits anything."),
                errors: [.webTokenMissing])
        ) { request in
            try web.access.revokeToken(request.identifier("name"))
            return Response(status: .noContent)
        }
    }
}

extension WebDocument {
    init(_ web: WebListener) {
        let address = web.address
        self.init(enabled: address != nil, address: address, sessions: web.access.sessions)
    }
}
