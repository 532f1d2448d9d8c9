import Glibc
import StoreSystem
import Synchronization

/// A minimal HTTP server at a Unix socket, with scripted responses.
///
/// Each connection serves one request.
final class SocketServer: Sendable {
    struct Request: Sendable {
        var method: String
        var target: String
        var headers: [String: String]
        var body: String
    }

    enum Answer: Sendable {
        case document(status: Int = 200, headers: [String: String] = [:], String)
        /// A body in chunks, and how it ends.
        case stream([String], then: End)
    }

    enum End: Sendable { case regular, broken, open }

    private let listener: Int32
    private let folder: Directory
    private let name: String
    private let seen = Mutex<[Request]>([])
    private let open = Mutex<[Int32]>([])
    private let handler: @Sendable (Request) -> Answer

    /// All requests so far.
    var requests: [Request] { seen.withLock { $0 } }

    /// The requests except those by which a client verifies the daemon.
    var calls: [Request] { requests.filter { $0.target != "/v1/status" } }

    init(at path: String, _ handler: @escaping @Sendable (Request) -> Answer) throws {
        let slash = path.lastIndex(of: "/")!
        folder = try Directory.create(String(path[..<slash]))
        name = String(path[path.index(after: slash)...])
        self.handler = handler
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: "\(folder.shortPath)/\(name)".utf8) }
        let bound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(listener, 64) == 0 else { throw Errno(rawValue: errno) }
        Self.startThread { [self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                Self.startThread { self.serve(connection) }
            }
        }
    }

    /// Runs `body` on a new thread, because most threads block, and a pool would grow slowly.
    private static func startThread(_ body: @escaping @Sendable () -> Void) {
        final class Work: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { work in
                Unmanaged<Work>.fromOpaque(work!).takeRetainedValue().body()
                return nil
            }, Unmanaged.passRetained(Work(body)).toOpaque())
        pthread_detach(thread)
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        try? folder.remove(name)
        for connection in open.withLock({ $0 }) { shutdown(connection, Int32(SHUT_RDWR)) }
    }

    private func serve(_ connection: Int32) {
        open.withLock { $0.append(connection) }
        guard let request = read(connection) else { return finish(connection) }
        // The client first verifies the daemon with a request of its own, which tests are not interested in.
        if request.target == "/v1/status", request.headers["accept"] == nil {
            write(connection, "HTTP/1.1 200 X\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
            return finish(connection)
        }
        seen.withLock { $0.append(request) }
        switch handler(request) {
        case .document(let status, let headers, let body):
            let more = headers.map { "\($0): \($1)\r\n" }.joined()
            write(
                connection,
                "HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(more)\r\n\(body)")
        case .stream(let pieces, let end):
            write(
                connection,
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
                    + "Connection: close\r\n\r\n"
            )
            for piece in pieces { write(connection, "\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n") }
            if end == .regular { write(connection, "0\r\n\r\n") }
            if end == .open { return }
        }
        finish(connection)
    }

    private func finish(_ connection: Int32) {
        open.withLock { $0.removeAll { $0 == connection } }
        close(connection)
    }

    private func write(_ connection: Int32, _ text: String) {
        let bytes = Array(text.utf8)
        _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    private func read(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 {
                let lines = parts[0].split(separator: "\r\n")
                let words = lines[0].split(separator: " ")
                let fields = lines.dropFirst().compactMap { line -> (String, String)? in
                    let field = line.split(separator: ":", maxSplits: 1)
                    return field.count == 2 ? (field[0].lowercased(), String(field[1].drop { $0 == " " })) : nil
                }
                let headers = Dictionary(fields) { $1 }
                if parts[1].utf8.count >= Int(headers["content-length"] ?? "0") ?? 0 {
                    return Request(
                        method: String(words[0]), target: String(words[1]), headers: headers, body: String(parts[1]))
                }
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
    }
}
