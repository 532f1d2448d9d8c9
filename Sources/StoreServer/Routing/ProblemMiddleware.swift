import Hummingbird
import NIOHTTP1
import StoreModel

/// Converts every error that a handler of an HTTP request throws to an error response (RFC 9457).
struct ProblemMiddleware: RouterMiddleware {
    let metrics: RequestMetrics

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPParserError {
            // The rest of the connection is unreadable; Hummingbird responds with 400 and closes it.
            throw error
        } catch {
            let report = Self.report(error, for: request)
            if report.code == .unexpected {
                context.logger.error(
                    "request failed unexpectedly", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            }
            metrics.recordError(report.code)
            return .problem(report)
        }
    }

    private static func report(_ error: any Error, for request: Request) -> ErrorReport {
        guard let error = error as? any HTTPResponseError else { return ErrorReport(error) }
        return ErrorReport(
            error.status == .notFound
                ? StoreError(.resourceNotFound, ["path": .untrusted(request.uri.path)])
                : StoreError(.requestUnreadable, ["reason": .untrusted("\(error)")]))
    }
}
