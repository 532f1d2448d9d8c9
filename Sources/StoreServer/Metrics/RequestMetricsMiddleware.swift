import Hummingbird

/// Measures the time until the response to each HTTP request begins.
///
/// The bodies of files and event streams follow after that.
struct RequestMetricsMiddleware: RouterMiddleware {
    let metrics: RequestMetrics

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        metrics.recordResponse(
            route: context.endpointPath, method: request.method, status: response.status.code,
            duration: ContinuousClock.now - start)
        return response
    }
}
