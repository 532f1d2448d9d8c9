import Hummingbird
import StoreModel
import Synchronization

/// How many requests came, how long they took, and what was wrong with them. All that is kept is bounded by the rows
/// of the table and the codes of the program, whatever clients ask for.
final class RequestMetrics: Sendable {
    struct Key: Hashable {
        let route: String
        let method: String
        let status: Int
    }

    private struct State {
        var times: [Key: Histogram] = [:]
        var errors: [ErrorCode: Int] = [:]
    }

    /// In seconds. Most answers come from memory; those that wait for the network take as long as that does.
    private static let bounds = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
    private let state = Mutex(State())

    /// - Parameter route: the row of the table as the router names it; no path where none fits.
    func answered(route: String?, method: HTTPRequest.Method, status: Int, after time: Duration) {
        let key = Key(
            route: route.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "none",
            method: Self.methods.contains(method.rawValue) ? method.rawValue : "other",
            status: status)
        state.withLock { $0.times[key, default: Histogram(bounds: Self.bounds)].add(time / .seconds(1)) }
    }

    func failed(_ code: ErrorCode) {
        state.withLock { $0.errors[code, default: 0] += 1 }
    }

    /// By route, method and status, in the order of their names.
    var times: [(key: Key, histogram: Histogram)] {
        state.withLock { $0.times }
            .sorted { ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status) }
            .map { ($0.key, $0.value) }
    }

    var errors: [ErrorCode: Int] { state.withLock { $0.errors } }
}

/// Measures each request until its answer is there; the bodies of files and of event streams follow after that.
struct RequestMetricsMiddleware: RouterMiddleware {
    let figures: RequestMetrics

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        figures.answered(
            route: context.endpointPath, method: request.method, status: response.status.code,
            after: ContinuousClock.now - start)
        return response
    }
}
