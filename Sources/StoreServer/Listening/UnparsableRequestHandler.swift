import FoundationEssentials
import HummingbirdCore
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import StoreModel

/// A channel handler that gives the response to an HTTP request which can't be parsed a problem document (RFC 9457).
///
/// Hummingbird responds to such a request with 400 and no body, and closes the connection: no route and no middleware
/// sees the request. Its response passes through this handler, after those to the requests before.
final class UnparsableRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var parserError: HTTPParserError?

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        parserError = parserError ?? error as? HTTPParserError
        context.fireErrorCaught(error)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard let parserError, case .head(var head) = unwrapOutboundIn(data), head.status == .badRequest,
            head.headerFields[.contentLength] == "0"
        else { return context.write(data, promise: promise) }
        self.parserError = nil
        let (status, body) = Self.error(for: parserError).problem
        head.status = status
        head.headerFields[.contentType] = "application/problem+json"
        head.headerFields[.contentLength] = "\(body.count)"
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: body))), promise: promise)
    }

    private static func error(for error: HTTPParserError) -> ErrorReport {
        switch error {
        case .invalidMethod: ErrorReport(StoreError(.requestMethodUnknown))
        case .headerOverflow: ErrorReport(StoreError(.requestHeadersTooLarge))
        default: ErrorReport(StoreError(.requestUnreadable, ["reason": .untrusted("\(error)")]))
        }
    }
}
