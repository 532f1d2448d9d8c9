import Hummingbird
import StoreModel
import StoreOpenAPI

/// Responds to a request whose path has routes, but none for its method, with 405 and the allowed methods.
struct MethodNotAllowedMiddleware: RouterMiddleware {
    let routes: [Route]
    let metrics: RequestMetrics

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let segments = request.uri.path.split(separator: "/")
        let methods = Set(routes.filter { $0.matches(segments) }.map(\.method.rawValue))
        guard !methods.isEmpty else { return try await next(request, context) }
        let allowed = methods.sorted().joined(separator: ", ")
        metrics.recordError(.methodUnknown)
        return .problem(
            ErrorReport(
                StoreError(
                    .methodNotAllowed,
                    [
                        "path": .untrusted(request.uri.path), "method": .untrusted(request.method.rawValue),
                        "allowed": allowed,
                    ])),
            headers: [.allow: allowed])
    }
}
