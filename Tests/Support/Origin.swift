public import FoundationEssentials
import Glibc
public import StoreModel

/// An HTTP server on loopback for tests, with scripted faults.
///
/// It speaks HTTP/1.1 over plain sockets, with one thread for each connection. It responds as soon as it is
/// initialized, on a port that the system chooses, and stops when it is released. It supports ranges, `If-Range`,
/// `If-None-Match` and persistent connections, and records every request. Tests need not sleep: the methods that begin
/// with `until` wait for an event.
///
/// ```swift
/// let origin = try Origin()
/// origin.serve("/pack.zip", bytes)
/// origin.script("/pack.zip", [[.resetAfter(1000)], [.status(503)]])   // later responses have no fault
/// ```
public final class Origin: Sendable {
    /// The port of 127.0.0.1 on which the server listens.
    public var port: UInt16 { shared.listener.port }
    let shared: OriginShared

    /// Creates a server.
    ///
    /// - Parameter reach: how the server treats connections until ``open()`` is called.
    public init(_ reach: OriginReach = .listening) throws {
        shared = try OriginShared(try OriginListener(reach))
        if reach == .listening { try open() }
    }

    deinit { stop() }

    /// Starts listening, if the server began in another state or went down (``OriginFault/goDown``).
    public func open() throws {
        try shared.listener.open(shared.threads) { [shared] connection in
            guard shared.opened(connection) else {
                close(connection)
                return
            }
            shared.threads.start {
                OriginConnection(connection, shared).run()
                shared.close(connection)
            }
        }
    }

    /// Closes all connections and waits until all threads have ended.
    ///
    /// Calling it twice is harmless.
    public func stop() {
        guard shared.stop() else { return }
        shared.listener.goDown()
        shared.threads.wait()
    }

    // MARK: Content

    /// The URL of the server, with a trailing slash.
    public var url: URL { url("/") }

    /// Returns the URL of a path, which begins with a slash and may have a query.
    public func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

    /// Serves bytes at a path, and replaces the previous ones.
    ///
    /// - Parameters:
    ///   - etag: the entity tag with its quotation marks; by default one that is derived from the content.
    ///   - lastModified: the value of the `Last-Modified` header.
    public func serve(
        _ path: String, _ bytes: [UInt8], etag: String? = nil, lastModified: String = "Mon, 02 Jan 2023 03:04:05 GMT"
    ) {
        shared.change {
            $0.files[path] = OriginFile(
                bytes: bytes, etag: etag ?? OriginFile.tag(of: bytes), lastModified: lastModified)
        }
    }

    /// Serves a file that may be larger than the memory; its bytes are generated on request.
    ///
    /// Faults that change the content have no effect on it.
    public func serveLarge(_ path: String, size: Int) {
        shared.change {
            $0.files[path] = OriginFile(
                bytes: [], etag: "\"large-\(size)\"", lastModified: "Mon, 02 Jan 2023 03:04:05 GMT", largeSize: size)
        }
    }

    /// Returns the hash of a file served by ``serveLarge(_:size:)``.
    public static func hashOfLarge(size: Int) -> SHA256Digest { OriginBlocks.hash(of: size) }

    /// Serves text at a path.
    public func serve(_ path: String, _ text: String) { serve(path, Array(text.utf8)) }

    /// Serves the files beneath a directory, which are read again for each request.
    public func serve(folder: String) { shared.change { $0.folder = folder } }

    /// Removes a path; requests for it get status 404.
    public func remove(_ path: String) { shared.change { $0.files[path] = nil } }

    /// Responds to requests for a path, with any method, with the result of `handler`.
    public func handle(_ path: String, _ handler: @escaping @Sendable (OriginRequest) -> OriginReply) {
        shared.change { $0.handlers[path] = handler }
    }

    // MARK: Faults

    /// Sets the faults of every later response for a path.
    public func always(_ path: String, _ faults: OriginFault...) {
        shared.change {
            $0.faults[path] = faults
            $0.turns[path] = nil
        }
    }

    /// Sets the faults of the next responses for a path, one element each; later responses have the faults in `rest`.
    public func script(_ path: String, _ turns: [[OriginFault]], rest: [OriginFault] = []) {
        shared.change {
            $0.turns[path] = turns
            $0.faults[path] = rest
        }
    }

    /// Sets the faults of the next connections, which occur before any request is read; later connections have none.
    ///
    /// Only ``OriginFault/close``, ``OriginFault/stallBeforeAnswer`` and ``OriginFault/raw(_:)`` are possible at this
    /// point.
    public func scriptConnections(_ turns: [OriginFault]) { shared.change { $0.connectionTurns = turns } }

    /// Continues all responses that stall or crawl, and disables later stalls until ``hold()``.
    public func release() { shared.setReleased(true) }

    /// Lets later responses stall and crawl again, after ``release()``.
    public func hold() { shared.setReleased(false) }

    // MARK: Recorded requests

    /// All requests so far, in the order in which their headers were complete.
    public var requests: [OriginRequest] { shared.read { $0.requests } }

    /// Returns the requests for one path, whatever their query.
    public func requests(to path: String) -> [OriginRequest] { requests.filter { $0.path == path } }

    /// Returns how many bytes of a path's content were sent so far.
    ///
    /// Bytes that a fault replaced count, bytes that a fault added do not.
    public func bytesSent(of path: String) -> Int { shared.read { $0.sent[path] ?? 0 } }

    /// The number of connections that were accepted so far.
    public var connectionCount: Int { shared.read { $0.accepted } }

    /// The largest number of connections that were open at the same time.
    public var mostConnectionsAtOnce: Int { shared.read { $0.mostOpen } }

    /// Waits until a path was requested `times` times.
    public func untilRequested(_ path: String, times: Int = 1) async {
        await shared.until { $0.requests.count { $0.path == path } >= times }
    }

    /// Waits until `count` responses are stalled.
    public func untilStalled(_ count: Int = 1) async { await shared.until { $0.stalled >= count } }

    /// Waits until no connection is open.
    public func untilNoConnection() async { await shared.until { $0.open.isEmpty } }
}

/// A request that the server received.
public struct OriginRequest: Sendable {
    public let method: String
    /// The path as it was sent, without the query.
    public let path: String
    /// The query as it was sent; `nil` if there was none.
    public let query: String?
    /// The headers, with names in lower case.
    public let headers: [String: String]
    public let body: [UInt8]
    /// The number of the connection, counted from 1.
    public let connection: Int

    public var range: String? { headers["range"] }
}

/// The response of a handler.
public struct OriginReply: Sendable {
    public var status: Int
    public var headers: [String: String]
    public var body: [UInt8]

    public init(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
