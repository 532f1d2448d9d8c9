import Hummingbird
import StoreModel

/// Answers a method that a resource has not.
struct MethodNotAllowedMiddleware: RouterMiddleware {
    let routes: [RouteTable.Route]
    let figures: RequestMetrics

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let segments = request.uri.path.split(separator: "/")
        let known = Set(routes.filter { $0.matches(segments) }.map(\.method.rawValue))
        guard !known.isEmpty else { return try await next(request, context) }
        let allowed = known.sorted().joined(separator: ", ")
        figures.failed(.methodUnknown)
        return .problem(
            ErrorReport(
                code: .methodUnknown,
                message: "'\(request.uri.path)' has no \(request.method.rawValue), only \(allowed)."),
            headers: [.allow: allowed])
    }
}
