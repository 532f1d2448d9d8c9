import Hummingbird

/// Adds fixed headers to every HTTP response, and removes the body of a response to `HEAD`; error responses included.
struct ResponseHeadersMiddleware: RouterMiddleware {
    let headers: HTTPFields

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers.append(contentsOf: headers)
        // A body would be read as the beginning of the next response (RFC 9110, 9.3.2).
        return request.method == .head ? response.createHeadResponse() : response
    }
}
