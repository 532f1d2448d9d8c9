import Hummingbird
import StoreAPI
import StoreEngine

extension RouteTable {
    /// `/v1/status` and `/v1/shutdown`: the daemon itself.
    mutating func addDaemon(_ facts: DaemonContext, stop: ShutdownTrigger) {
        get("/v1/status", Endpoint("status", "What the daemon says of itself.", .ok("Status", "The daemon."))) {
            request in
            try request.answer(await facts.status())
        }
        on(
            .post, "/v1/shutdown",
            Endpoint(
                "shutdown", "Ends the daemon. What runs goes on with the next start.",
                .accepted("Status", "It was told, and is a little before its end."))
        ) { _ in
            let status = try Response.json(await facts.status(), status: .accepted)
            // Answers that are on their way are still written.
            stop.request(.request)
            return status
        }
    }
}
