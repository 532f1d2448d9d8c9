public import FoundationEssentials
import Glibc
public import StoreModel

/// A web server on this machine for tests, which does what it is told to do wrong.
///
/// HTTP/1.1 in plain sockets, one thread for each connection. It answers from the moment it is made, on a port that
/// the system chooses, and stops when it is released. It knows ranges, `If-Range`, `If-None-Match` and keeps
/// connections open. Every request is recorded. Nothing in it, nor in a test with it, has to sleep to be in step:
/// the functions that begin with `until` wait for what happens.
///
/// ```swift
/// let origin = try Origin()
/// origin.serve("/pack.zip", bytes)
/// origin.script("/pack.zip", [[.resetAfter(1000)], [.status(503)]])   // then as it should be
/// ```
public final class Origin: Sendable {
    /// 0 where it listens on a unix socket.
    public var port: UInt16 { shared.listener.port }
    let shared: OriginShared

    /// - Parameters:
    ///   - unixSocket: a path of at most 107 bytes to listen on, instead of a port of 127.0.0.1.
    ///   - reach: how it begins; it listens after ``open()``.
    public init(unixSocket: String? = nil, _ reach: OriginReach = .listening) throws {
        shared = try OriginShared(try OriginListener(unixSocket: unixSocket, reach))
        if reach == .listening { try open() }
    }

    deinit { stop() }

    /// Listens, after it began otherwise or went down (``OriginFault/goDown``).
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

    /// Closes all connections, ends all threads, and returns then.
    ///
    /// Doing it twice is harmless.
    public func stop() {
        guard shared.stop() else { return }
        shared.listener.goDown()
        shared.threads.wait()
    }

    // MARK: What it serves

    /// The address of the server, with a slash at its end.
    public var url: URL { url("/") }

    /// The address of a path, which begins with a slash and may have a query.
    public func url(_ path: String) -> URL { URL(string: "http://127.0.0.1:\(port)\(path)")! }

    /// Serves bytes at a path; again for other bytes from now on.
    ///
    /// - Parameters:
    ///   - etag: with its quotation marks; one of the content where it is left out.
    ///   - lastModified: as it is sent.
    public func serve(
        _ path: String, _ bytes: [UInt8], etag: String? = nil, lastModified: String = "Mon, 02 Jan 2023 03:04:05 GMT"
    ) {
        shared.change {
            $0.files[path] = OriginFile(
                bytes: bytes, etag: etag ?? OriginFile.tag(of: bytes), lastModified: lastModified)
        }
    }

    /// Serves a file that may be larger than the memory: its bytes are made when they are asked for.
    ///
    /// Faults that change its bytes have no effect on it.
    public func serveLarge(_ path: String, size: Int) {
        shared.change {
            $0.files[path] = OriginFile(
                bytes: [], etag: "\"large-\(size)\"", lastModified: "Mon, 02 Jan 2023 03:04:05 GMT", largeSize: size)
        }
    }

    /// The hash of a file of ``serveLarge(_:size:)``.
    public static func hashOfLarge(size: Int) -> SHA256Digest { OriginBlocks.hash(of: size) }

    /// Serves text at a path.
    public func serve(_ path: String, _ text: String) { serve(path, Array(text.utf8)) }

    /// Serves the files below a folder, under their paths in it, read anew for each request.
    public func serve(folder: String) { shared.change { $0.folder = folder } }

    /// Takes a path away: it answers 404.
    public func remove(_ path: String) { shared.change { $0.files[path] = nil } }

    /// Answers requests for a path, of any method, with what `handler` returns.
    public func handle(_ path: String, _ handler: @escaping @Sendable (OriginRequest) -> OriginReply) {
        shared.change { $0.handlers[path] = handler }
    }

    // MARK: What it does wrong

    /// From now on, every answer to a path has these faults.
    public func always(_ path: String, _ faults: OriginFault...) {
        shared.change {
            $0.faults[path] = faults
            $0.turns[path] = nil
        }
    }

    /// The next answers to a path have these faults, one after another; those after them have those of `rest`.
    public func script(_ path: String, _ turns: [[OriginFault]], rest: [OriginFault] = []) {
        shared.change {
            $0.turns[path] = turns
            $0.faults[path] = rest
        }
    }

    /// The next connections have this fault before anything is read from them, those after them have none.
    ///
    /// Only ``OriginFault/close``, ``OriginFault/stallBeforeAnswer`` and ``OriginFault/raw(_:)`` can come so early.
    public func scriptConnections(_ turns: [OriginFault]) { shared.change { $0.connectionTurns = turns } }

    /// All answers that stall go on, and stalls that are still to come don't.
    public func release() {
        shared.change { $0.isReleased = true }
        shared.wakeStalled()
    }

    // MARK: What was asked

    /// All requests so far, in the order in which their heads were complete.
    public var requests: [OriginRequest] { shared.read { $0.requests } }

    /// The requests for one path (without query).
    public func requests(to path: String) -> [OriginRequest] { requests.filter { $0.path == path } }

    /// How many bytes of a path's content were sent so far; those that a fault put in their place count, those that it added
    /// do not.
    public func bytesSent(of path: String) -> Int { shared.read { $0.sent[path] ?? 0 } }

    /// How many connections were accepted so far.
    public var connectionCount: Int { shared.read { $0.accepted } }

    /// The most connections that were open at one time.
    public var mostConnectionsAtOnce: Int { shared.read { $0.mostOpen } }

    /// Returns when a path has been asked for so many times.
    public func untilRequested(_ path: String, times: Int = 1) async {
        await shared.until { $0.requests.count { $0.path == path } >= times }
    }

    /// Returns when so many answers are stalled.
    public func untilStalled(_ count: Int = 1) async { await shared.until { $0.stalled >= count } }

    /// Returns when no connection is open.
    public func untilNoConnection() async { await shared.until { $0.open.isEmpty } }
}

/// A request as it came.
public struct OriginRequest: Sendable {
    public let method: String
    /// As it was sent, without the query.
    public let path: String
    /// `nil` where there is none.
    public let query: String?
    /// Names in lower case.
    public let headers: [String: String]
    public let body: [UInt8]
    /// Which connection it came on, counted from 1.
    public let connection: Int

    public var range: String? { headers["range"] }
}

/// An answer of a handler.
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
