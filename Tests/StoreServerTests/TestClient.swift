import FoundationEssentials
import Glibc
import StoreAPI
import StoreModel
import StoreSystem

/// A minimal HTTP client that shares no code with the server, and so sees the bytes that are really sent.
struct TestClient: Sendable {
    private enum Address: Sendable {
        case socket(String)
        case port(UInt16)
    }
    private let address: Address

    init(socket path: String) { address = .socket(path) }
    init(port: Int) { address = .port(UInt16(port)) }

    var portNumber: Int {
        if case .port(let port) = address { Int(port) } else { 0 }
    }

    struct Answer: Sendable {
        var status: Int
        var headers: [String: String]
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
        func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try JSON.decode(from: Data(body))
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Sends a request on a connection of its own; returns `nil` if the server closed it without a response.
    ///
    /// - Parameter declaresBody: whether a body without another `Content-Type` in `headers` is declared as JSON.
    func send(
        _ method: String, _ path: String, headers: [String: String] = [:], body: String? = nil,
        declaresBody: Bool = true
    ) async throws -> Answer? {
        let connection = try open()
        var head = "\(method) \(path) HTTP/1.1\r\nHost: test\r\nConnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if let body {
            head += "Content-Length: \(body.utf8.count)\r\n"
            if !headers.keys.contains("Content-Type"), declaresBody { head += "Content-Type: application/json\r\n" }
        }
        try await connection.writeApart(head + "\r\n" + (body ?? ""))
        let bytes = try await connection.readToEnd()
        return bytes.isEmpty ? nil : try Self.answer(bytes, withBody: method != "HEAD")
    }

    func get(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
        guard let answer = try await send("GET", path, headers: headers) else {
            throw Failure(description: "The connection was closed without an answer to \(path).")
        }
        return answer
    }

    /// Opens a connection for raw bytes.
    func open() throws -> Connection {
        switch address {
        case .socket(let path):
            let connection = try Connection(family: AF_UNIX)
            var target = sockaddr_un()
            target.sun_family = sa_family_t(AF_UNIX)
            // A path longer than a socket address is connected to through its open directory, as the server bound it.
            let slash = path.lastIndex(of: "/")!
            let folder = path.utf8.count > 107 ? try Directory.open(String(path[..<slash])) : nil
            let short = folder.map { $0.shortPath + path[slash...] } ?? path
            withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: short.utf8) }
            try connection.connect(target)
            return connection
        case .port(let port):
            let connection = try Connection(family: AF_INET)
            var target = sockaddr_in()
            target.sin_family = sa_family_t(AF_INET)
            target.sin_port = port.bigEndian
            target.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            try connection.connect(target)
            return connection
        }
    }

    private static func answer(_ bytes: [UInt8], withBody: Bool) throws -> Answer {
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) }) else {
            throw Failure(description: "An answer without an end of its head.")
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let colon = line.firstIndex(of: ":")!
            headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        var body = Array(bytes[(end + 4)...])
        if withBody, let length = headers["content-length"].flatMap({ Int($0) }), body.count != length {
            throw Failure(description: "\(length) bytes were promised, \(body.count) came.")
        }
        if headers["transfer-encoding"] == "chunked" { body = try unchunked(body) }
        return Answer(status: Int(lines[0].split(separator: " ")[1])!, headers: headers, body: body)
    }

    private static func unchunked(_ bytes: [UInt8]) throws -> [UInt8] {
        var rest = bytes[...]
        var body: [UInt8] = []
        while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
            guard let count = Int(String(decoding: rest[..<(newline - 1)], as: UTF8.self), radix: 16) else { break }
            if count == 0 { return body }
            body += rest[(newline + 1)...].prefix(count)
            rest = rest[(newline + 1)...].dropFirst(count + 2)
        }
        throw Failure(description: "A body in pieces without an end.")
    }
}

/// An open connection, whose reads time out after twenty minutes, so that a test fails and does not hang.
final class Connection: Sendable {
    private let descriptor: Int32
    /// A queue for this connection alone, so that a waiting one never delays another.
    private let work = BlockingWork(label: "test-client")

    init(family: Int32) throws {
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        // Longer than any response takes on a busy machine, and shorter than the hang guard.
        var limit = timeval(tv_sec: 20 * 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Closes the connection at once.
    func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func connect<Address>(_ address: Address) throws {
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard result == 0 else { throw TestClient.Failure(description: "connect: \(String(cString: strerror(errno)))") }
    }

    /// Writes text; an error is ignored, because the server's response is what matters.
    func write(_ text: String) throws {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Writes text of any size without blocking a thread of the concurrency pool, which the server needs.
    func writeApart(_ text: String) async throws { try await work.run { [self] in try write(text) } }

    /// Reads the next bytes; returns an empty array at the end.
    func readSome() async throws -> [UInt8] {
        try await work.run { [self] in
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EAGAIN { throw TestClient.Failure(description: "Nothing came for twenty minutes.") }
            return count > 0 ? Array(buffer[..<count]) : []
        }
    }

    func readToEnd() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let some = try await readSome()
            if some.isEmpty { return bytes }
            bytes += some
        }
    }

    /// Reads until `text` has arrived; returns everything read.
    func read(until text: String) async throws -> String {
        var bytes: [UInt8] = []
        while true {
            let some = try await readSome()
            bytes += some
            let read = String(decoding: bytes, as: UTF8.self)
            if read.contains(text) { return read }
            if some.isEmpty { throw TestClient.Failure(description: "The end came before '\(text)': \(read)") }
        }
    }
}
