import Hummingbird
import NIOCore
import NIOHTTP1
import StoreModel

/// Which function answers which method of which resource. What is in no row is answered too: with a problem, 404 for
/// the resource, 405 for the method.
struct RouteTable {
    typealias Handler = @Sendable (Call) async throws -> Response

    private let router = Router(context: CallContext.self)
    private let figures: RequestFigures
    private var methods: [String: Set<HTTPRequest.Method>] = [:]

    /// - Parameters:
    ///   - headers: sent with every answer.
    ///   - figures: where requests are counted.
    init(headers: HTTPFields = [:], figures: RequestFigures = RequestFigures()) {
        self.figures = figures
        router.add(middleware: FixedHeaders(headers: headers))
        router.add(middleware: RequestMetering(figures: figures))
        router.add(middleware: Problems(figures: figures))
    }

    mutating func on(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
        methods[path, default: []].insert(method)
        router.on(RouterPath(path), method: method) { request, context in
            try await handler(Call(request: request, context: context))
        }
    }

    mutating func get(_ path: String, _ handler: @escaping Handler) {
        on(.get, path, handler)
        on(.head, path) { call in try await handler(call).createHeadResponse() }
    }

    /// What answers requests by this table. Errors come out as problems.
    func responder() -> some HTTPResponder<CallContext> {
        for (path, known) in methods {
            let allowed = known.map(\.rawValue).sorted().joined(separator: ", ")
            for method: HTTPRequest.Method in [.get, .head, .post, .put, .patch, .delete] where !known.contains(method)
            {
                router.on(RouterPath(path), method: method) { [figures] request, _ in
                    figures.failed(.methodUnknown)
                    return Response.problem(
                        ErrorReport(
                            code: .methodUnknown,
                            message: "'\(request.uri.path)' has no \(request.method.rawValue), only \(allowed)."),
                        headers: [.allow: allowed])
                }
            }
        }
        return router.buildResponder()
    }
}

/// Adds what every answer says, problems included.
private struct FixedHeaders: RouterMiddleware {
    let headers: HTTPFields

    func handle(
        _ request: Request, context: CallContext, next: (Request, CallContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers.append(contentsOf: headers)
        return response
    }
}

/// Turns every error into a problem document.
private struct Problems: RouterMiddleware {
    let figures: RequestFigures

    func handle(
        _ request: Request, context: CallContext, next: (Request, CallContext) async throws -> Response
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
