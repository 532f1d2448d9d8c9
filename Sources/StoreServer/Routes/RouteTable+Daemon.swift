import Hummingbird
import StoreAPI
import StoreEngine
import StoreOpenAPI

extension RouteTable {
    /// Adds the HTTP routes `/v1/status` and `/v1/shutdown`, which concern the daemon itself.
    mutating func addDaemon(_ daemon: DaemonContext, shutdown: ShutdownTrigger) {
        get(
            "/v1/status",
            Endpoint(
                "status", "The daemon's version, home and load.",
                [
                    .query(
                        "tryConfinement", .boolean,
                        "Whether a process that reads packs is started if none was since the start of the daemon, so that "
                            + "`confinement` says what took effect; otherwise it then says what the kernel can restrict."
                    )
                ],
                .ok(StatusDocument.self, "The status."))
        ) { request in
            try request.response(await daemon.status(tryingConfinement: request.flag("tryConfinement")))
        }
        on(
            .post, "/v1/shutdown",
            Endpoint(
                "shutdown", "Shuts the daemon down. Running downloads resume with its next start.",
                [
                    .query(
                        "restart", .boolean,
                        "Whether another daemon is started afterwards: the directories and the files with the settings "
                            + "and the stores are checked first, and if one is not usable, the daemon goes on.")
                ],
                .accepted(StatusDocument.self, "The daemon shuts down after this response."),
                errors: [.settingsInvalid, .storesMalformed, .homeForeign, .homeOpen, .homeUnwritable])
        ) { request in
            if request.flag("restart") { try await daemon.manager.checkConfiguration() }
            let status = try Response.json(await daemon.status(), status: .accepted)
            // Responses that are being written are completed, this one included.
            shutdown.request(.request)
            return status
        }
    }
}
