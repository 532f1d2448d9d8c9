import FoundationEssentials
import StoreSystem

/// The daemon's HTTP response to a request, read while it arrives.
///
/// The connection is closed when the value is released or the reading task is cancelled; a slow reader makes the daemon
/// wait.
struct DaemonResponse {
    private let connection: SocketConnection
    private let silence: Duration
    private var parser = HTTPResponseParser()
    /// The bytes of the response's body that arrived together with its head.
    private var first: [UInt8] = []
    let head: HTTPResponseParser.Head

    /// Sends a request to the daemon and waits for the head (status and headers) of the response.
    ///
    /// - Parameters:
    ///   - limit: the time limit for the head.
    ///   - silence: the time limit for each part of the body after the head.
    /// - Throws: ``ConnectionError``, `CancellationError`.
    init(_ request: DaemonRequest, at socket: DaemonSocket, within limit: Duration, silence: Duration) async throws {
        connection = try await .open(to: socket)
        self.silence = silence
        try await connection.send(request.bytes, with: request.files, within: limit)
        while parser.head == nil {
            guard let bytes = try await connection.receive(within: limit) else { throw ConnectionError.brokenOff }
            first = try parser.taking(bytes)
        }
        guard let head = parser.head else { throw ConnectionError.brokenOff }
        self.head = head
    }

    /// Returns the next bytes of the response's body, at least one; `nil` at the end of the body.
    mutating func next() async throws -> [UInt8]? {
        if !first.isEmpty {
            defer { first = [] }
            return first
        }
        while !parser.isComplete {
            guard let bytes = try await connection.receive(within: silence) else {
                guard parser.end() else { throw ConnectionError.brokenOff }
                return nil
            }
            let body = try parser.taking(bytes)
            if !body.isEmpty { return body }
        }
        return nil
    }

    /// Returns the whole body of the daemon's response.
    ///
    /// - Parameter limit: the maximum size of the body in bytes.
    /// - Throws: ``ConnectionError``, also where the body is larger than the limit.
    mutating func body(limit: Int) async throws -> [UInt8] {
        var body: [UInt8] = []
        if let length = head["content-length"].flatMap(Int.init) { body.reserveCapacity(min(length, limit)) }
        while let bytes = try await next() {
            guard body.count + bytes.count <= limit else {
                throw ConnectionError(.malformed, "it has more than \(limit) bytes")
            }
            body += bytes
        }
        return body
    }
}

extension HTTPResponseParser {
    fileprivate mutating func taking(_ bytes: [UInt8]) throws -> [UInt8] {
        do throws(Malformed) {
            return try take(bytes)
        } catch {
            throw ConnectionError(.malformed, error.reason)
        }
    }
}

extension ConnectionError {
    fileprivate static let brokenOff = ConnectionError(.interrupted, "the connection broke")
}

/// An HTTP request to the daemon.
struct DaemonRequest {
    var method: String
    var path: String
    /// The HTTP header fields of the request; names and values contain no line breaks.
    var headers: [(name: String, value: String)] = []
    /// The JSON body of the request; `nil` where the request has none.
    var body: Data?
    /// Open files that the daemon gets with the request, at most ``UnixSocket/fileLimit``.
    var files: [OpenFile] = []

    /// The request as bytes in the format of HTTP/1.1.
    var bytes: [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: stored\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        // A request with a method that usually has a body states that it has none (RFC 9110, 8.6).
        if let body {
            head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n"
        } else if ["POST", "PUT", "PATCH"].contains(method) {
            head += "Content-Length: 0\r\n"
        }
        return Array((head + "\r\n").utf8) + (body ?? Data())
    }
}
