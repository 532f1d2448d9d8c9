import Hummingbird
import StoreModel
import StoreOpenAPI

/// The routes of an HTTP server with their handlers, and the middleware through which every request passes.
///
/// A request that no route matches gets an error response: 404 for an unknown path, 405 for an unknown method.
struct RouteTable {
    typealias Handler = @Sendable (APIRequest) async throws -> Response

    /// All HTTP routes in the order in which they were added.
    private(set) var routes: [Route] = []
    private let router = Router(context: ServerRequestContext.self)
    private let metrics: RequestMetrics

    /// Creates a table without HTTP routes.
    ///
    /// - Parameters:
    ///   - headers: the headers of every response.
    ///   - metrics: counts the requests.
    init(headers: HTTPFields = [:], metrics: RequestMetrics = RequestMetrics()) {
        self.metrics = metrics
        router.add(middleware: ResponseHeadersMiddleware(headers: headers))
        router.add(middleware: RequestMetricsMiddleware(metrics: metrics))
        router.add(middleware: ProblemMiddleware(metrics: metrics))
    }

    /// Adds an HTTP route with its handler.
    ///
    /// - Parameters:
    ///   - endpoint: the description that requests are validated against; `nil` for a route that is not part of the
    ///     interface and accepts any parameters.
    ///   - routerPath: the path pattern for the router, where the names of its parameters differ from those of `path`:
    ///     the router requires parameters at the same position of several paths to have the same name.
    mutating func on(
        _ method: Route.Method, _ path: String, _ endpoint: Endpoint? = nil, routerPath: String? = nil,
        _ handler: @escaping Handler
    ) {
        let route = Route(method: method, path: path, endpoint: endpoint, pathParameters: Parameter.ofPaths)
        routes.append(route)
        router.on(RouterPath(routerPath ?? path), method: HTTPRequest.Method(method)) { httpRequest, context in
            if !route.hasSafeMethod, !context.isFromWebListener { try httpRequest.rejectOtherOrigins() }
            let request = try APIRequest(httpRequest, context, route)
            if route.rejectsBody { try await request.rejectBody() }
            return try await handler(request)
        }
    }

    /// Adds HTTP routes for `GET` and `HEAD` with one handler.
    mutating func get(
        _ path: String, _ endpoint: Endpoint? = nil, routerPath: String? = nil, _ handler: @escaping Handler
    ) {
        on(.get, path, endpoint, routerPath: routerPath, handler)
        on(.head, path, endpoint, routerPath: routerPath, handler)
    }

    /// Returns the responder that dispatches HTTP requests to the handlers.
    ///
    /// It converts the handlers' errors to error responses.
    func responder() -> some HTTPResponder<ServerRequestContext> {
        // Added last, so that it receives only requests that no route matches.
        router.add(middleware: MethodNotAllowedMiddleware(routes: routes, metrics: metrics))
        return router.buildResponder()
    }
}

extension [Route] {
    /// Returns whether an HTTP request may change something: a route matches it, and is one for changes.
    func mayChange(_ request: Request) -> Bool {
        guard let method = Route.Method(rawValue: request.method.rawValue) else { return false }
        let segments = request.uri.path.split(separator: "/")
        return contains { $0.changesState && $0.method == method && $0.matches(segments) }
    }
}
