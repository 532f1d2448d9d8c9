import Hummingbird
import StoreAPI
import StoreModel
import StoreOpenAPI
import StoreWebPages

/// Serves the requests of the web listener: checks them, and passes them on to the routes of the daemon's interface.
struct WebResponder: Sendable {
    let check: WebRequestCheck
    let access: WebAccess
    /// The routes of the daemon, which determine whether a request may change something.
    let routes: [Route]
    /// Responds to a request that is permitted.
    let respond: @Sendable (Request) async throws -> Response
    /// Renders the page that a browser without a session sees.
    let pages: PageResponder

    /// The path of one-time links.
    static let loginPath = "/login"
    /// The path to which the form is sent that ends a session.
    static let logoutPath = "/logout"
    /// The query parameter of one-time links with their secret.
    static let linkParameter = "link"

    /// Returns the response to a request at the web listener.
    func response(to request: Request) async throws -> Response {
        let response = try await responseWithBody(to: request)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func responseWithBody(to request: Request) async throws -> Response {
        var response: Response
        do {
            try check.checkOrigin(of: request)
            if let preflight = preflightResponse(to: request) { return preflight }
            response =
                switch request.uri.path {
                case Self.loginPath: try login(request)
                case Self.logoutPath: logout(request)
                default: try await permittedResponse(to: request)
                }
        } catch let error as StoreError {
            response = Self.prefersPage(request) ? refusalPage(error, for: request) : .problem(ErrorReport(error))
            // RFC 9110, 15.5.2.
            if response.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        }
        addHeaders(to: &response, of: request)
        return response
    }

    private func permittedResponse(to request: Request) async throws -> Response {
        // Style sheets, scripts, icons and translations are the same for everyone, and the page that refuses access needs
        // them.
        if request.uri.path.hasPrefix("/assets/") { return try await respond(request) }
        let credentials = check.credentials(of: request)
        let scopes = try access.scopes(of: credentials)
        guard !scopes.isEmpty else {
            // A browser sends the cookie of its last session with the requests of a page's scripts, too.
            let isProgram = credentials == .none && !Self.prefersPage(request)
            throw StoreError(isProgram ? .webCredentialsMissing : .webLoginRequired)
        }
        let changes = routes.mayChange(request)
        guard let needed = WebRequestCheck.scope(path: request.uri.path, changes: changes) else {
            throw StoreError(.webSocketOnly, ["path": .untrusted(request.uri.path)])
        }
        if case .token = credentials, WebRequestCheck.isForSessionsOnly(path: request.uri.path) {
            throw StoreError(.webSessionOnly, ["path": .untrusted(request.uri.path)])
        }
        guard scopes.contains(needed) else { throw StoreError(.webScopeMissing, ["scope": needed.rawValue]) }
        let response = try await respond(request)
        guard response.isProblem, response.status == .notFound, Self.prefersPage(request) else { return response }
        return missingPage(at: request)
    }

    /// Returns the page for an address that has none; the API's response would be JSON.
    private func missingPage(at request: Request) -> Response {
        let texts = PageText(request.language)
        let error = StoreError(.pageNotFound, ["path": .untrusted(request.uri.path)])
        let page = ErrorPage(texts.report(error), back: "/store", texts)
        return pages.response(page, in: request.language, status: .notFound)
    }

    /// Uses the one-time link of a request.
    ///
    /// - Returns: a redirection to the page that the link opens, with the cookie of the session.
    private func login(_ request: Request) throws -> Response {
        let query = try QueryParameters.parse(request.uri.query ?? "")
        guard request.method == .get, let link = query[Self.linkParameter] else { throw StoreError(.webLoginRequired) }
        let (secret, page) = try access.redeem(link)
        // Without `Domain`, so that only this host receives it, and without `Max-Age`, so that it ends with the browser.
        return Response(
            status: .seeOther,
            headers: [
                .location: page, .setCookie: "\(WebRequestCheck.cookie)=\(secret); Path=/; HttpOnly; SameSite=Strict",
                .cacheControl: "no-store",
            ])
    }

    /// Ends the session of a request.
    private func logout(_ request: Request) -> Response {
        guard request.method == .post, case .session(let secrets) = check.credentials(of: request) else {
            return Response(status: .seeOther, headers: [.location: "/"])
        }
        access.endSession(secrets)
        return Response(
            status: .seeOther,
            headers: [
                .location: "/", .setCookie: "\(WebRequestCheck.cookie)=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict",
            ])
    }

    private func refusalPage(_ error: StoreError, for request: Request) -> Response {
        let report = PageText(request.language).report(error)
        return pages.response(
            LoginPage(report), in: request.language, status: HTTPResponse.Status(for: report.code))
    }

    private func preflightResponse(to request: Request) -> Response? {
        guard request.method == .options, allowedOrigin(of: request) != nil else { return nil }
        var response = Response(status: .noContent)
        addHeaders(to: &response, of: request)
        response.headers[.accessControlAllowMethods] = "GET, HEAD, POST, PUT, PATCH, DELETE"
        response.headers[.accessControlAllowHeaders] =
            "Authorization, Content-Type, If-None-Match, Last-Event-ID, " + StoreAPI.viewerHeader
        return response
    }

    private func allowedOrigin(of request: Request) -> String? {
        request.headers[.origin].flatMap { check.allowedOrigins.contains($0.lowercased()) ? $0 : nil }
    }

    private func addHeaders(to response: inout Response, of request: Request) {
        response.headers[.init("X-Frame-Options")!] = "DENY"
        response.headers[.init("Referrer-Policy")!] = "same-origin"
        response.headers[.init("Cross-Origin-Opener-Policy")!] = "same-origin"
        response.headers[.xContentTypeOptions] = "nosniff"
        if request.uri.path == Self.loginPath {
            // While the daemon did not run, a program of another user may have listened at the port: what the browser has of
            // it, such as a service worker or cached pages, must not be part of the session. Such a service worker may use
            // the link up (seen with Firefox, which sends the request twice then), so that a refusal removes it, too.
            response.headers[.init("Clear-Site-Data")!] = #""cache", "storage""#
        }
        let origin = allowedOrigin(of: request)
        response.headers[.init("Cross-Origin-Resource-Policy")!] = origin == nil ? "same-origin" : "cross-origin"
        if let origin {
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.accessControlExposeHeaders] = StoreAPI.versionHeader
            response.headers[values: .vary].append("Origin")
        }
        // Everything but files that never change depends on the session.
        if response.headers[.cacheControl] == nil, !request.uri.path.hasPrefix("/assets/") {
            response.headers[.cacheControl] = "private, no-cache"
        }
    }

    /// Returns whether a request comes from someone who looks at a page, rather than from a program.
    private static func prefersPage(_ request: Request) -> Bool {
        !request.uri.path.hasPrefix("/v1/") && request.headers[.accept]?.contains("text/html") == true
    }
}
