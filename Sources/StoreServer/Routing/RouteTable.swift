import Hummingbird

/// Which function answers which method of which resource. What is in no row is answered too: with a problem, 404 for
/// the resource, 405 for the method.
struct RouteTable {
    typealias Handler = @Sendable (APIRequest) async throws -> Response

    /// All rows, in the order in which they were added.
    private(set) var routes: [Route] = []
    private let router = Router(context: ServerRequestContext.self)
    private let figures: RequestMetrics

    /// - Parameters:
    ///   - headers: sent with every answer.
    ///   - figures: where requests are counted.
    init(headers: HTTPFields = [:], figures: RequestMetrics = RequestMetrics()) {
        self.figures = figures
        router.add(middleware: ResponseHeadersMiddleware(headers: headers))
        router.add(middleware: RequestMetricsMiddleware(figures: figures))
        router.add(middleware: ProblemMiddleware(figures: figures))
    }

    /// - Parameter endpoint: what requests are held to, and the interface's document says; `nil` for what is no part of the
    ///   interface, and takes what comes.
    mutating func on(
        _ method: HTTPRequest.Method, _ path: String, _ endpoint: Endpoint? = nil, _ handler: @escaping Handler
    ) {
        let route = Route(method: method, path: path, endpoint: endpoint)
        routes.append(route)
        router.on(RouterPath(path), method: method) { httpRequest, context in
            let request = try APIRequest(httpRequest, context, route)
            if route.takesNoBody { try await request.refuseBody() }
            return try await handler(request)
        }
    }

    mutating func get(_ path: String, _ endpoint: Endpoint? = nil, _ handler: @escaping Handler) {
        on(.get, path, endpoint, handler)
        on(.head, path, endpoint) { request in try await handler(request).createHeadResponse() }
    }

    /// What answers requests by this table. Errors come out as problems.
    func responder() -> some HTTPResponder<ServerRequestContext> {
        // The last: it only sees what no row answers.
        router.add(middleware: MethodNotAllowedMiddleware(routes: routes, figures: figures))
        return router.buildResponder()
    }
}
