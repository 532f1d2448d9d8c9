import Hummingbird
import NIOHTTP1
import StoreModel

/// Turns every error into a problem document.
struct ProblemMiddleware: RouterMiddleware {
    let figures: RequestMetrics

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPParserError {
            // The connection can't be read any further; Hummingbird says so and closes it.
            throw error
        } catch let error as any HTTPResponseError {
            let report =
                error.status == .notFound
                ? ErrorReport(code: .resourceUnknown, message: "There is nothing at '\(request.uri.path)'.")
                : ErrorReport(code: .requestMalformed, message: "The request can't be understood: \(error)")
            figures.failed(report.code)
            return .problem(report)
        } catch {
            let report = ErrorReport(error)
            if report.code == .unexpected {
                context.logger.error(
                    "A request failed in a way that nobody foresaw.",
                    metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            }
            figures.failed(report.code)
            return .problem(report)
        }
    }
}
