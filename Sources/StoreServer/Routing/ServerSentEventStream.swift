import FoundationEssentials
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import StoreEvents

/// An HTTP response that streams events as `text/event-stream` until the client disconnects or the daemon shuts down.
struct ServerSentEventStream: Sendable {
    let subscription: EventSubscription
    let connections: OpenConnections
    /// The interval between the comments that keep an event stream from timing out.
    ///
    /// It is shorter than the usual idle timeouts of proxies.
    var heartbeatInterval = TimeAmount.seconds(15)

    /// Called when the stream begins; what it returns is called when the stream has ended.
    var didBegin: @Sendable () -> @Sendable () -> Void = { {} }

    /// Returns the HTTP response whose body is the event stream.
    func response(to request: APIRequest) -> Response {
        let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { [self] writer in
                connections.addEventStream(request.context.channel)
                defer { connections.removeEventStream(request.context.channel) }
                let didEnd = didBegin()
                defer { didEnd() }
                let heartbeat = startHeartbeat(on: request.context.channel)
                do {
                    // A subscription without events doesn't write, and would not detect that the client has
                    // disconnected.
                    try await request.httpRequest.body.consumeWithCancellationOnInboundClose { _ in
                        let unread = subscription.makeAsyncIterator()
                        while let events = try await unread.nextBatch(upTo: Self.batchLimit) {
                            try await writer.write(Self.frames(of: events))
                        }
                    }
                } catch {
                    // Every error ends the stream. A client that fell too far behind reconnects with its cursor, and
                    // gets an error that advises it to request a snapshot.
                    request.context.logger.debug("event stream ended", metadata: ["error": "\(error)"])
                }
                heartbeat.cancel()
                try await writer.finish(nil)
            })
    }

    /// The maximum number of events in one write.
    ///
    /// Events in the buffer of the subscription may still be replaced by newer progress.
    private static let batchLimit = 64

    static func frames(of events: [EncodedEvent]) -> ByteBuffer {
        var frames = ByteBuffer()
        frames.reserveCapacity(events.reduce(0) { $0 + $1.encoded.count + 40 })
        for event in events { addFrame(sequence: event.sequence, json: event.encoded, to: &frames) }
        return frames
    }

    /// Adds one event as a message of the event stream: its sequence number and its JSON.
    ///
    /// A client that reconnects sends the `id` back as `Last-Event-ID`. JSON escapes line breaks, so the document is one
    /// `data` line.
    static func addFrame(sequence: UInt64, json: Data, to frames: inout ByteBuffer) {
        frames.writeString("id: \(sequence)\ndata: ")
        frames.writeBytes(json)
        frames.writeString("\n\n")
    }

    /// Starts to send comments at an interval, which keep an idle event stream from timing out.
    ///
    /// They are written directly to the channel, so that the loop over the events needs no second task. A client that
    /// has stopped reading is sent none, because they would fill the channel's buffer.
    private func startHeartbeat(on channel: any Channel) -> RepeatedTask {
        channel.eventLoop.scheduleRepeatedTask(initialDelay: heartbeatInterval, delay: heartbeatInterval) { _ in
            guard channel.isWritable else { return }
            channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(string: ": \n\n")), promise: nil)
        }
    }
}
