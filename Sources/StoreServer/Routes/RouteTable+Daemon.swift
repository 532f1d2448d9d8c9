import Engine
import Hummingbird
import StoreAPI

extension RouteTable {
    /// `/v1/status` and `/v1/shutdown`: the daemon itself.
    mutating func addDaemon(_ facts: DaemonFacts, stop: StopSignal) {
        get("/v1/status") { _ in
            try .json(await facts.status())
        }
        on(.post, "/v1/shutdown") { _ in
            let status = try Response.json(await facts.status(), status: .accepted)
            // Answers that are on their way are still written.
            stop.request(.request)
            return status
        }
    }
}
