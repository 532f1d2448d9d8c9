import Hummingbird
import NIOCore
import NIOHTTP1
import StoreModel

/// Which function answers which method of which resource. What is in no row is answered too: with a problem, 404 for
/// the resource, 405 for the method.
struct RouteTable {
    typealias Handler = @Sendable (Call) async throws -> Response

    /// All rows, in the order in which they were added.
    private(set) var routes: [Route] = []
    private let router = Router(context: CallContext.self)
    private let figures: RequestMetrics

    /// - Parameters:
    ///   - headers: sent with every answer.
    ///   - figures: where requests are counted.
    init(headers: HTTPFields = [:], figures: RequestMetrics = RequestMetrics()) {
        self.figures = figures
        router.add(middleware: FixedHeaders(headers: headers))
        router.add(middleware: RequestMetering(figures: figures))
        router.add(middleware: Problems(figures: figures))
    }

    /// - Parameter endpoint: what requests are held to, and the interface's document says; `nil` for what is no part of the
    ///   interface, and takes what comes.
    mutating func on(
        _ method: HTTPRequest.Method, _ path: String, _ endpoint: Endpoint? = nil, _ handler: @escaping Handler
    ) {
        let route = Route(method: method, path: path, endpoint: endpoint)
        routes.append(route)
        router.on(RouterPath(path), method: method) { request, context in
            let call = try Call(request, context, route)
            if route.takesNoBody { try await call.refuseBody() }
            return try await handler(call)
        }
    }

    mutating func get(_ path: String, _ endpoint: Endpoint? = nil, _ handler: @escaping Handler) {
        on(.get, path, endpoint, handler)
        on(.head, path, endpoint) { call in try await handler(call).createHeadResponse() }
    }

    /// What answers requests by this table. Errors come out as problems.
    func responder() -> some HTTPResponder<CallContext> {
        // The last: it only sees what no row answers.
        router.add(middleware: OtherMethods(routes: routes, figures: figures))
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

/// Answers a method that a resource has not.
private struct OtherMethods: RouterMiddleware {
    let routes: [RouteTable.Route]
    let figures: RequestMetrics

    func handle(
        _ request: Request, context: CallContext, next: (Request, CallContext) async throws -> Response
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

/// Turns every error into a problem document.
private struct Problems: RouterMiddleware {
    let figures: RequestMetrics

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
