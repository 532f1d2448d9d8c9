import FoundationEssentials
import Hummingbird
import NIOCore
import StoreAPI
import StoreEngine
import StoreEvents
import StoreModel
import StoreOpenAPI

extension RouteTable {
    /// Adds the HTTP routes `/v1/snapshot` and `/v1/events`: the current state, and the events that change it.
    ///
    /// - Parameter operations: records which programs follow the events.
    mutating func addEvents(
        _ manager: StoreManager, _ operations: BegunOperations, connections: OpenConnections
    ) {
        get(
            "/v1/snapshot",
            Endpoint(
                "snapshot", "The current state of everything, and the number of the last event that it includes.",
                .languages, .ok(SnapshotDocument.self, "The events after that number bring the snapshot up to date."))
        ) { request in
            let now = try await manager.observers.snapshot(languages: request.languages)
            let snapshot = SnapshotDocument(
                sequence: now.sequence, downloads: now.downloads, packs: now.packs, stores: now.stores,
                purchases: now.purchases, settings: now.settings, skin: now.skin, stickers: now.stickers)
            return try request.response(LargeDocument(snapshot).data(), mediaType: "application/json")
        }
        on(
            .get, "/v1/events",
            Endpoint(
                "events", "A stream of events, until the client disconnects.",
                [
                    .query("after", .sequenceNumber, "The number of the last event that the client has seen."),
                    .query(
                        "product", .nonEmptyText,
                        "Only events about this product: those with this `productIdentifier`, of the types `download`, "
                            + "`pack` and `purchase`; `skin` events of the skin that is in use, was in use before, was "
                            + "chosen, or that the one in use inherits from; and `stickers` events with the complete list, "
                            + "where a sticker of the list is of this pack, or the pack has a place in the user's order."
                    ),
                    .query(
                        "kind", .nonEmptyText,
                        "Only events about products of this kind, of the types `download` and `pack`. Events of the type `skin` "
                            + "are of the kind `skin`, and those of the type `stickers` of the kind `sticker`."),
                    .query(
                        "ends", .boolean,
                        "Only events of the type `download` that report the end or a pause of a download. A program that waits for "
                            + "downloads and shows no progress needs no others."),
                    .header(
                        "Last-Event-ID", .sequenceNumber, "The same as `after`; takes precedence if both are given."),
                    .viewer,
                ],
                .ok(
                    .eventStream(example: ServerSentEventStream.example),
                    "Each message has the event's number as `id`, no `event`, and as `data` one document of the schema "
                        + "`Event`. Comments keep an idle connection open."),
                errors: [.eventsGone])
        ) { request in
            // A client that reconnects requests the same address again and adds the header, so the header is more
            // recent than the address.
            let lastEvent = request.httpRequest.headers[.init("Last-Event-ID")!].flatMap { $0.isEmpty ? nil : $0 }
            let sequence = (lastEvent ?? request.query("after")).flatMap { UInt64($0) }
            let filter = EventFilter(
                productIdentifier: request.query("product"), kind: request.query("kind").map(ProductKind.init),
                endsOnly: request.flag("ends"))
            let subscription = try manager.events.subscribe(after: sequence, filter: filter)
            // After it was subscribed: what was published before counts as not seen.
            let start = sequence ?? manager.events.lastSequence
            var stream = ServerSentEventStream(subscription: subscription, connections: connections)
            if let viewer = request.viewer, filter.productIdentifier == nil, filter.kind == nil {
                stream.didBegin = {
                    let number = operations.beginPresence(of: viewer, after: start)
                    return { operations.endPresence(number, at: manager.events.lastSequence) }
                }
            }
            return stream.response(to: request)
        }
    }
}

extension LargeDocument {
    /// Creates the document of a snapshot: the members of a `SnapshotDocument`, in the order of their names.
    init(_ snapshot: SnapshotDocument) throws {
        self.init()
        try addArray("downloads", snapshot.downloads)
        try addArray("packs", snapshot.packs)
        try addArray("purchases", snapshot.purchases)
        try add("sequence", snapshot.sequence)
        try add("settings", snapshot.settings)
        if let skin = snapshot.skin { try add("skin", skin) }
        try add("stickers", snapshot.stickers)
        try add("stores", snapshot.stores)
    }
}

extension ServerSentEventStream {
    /// A stream of one event, for the OpenAPI document.
    fileprivate static var example: String {
        // A test reads this text, and fails if the event could not be encoded.
        let json = (try? JSON.encode(Event.example)) ?? Data()
        var frame = ByteBuffer()
        addFrame(sequence: Event.example.sequence, json: json, to: &frame)
        return String(buffer: frame)
    }
}
