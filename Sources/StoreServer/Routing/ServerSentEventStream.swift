import FoundationEssentials
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import StoreEvents

/// Events as a `text/event-stream`, until the reader goes away or the daemon ends.
struct ServerSentEventStream: Sendable {
    let subscription: EventSubscription
    let connections: OpenConnections
    /// How long nothing may be heard: shorter than what those who stand in between wait.
    var heartbeat = TimeAmount.seconds(15)

    func response(to request: APIRequest) -> Response {
        let headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { [self] writer in
                connections.addEventStream(request.context.channel)
                defer { connections.removeEventStream(request.context.channel) }
                let beating = startHeartbeat(on: request.context.channel)
                do {
                    // Only what waits for the connection to be closed learns that nobody reads any more.
                    try await request.httpRequest.body.consumeWithCancellationOnInboundClose { _ in
                        for try await event in subscription {
                            try await writer.write(Self.frame(sequence: event.event.sequence, json: event.encoded))
                        }
                    }
                } catch {
                    // Whatever it was, the stream ends here: a reader that fell too far behind comes back with the last
                    // number it has, and is then told that it must take a snapshot.
                    request.context.logger.debug("An event stream ended.", metadata: ["error": "\(error)"])
                }
                beating.cancel()
                try await writer.finish(nil)
            })
    }

    /// One event as the format wants it: the number comes back as `Last-Event-ID`. The document has no line
    /// breaks, which JSON escapes, so it is one `data` line.
    static func frame(sequence: UInt64, json: Data) -> ByteBuffer {
        var frame = ByteBuffer()
        frame.reserveCapacity(json.count + 40)
        frame.writeString("id: \(sequence)\ndata: ")
        frame.writeBytes(json)
        frame.writeString("\n\n")
        return frame
    }

    /// Comments keep a silent stream alive. They go straight to the connection, whole, so that the loop over the events needs
    /// no second task to listen to; a reader that has stopped reading gets none, or they would pile up.
    private func startHeartbeat(on channel: any Channel) -> RepeatedTask {
        channel.eventLoop.scheduleRepeatedTask(initialDelay: heartbeat, delay: heartbeat) { _ in
            guard channel.isWritable else { return }
            channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(string: ": \n\n")), promise: nil)
        }
    }
}
