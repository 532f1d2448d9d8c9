import FoundationEssentials

/// A request that was sent, and its answer as it comes. Broken off when it is let go of, or its reader's task is
/// cancelled; a reader that is slow makes the daemon wait.
struct DaemonResponse {
    private let connection: SocketConnection
    private let silence: Duration
    private var parser = HTTPResponseParser()
    /// Of the body, what came with the head.
    private var first: [UInt8] = []
    let head: HTTPResponseParser.Head

    /// Sends a request and waits for the head of the answer.
    ///
    /// - Parameters:
    ///   - limit: how long the answer may take to begin.
    ///   - silence: how long it may be silent then.
    /// - Throws: ``ConnectionError``, `CancellationError`.
    init(_ request: DaemonRequest, at socket: DaemonSocket, within limit: Duration, silence: Duration) async throws {
        connection = try await .open(to: socket)
        self.silence = silence
        try await connection.send(request.bytes, within: limit)
        while parser.head == nil {
            guard let bytes = try await connection.receive(within: limit) else { throw ConnectionError.brokenOff }
            first += try parser.taking(bytes)
        }
        guard let head = parser.head else { throw ConnectionError.brokenOff }
        self.head = head
    }

    /// The next bytes of the body, at least one; `nil` at its end.
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

    /// The whole body.
    ///
    /// - Throws: where it has more bytes than `limit`.
    mutating func body(limit: Int) async throws -> Data {
        var body = Data()
        while let bytes = try await next() {
            guard body.count + bytes.count <= limit else {
                throw ConnectionError(.malformed, "it has more than \(limit) bytes")
            }
            body.append(contentsOf: bytes)
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
    fileprivate static let brokenOff = ConnectionError(.interrupted, "The connection broke.")
}

/// What is asked of the daemon.
struct DaemonRequest {
    var method: String
    var path: String
    /// Names and values that hold no line break.
    var headers: [(name: String, value: String)] = []
    /// JSON.
    var body: Data?

    /// As they go over the wire.
    var bytes: [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: stored\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        // A method that orders something says also that nothing follows (RFC 9110, 8.6).
        if let body {
            head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n"
        } else if ["POST", "PUT", "PATCH"].contains(method) {
            head += "Content-Length: 0\r\n"
        }
        return Array((head + "\r\n").utf8) + (body ?? Data())
    }
}
