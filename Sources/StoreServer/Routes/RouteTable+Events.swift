import Downloads
import Engine
import Hummingbird
import StoreAPI
import StoreModel

extension RouteTable {
    /// `/v1/snapshot` and `/v1/events`: the state now, and everything that happens after it.
    mutating func addEvents(_ manager: StoreManager, connections: OpenConnections) {
        get("/v1/snapshot") { call in
            let now = try await manager.snapshot(languages: call.languages)
            return try .json(SnapshotDocument(sequence: now.sequence, downloads: now.downloads, packs: now.packs))
        }
        on(.get, "/v1/events") { call in
            // A reader that comes back by itself asks for the same address again and adds the header, so the header is newer.
            let last = call.request.headers[.init("Last-Event-ID")!].flatMap { $0.isEmpty ? nil : $0 }
            let text = last ?? call.query("after")
            let sequence = try text.map { text in
                guard let sequence = UInt64(text) else {
                    throw ServerError(.requestMalformed, "'\(text)' is not the sequence number of an event.")
                }
                return sequence
            }
            let scope = EventScope(
                productIdentifier: call.query("product"), kind: call.query("kind").map(ProductKind.init))
            let subscription = try manager.events.observe(after: sequence, scope)
            return EventStream(subscription: subscription, connections: connections).response(to: call)
        }
    }
}
