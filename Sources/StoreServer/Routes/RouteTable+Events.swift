import Hummingbird
import StoreAPI
import StoreEngine
import StoreEvents
import StoreModel

extension RouteTable {
    /// `/v1/snapshot` and `/v1/events`: the state now, and everything that happens after it.
    mutating func addEvents(_ manager: StoreManager, connections: OpenConnections) {
        get(
            "/v1/snapshot",
            Endpoint(
                "snapshot", "Everything as it stands, and the number of the last event that it holds.", .languages,
                .ok("Snapshot", "Events after that number bring it up to date."))
        ) { request in
            let now = try await manager.observers.snapshot(languages: request.languages)
            return try request.answer(
                SnapshotDocument(sequence: now.sequence, downloads: now.downloads, packs: now.packs, skin: now.skin))
        }
        on(
            .get, "/v1/events",
            Endpoint(
                "events", "What happens from now on, or from a number on, until the reader goes away.",
                [
                    .query("after", .sequence, "The number of the last event that was seen."),
                    .query("product", .name, "Only events about this product."),
                    .query("kind", .name, "Only events about products of this kind."),
                    .header("Last-Event-ID", .sequence, "The same as `after`, and newer where both are given."),
                ],
                .ok(
                    .events,
                    "Each message has the event's number as `id`, no `event`, and as `data` one document, `Event` among "
                        + "the components. Silence is broken by comments."),
                problems: [.eventsGone])
        ) { request in
            // A reader that comes back by itself asks for the same address again and adds the header, so the header is newer.
            let last = request.httpRequest.headers[.init("Last-Event-ID")!].flatMap { $0.isEmpty ? nil : $0 }
            let sequence = (last ?? request.query("after")).flatMap { UInt64($0) }
            let scope = EventFilter(
                productIdentifier: request.query("product"), kind: request.query("kind").map(ProductKind.init))
            let subscription = try manager.events.subscribe(after: sequence, filter: scope)
            return ServerSentEventStream(subscription: subscription, connections: connections).response(to: request)
        }
    }
}
