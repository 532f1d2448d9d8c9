import Hummingbird

/// Adds what every answer says, problems included.
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
