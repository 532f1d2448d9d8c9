import Hummingbird

/// Adds fixed headers to every HTTP response, error responses included.
struct ResponseHeadersMiddleware: RouterMiddleware {
    let headers: HTTPFields

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers.append(contentsOf: headers)
        return response
    }
}
