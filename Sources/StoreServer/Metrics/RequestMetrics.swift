import Hummingbird
import StoreModel
import Synchronization

/// Counters of the HTTP requests that the daemon has served: their numbers, durations and errors.
///
/// The memory is bounded by the number of routes and of error codes, whatever clients request.
final class RequestMetrics: Sendable {
    struct Key: Hashable {
        let route: String
        let method: String
        let status: Int
    }

    private struct State {
        var durations: [Key: Histogram] = [:]
        var errors: [ErrorCode: Int] = [:]
    }

    /// The upper bounds of the buckets in the histogram of requests' durations, in seconds.
    ///
    /// Most responses come from memory; those that wait for a store take as long as the network does.
    private static let bounds = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
    private let state = Mutex(State())

    /// Records the status and duration of the response to an HTTP request.
    ///
    /// - Parameter route: the path pattern of the route; anything that is no path counts as `none`.
    func recordResponse(route: String?, method: HTTPRequest.Method, status: Int, duration: Duration) {
        let key = Key(
            route: route.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "none",
            method: Self.methods.contains(method.rawValue) ? method.rawValue : "other",
            status: status)
        state.withLock { $0.durations[key, default: Histogram(bounds: Self.bounds)].add(duration / .seconds(1)) }
    }

    /// Records that an HTTP request failed with an error code.
    func recordError(_ code: ErrorCode) {
        state.withLock { $0.errors[code, default: 0] += 1 }
    }

    /// The histograms of HTTP requests' durations in seconds, in the order of route, method and status.
    var durations: [(key: Key, histogram: Histogram)] {
        state.withLock { $0.durations }
            .sorted { ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status) }
            .map { ($0.key, $0.value) }
    }

    /// The number of failed HTTP requests by error code.
    var errors: [ErrorCode: Int] { state.withLock { $0.errors } }
}
